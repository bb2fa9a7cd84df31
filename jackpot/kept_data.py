"""What jackpots keep about people: who claimed what, and what it paid them."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext_lazy as _

from casino.people.kept import Cents, DataTable, Kind, Rows, about_nobody, keep
from jackpot.models import Claim, ClaimCheck, ClaimShare, Collection, Movement, Pool, SignedReport


def _claims(player_ids: Sequence[int]) -> Iterable[DataTable]:
    shares = ClaimShare.objects.filter(player_id__in=player_ids).order_by("id")
    rows = shares.values_list("claim__hand__table__number", "claim__hand__number", "seat_number", "cents", "paid_at")
    yield DataTable(
        (_("Table"), _("Hand"), _("Seat"), _("Amount"), _("Paid")),
        [(table, hand, seat, Cents(cents), paid_at) for table, hand, seat, cents, paid_at in rows],
    )


keep(
    Kind(
        "jackpot.claims",
        _("Claims to jackpots"),
        purpose=_("To prove who was in the hand, and to pay them."),
        rows=(
            Rows(ClaimShare, ("player",)),
            Rows(Claim, ("entered",), player="shares__player"),
            Rows(ClaimCheck, ("reference",), player="claim__shares__player"),
        ),
        player_data=_claims,
        count=lambda room_id: Claim.objects.filter(room_id=room_id).count(),
    ),
)
about_nobody(Claim, "code verdict", "codes")
about_nobody(SignedReport, "first_date last_date figures seen", "sums of jackpots")
about_nobody(Pool, "code", "a jackpot")
about_nobody(Movement, "about", "codes and ids")
about_nobody(Collection, "code by_table", "amounts by table")
