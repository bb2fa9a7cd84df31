"""What keeps a jackpot's sum from being corrected, taken back from, or wound down."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class SumIsSo(Refusal):
    """A correction to the sum that stands there corrects nothing."""

    code = "jackpot_sum_is_so"
    sentence = _("The jackpot’s sum is %(sum)s already.")


class BelowGuarantee(Refusal):
    """The house guarantees the sum (H7.33, L-P43): no correction goes below it."""

    code = "jackpot_below_guarantee"
    sentence = _("The house guarantees %(guarantee)s: the sum is not corrected to less.")


class SeedStays(Refusal):
    """By the rule book the house takes nothing back of what it put in (H7.33)."""

    code = "jackpot_seed_stays"
    sentence = _("What the house put in stays in the jackpot.")


class SeedOverMost(Refusal):
    """It takes back what it put in and no more, and out of what lies above the guarantee."""

    code = "jackpot_seed_over_most"
    sentence = _("The house can take back %(most)s at most: what it put in, out of what lies above the guarantee.")


class ClaimsOpen(Refusal):
    """Claims wait that may have won it; `claims` holds (table, hand) of each."""

    code = "jackpot_claims_open"
    sentence = _("Claims to this jackpot are still open: %(items)s. They are decided first.")

    def named(self) -> dict[str, str]:
        """Return the claims, as people call them."""
        named = (gettext("table %(n)s, hand %(hand)s") % {"n": n, "hand": hand} for n, hand in self.data["claims"])
        return {"items": "; ".join(named)}


class StillFed(Refusal):
    """A jackpot that games still drop for is not wound down unless its money moves to another (H7.16)."""

    code = "jackpot_still_fed"
    sentence = _(
        "Games still drop for this jackpot, and no other one takes it. Move its money to another jackpot, or first put"
        " a rule book in force by which nothing is dropped for it, and close its tables."
    )


class SharesDiffer(Refusal):
    """What is paid out at the end is the whole sum, to the cent."""

    code = "jackpot_shares_differ"
    sentence = _("The shares come to %(shares)s; the jackpot’s sum is %(sum)s with what was dropped today.")
