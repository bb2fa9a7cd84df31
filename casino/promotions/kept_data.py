"""What promotions keep about people: whose hand was the highest, and what they won."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext_lazy as _

from casino.people.kept import Cents, DataTable, Kind, Rows, about_nobody, keep
from casino.promotions.models import Entry, Fund, Period, Prize, Splash


def _prizes(player_ids: Sequence[int]) -> Iterable[DataTable]:
    entries = Entry.objects.filter(player_id__in=player_ids).order_by("id")
    yield DataTable((_("When"), _("Cards"), _("Board")), list(entries.values_list("shown_at", "cards", "board")))
    prizes = Prize.objects.filter(player_id__in=player_ids).order_by("id")
    yield DataTable(
        (_("Prize"), _("Paid"), _("Taken back")),
        [(Cents(cents), *row) for cents, *row in prizes.values_list("cents", "paid_at", "taken_back_at")],
    )


keep(
    Kind(
        "promotions.prizes",
        _("Hands and prizes of promotions"),
        purpose=_("To pay who won, and to show why."),
        rows=(
            Rows(Entry, ("player", "cards", "board", "five", "made", "ranks"), at="entered_at"),
            Rows(Prize, ("player",)),
        ),
        player_data=_prizes,
        count=lambda room_id: Entry.objects.filter(period__room_id=room_id).count(),
    ),
)
about_nobody(Entry, "variant", "a code")
about_nobody(Fund, "code", "a promotion")
about_nobody(Period, "seed", "a draw")
about_nobody(Splash, "tables", "tables by number")
