"""Tables that are still open keep the gaming day open, and disputed pots that nobody has decided."""

from django.utils.translation import gettext_lazy as _

from casino.cage.open_items import OpenItems
from tables.models import DisputedPot, Table


def _open_tables(room_id: int) -> list[int]:
    found = Table.objects.filter(room_id=room_id, opening__isnull=False)
    return list(found.order_by("number").values_list("number", flat=True))


OPEN_TABLES = OpenItems("table", _("table %(number)s"), _open_tables)


def _disputed_pots(room_id: int) -> list[int]:
    found = DisputedPot.objects.filter(room_id=room_id, resolved_at=None)
    return list(found.order_by("hand__number").values_list("hand__number", flat=True))


DISPUTED_POTS = OpenItems("disputed_pot", _("disputed pot of hand %(number)s"), _disputed_pots)
