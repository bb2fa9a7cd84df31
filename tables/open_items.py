"""Tables that are still open keep the gaming day open."""

from django.utils.translation import gettext_lazy as _

from casino.cage.open_items import OpenItems
from tables.models import Table


def _open_tables(room_id: int) -> list[int]:
    found = Table.objects.filter(room_id=room_id, opening__isnull=False)
    return list(found.order_by("number").values_list("number", flat=True))


OPEN_TABLES = OpenItems("table", _("table %(number)s"), _open_tables)
