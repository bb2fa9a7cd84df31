"""A table's float, as the cage fills it and takes from it."""

from django.utils.translation import gettext as _

from casino.cage.fill_places import FillPlace
from casino.cage.rules import CHIPS
from casino.errors import NotFound
from casino.ledger.chart import PostingLine
from casino.rooms.models import Place
from tables.chart import of_table
from tables.models import Table


class TableFloat(FillPlace):
    """The dealer's tray of a table, open or not: it holds chips alone, and what is counted out of it is a fact."""

    holds = (CHIPS,)
    receives = "tables.receive_fill"
    stands_at = Place.Kind.TABLE

    def numbers(self, room_id: int) -> list[int]:
        """Return the numbers of all tables: a tray is also filled before its table opens."""
        return list(Table.objects.filter(room_id=room_id).order_by("number").values_list("number", flat=True))

    def id_of(self, room_id: int, number: int) -> int:
        """Return a table's id."""
        found = Table.objects.filter(room_id=room_id, number=number).values_list("id", flat=True).first()
        if found is None:
            raise NotFound(what="table")
        return found

    def lock(self, place_id: int) -> None:
        """Lock the table's row."""
        Table.objects.select_for_update(no_key=True).get(id=place_id)

    def line(self, place_id: int, what: str, cents: int) -> PostingLine:
        """Return a line on the table's float."""
        assert what == CHIPS, "a float holds chips"
        return of_table(place_id, "float", cents)

    def label(self, number: int) -> str:
        """Return "Float of table 4"."""
        return _("Float of table %(number)s") % {"number": number}
