"""What jackpots keep about people: who claimed what, and what it paid them."""

from django.utils.translation import gettext_lazy as _

from casino.people.kept import Kind, Rows, about_nobody, keep
from jackpot.models import Claim, ClaimCheck, ClaimShare, Collection, Movement, Pool, SignedReport

keep(
    Kind(
        "jackpot.claims",
        _("Claims to jackpots"),
        purpose=_("To prove who was in the hand, and to pay them."),
        rows=(
            Rows(ClaimShare, ("player",)),
            Rows(Claim, ("said",), player="shares__player"),
            Rows(ClaimCheck, ("reference",), player="claim__shares__player"),
        ),
        count=lambda room_id: Claim.objects.filter(room_id=room_id).count(),
    ),
)
about_nobody(Claim, "code verdict", "codes")
about_nobody(SignedReport, "first_date last_date figures seen", "sums of jackpots")
about_nobody(Pool, "code", "a jackpot")
about_nobody(Movement, "about", "codes and ids")
about_nobody(Collection, "code by_table", "amounts by table")
