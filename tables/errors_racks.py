"""What is refused about racks and tips."""

from collections.abc import Container
from typing import ClassVar

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class NoRackKept(Refusal):
    """The house's book says that no chips lie in the dealers' racks."""

    code = "no_rack_kept"
    status = 422
    sentence = _("This house keeps no rack at its tables: chips come from the cage.")


class RackLeftUncounted(Refusal):
    """As it was left is as a count has left it: without one after the last hand nobody knows how that was."""

    code = "rack_left_uncounted"
    status = 409
    sentence = _("Nobody has counted this rack since its table played last. Count it now.")


class RackSellsNothing(Refusal):
    """By the terms of the table's opening chips come from the cage alone."""

    code = "rack_sells_nothing"
    status = 422
    sentence = _("At this table no chips are sold from the rack. Ask the cage for them.")


class BookHasNoCashPlays(Refusal):
    """A table is opened with cash plays only where the house's book lets tables have them."""

    code = "book_has_no_cash_plays"
    status = 422
    sentence = _("By this house’s book no table sells chips from its rack. Open the table without cash plays.")


class RackShortUnseen(Refusal):
    """As `RackShort`, for who counts racks or is read by who does: that less lies there says what a count is to be."""

    code = "rack_short_unseen"
    status = 409
    sentence = _("The rack does not sell these chips now. Ask the cage for them.")


class RackCountsUnseen(Refusal):
    """As what counts say against a sale that never was, for who counts there: it bounds what the next is to find."""

    code = "rack_counts_unseen"
    status = 409
    sentence = _(
        "Counts of its rack do not show that this sale never was. First the floor judges on its to-do what they differ"
        " by; what they have found a manager reads."
    )


class _OfRack(Refusal):
    """What says something of what a rack holds: who may not read that is told `unseen`."""

    unseen: ClassVar[type[Refusal]] = RackCountsUnseen

    def for_reader(self, may: Container[str]) -> Refusal:
        """Return this refusal for who may read what racks hold, `unseen` for anybody else."""
        return self if "read.racks" in may else self.unseen()


class RackShort(_OfRack):
    """No more chips are sold out of a rack than lie there; how many do is not said, for its counts are blind."""

    code = "rack_short"
    status = 409
    unseen = RackShortUnseen
    sentence = _("The rack holds fewer chips than that. Ask the cage for them, or for a fill first.")


class RackCashShort(Refusal):
    """
    The cash that a sale brought was taken away meanwhile. No sums are tried by it: it is of one sale, whole, which no
    count has seen yet.
    """

    code = "rack_cash_short"
    status = 409
    sentence = _("The cash of this sale lies in the rack no more. Pay the chips out at the cage instead.")


class RackCountedSince(Refusal):
    """What a count found stands: what was sold before it is no longer taken out of the rack, nor what never was."""

    code = "rack_counted_since"
    status = 409
    sentence = _(
        "The rack that sold these chips was counted since. Chips that a player holds are paid out at the cage. If"
        " nothing was sold, two say so, and the difference of the count is explained."
    )


class RackNotCounted(Refusal):
    """A sale that no count has seen is reversed: its chips and its cash are told apart from nothing else yet."""

    code = "rack_not_counted"
    status = 409
    sentence = _(
        "The rack was not counted since the sale. Reverse the slip at the cage, or count chips and cash of the rack"
        " first."
    )


class RackCashNotCounted(_OfRack):
    """That its chips lie there is not enough: the cash of a sale that never was is missing."""

    code = "rack_cash_not_counted"
    status = 409
    sentence = _("The rack’s chips were counted since the sale, its cash was not. Count both first.")


class RackAgreed(_OfRack):
    """A sale that never was leaves its chips in the rack, and its cash is missing: a count finds either."""

    code = "rack_agreed"
    status = 409
    sentence = _(
        "Every count since the sale found in the rack what should lie there: the chips were sold. What a player holds"
        " of them is paid out at the cage."
    )


class RackFoundLess(_OfRack):
    """
    A sale that never was leaves its chips in the rack, and its cash is missing there: counts since have found less than
    all of one and most of the other, or what they found was explained by others.
    """

    code = "rack_found_less"
    status = 409
    sentence = _(
        "A sale that never was leaves its chips in the rack, and its cash is missing there. Counts since have not found"
        " that, beside what other slips explain. If one was wrong, have the rack counted again. If less was sold, sell"
        " that anew, have the rack counted, and then take this slip back."
    )


class RackNotJudged(_OfRack):
    """Counts have found most of what a sale that never was leaves: what else they differ by is the floor's to judge."""

    code = "rack_not_judged"
    status = 409
    sentence = _(
        "Counts since the sale have found most of its chips too many and most of its cash missing, not all of both."
        " First the floor judges on its to-do what each count differs by. Then two take this slip back, and the rest"
        " stays the rack’s difference."
    )


class RackDayOver(Refusal):
    """The cash of a day has left the rack before the day closed: what lies there is of another one."""

    code = "rack_day_over"
    status = 409
    sentence = _("These chips were sold on a gaming day that is over. Pay the chips out at the cage instead.")


class NeverSoldDayOver(Refusal):
    """What counts of a day have found is explained while that day is open."""

    code = "never_sold_day_over"
    status = 409
    sentence = _(
        "The gaming day of this sale is over: what the counts of its rack have found stands. Nothing is paid out for"
        " chips that nobody holds."
    )


class WhoseTips(Refusal):
    """The house's tips are each dealer's own, and nobody is named who has dealt into the box, or there on this day."""

    code = "whose_tips"
    status = 422
    sentence = _("Say whose tips they are: somebody who has dealt at this table since its box was hung, or today.")


class NoTipsLeft(Refusal):
    """Another sum is to be handed on than was seen: it was handed on, or more was counted; or nobody has dealt."""

    code = "no_tips_left"
    status = 409
    sentence = _("The tips are not what they were: they were handed on, or more was counted. Look again.")


class DealersStillDeal(Refusal):
    """The time by which tips are shared still grows."""

    code = "dealers_still_deal"
    status = 409
    sentence = _("Somebody still deals on that day. The tips are handed on once the last down is over.")


class TipsWereCounted(Refusal):
    """The box that a dealer had taken along was counted meanwhile."""

    code = "tips_were_counted"
    status = 409
    sentence = _("That tip box has been counted. Look again.")


class TipsWentOn(Refusal):
    """What was said to have been taken along last is taken back, and nothing before it."""

    code = "tips_went_on"
    status = 409
    sentence = _("The next tip box of this table was taken along or counted since. What was said before it stands.")


class TipsNotedSince(Refusal):
    """Tips that were noted since lie in a box that would never have hung there: the floor looks first."""

    code = "tips_noted_since"
    sentence = _("Tips were noted since. The floor takes this back.")
