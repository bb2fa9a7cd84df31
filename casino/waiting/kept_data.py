"""What lists keep about people: who waited for which game."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext_lazy as _

from casino.people.kept import DataTable, Kind, Rows, about_nobody, keep
from casino.waiting.models import Waiting


def _places(player_ids: Sequence[int]) -> Iterable[DataTable]:
    waits = Waiting.objects.filter(player_id__in=player_ids).order_by("id")
    rows = waits.values_list("joined_at", "waiting_list__game__name", "ended_at")
    yield DataTable((_("From"), _("Game"), _("Until")), list(rows))


keep(
    Kind(
        "waiting.places",
        _("Places on lists"),
        purpose=_("To seat players in the order in which they came."),
        rows=(Rows(Waiting, ("player",), at="joined_at"),),
        player_data=_places,
        count=lambda room_id: Waiting.objects.filter(room_id=room_id).count(),
    ),
)
about_nobody(Waiting, "ended_why", "a code")
