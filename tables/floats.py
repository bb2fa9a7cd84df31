"""A table's float, as the cage fills it and takes from it."""

from datetime import datetime

from django.utils.translation import gettext as _

from casino.cage.fill_places import FillPlace
from casino.cage.rules import CHIPS
from casino.errors import NotFound
from casino.ledger.chart import PostingLine
from casino.rooms.models import Place
from casino.rooms.selectors import rule_book_in_force
from tables.audiences import floor_of
from tables.chart import of_table
from tables.errors_racks import NoRackKept
from tables.models import Table


class TableFloat(FillPlace):
    """
    The dealer's tray of a table, open or not: it holds chips alone, and what is counted out of it is a fact.

    It is filled where the house's book keeps racks: elsewhere nobody would take over or count what lay there. What lies
    there all the same goes back by a credit.
    """

    holds = (CHIPS,)
    receives = "tables.receive_fill"
    stands_at = Place.Kind.TABLE

    def numbers(self, room_id: int) -> list[int]:
        """Return the numbers of all tables: a tray is also filled before its table opens."""
        return list(Table.objects.filter(room_id=room_id).order_by("number").values_list("number", flat=True))

    def check_takes(self, room_id: int, *, at: datetime) -> None:
        """:raises NoRackKept: the house's book keeps none."""
        if not rule_book_in_force(room_id, at=at)[1].dealers.rack.is_kept:
            raise NoRackKept

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

    def screens(self, number: int) -> tuple[str, ...]:
        """Return the floor's page of the table, which shows whether chips lie there."""
        return (floor_of(Table(number=number)),)

    def label(self, number: int) -> str:
        """Return "Float of table 4"."""
        return _("Float of table %(number)s") % {"number": number}
