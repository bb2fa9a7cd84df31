"""A table's float, as the cage fills it and takes from it."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from casino.cage.fill_places import Counted, FillPlace, Standing
from casino.cage.models import Slip
from casino.cage.rules import CASH, CHIPS
from casino.commands.carrying_out import Actor, Command
from casino.ledger.chart import PostingLine
from casino.ledger.services import open_accounts
from casino.rooms.models import Place
from tables.audiences import floor_of
from tables.chart import OUTSIDE, OWNER, RACK, RACK_CASH, RACK_CASH_MISSING, RACK_MISSING, of_table
from tables.errors_racks import NoRackKept, RackCashShort, RackShort
from tables.models import Table
from tables.owners import table_figures, table_id_of
from tables.selectors.racks import lies_as_counted
from tables.services.rack_never_sold import check_never_sold, follow_never_sold
from tables.services.rack_sales import check_not_counted_since
from tables.terms import dealers_at


class TableFloat(FillPlace):
    """
    The dealer's tray of a table, open or not: it is filled with chips alone, and what is counted out of it is a fact.
    Cash lies there for which chips were sold.

    It is filled where the table keeps a rack: elsewhere nobody would take over or count what lay there. What lies
    there all the same goes back by a credit.
    """

    holds = (CHIPS,)
    receives = "tables.receive_fill"
    stands_at = Place.Kind.TABLE

    def numbers(self, room_id: int) -> list[int]:
        """Return the numbers of all tables: a tray is also filled before its table opens."""
        return list(Table.objects.filter(room_id=room_id).order_by("number").values_list("number", flat=True))

    def check_takes(self, place_id: int, *, at: datetime) -> None:
        """:raises NoRackKept: the table keeps none (`dealers_at`)."""
        if refusal := self.standings([place_id], at=at)[place_id].takes:
            raise refusal

    def standings(self, place_ids: Collection[int], *, at: datetime) -> Mapping[int, Standing]:
        """Say of each whether it keeps a rack. One query, and the book's."""
        tables = Table.objects.select_related("opening__game").filter(id__in=place_ids)
        return {
            table.pk: Standing(takes=None if dealers_at(table, at=at).rack.is_kept else NoRackKept())
            for table in tables
        }

    def id_of(self, room_id: int, number: int) -> int:
        """Return a table's id."""
        return table_id_of(room_id, number)

    def lock(self, place_id: int) -> None:
        """Lock the table's row."""
        Table.objects.select_for_update(no_key=True).get(id=place_id)

    def line(self, place_id: int, what: str, cents: int) -> PostingLine:
        """Return a line on the table's float, or on the cash in it."""
        return of_table(place_id, RACK_CASH if what == CASH else RACK, cents)

    def gives_cash(self, place_id: int) -> bool:
        """Say whether cash lies in the rack, from chips that were sold out of it. One query."""
        return table_figures(place_id).get(RACK_CASH, 0) != 0

    def lies_as_counted(self, place_id: int, by: Actor) -> Counted:
        """
        Return what the newest count found, while it still lies there: to who counted or signed, and to who may read
        what racks hold; anybody else is answered empty. Two queries.
        """
        check = lies_as_counted(place_id)
        if check is None or not (by.staff_id in (check.by_id, check.approved_by_id) or "read.racks" in by.may):
            return Counted()
        return Counted(check.cash_pieces or (), check.pieces or ())

    def chain(self, number: int) -> str:
        """Return the table's chain."""
        return Table(number=number).chain

    def sale_lines(self, place_id: int, cents: int) -> list[PostingLine]:
        """Return the lines of a sale for cash; the money has its other end at the table, as at a drawer."""
        return [
            of_table(place_id, RACK_CASH, cents),
            of_table(place_id, OUTSIDE, -cents),
            of_table(place_id, RACK, -cents),
        ]

    def check_sells(self, place_id: int, lines: Sequence[PostingLine]) -> None:
        """
        Let chips leave the rack for cash, or the cash for chips that come back. One query, two the first time.

        :raises RackShort, RackCashShort: less lies there.
        """
        figures = table_figures(place_id)
        for kind, refusal in ((RACK, RackShort), (RACK_CASH, RackCashShort)):
            taken = -sum(line.cents for line in lines if line == of_table(place_id, kind, line.cents))
            if taken > 0 and figures.get(kind, 0) < taken:
                raise refusal
        if RACK_CASH not in figures:
            # Tables of before knew no cash.
            open_accounts(Table.objects.select_related("room").get(id=place_id).room, OWNER, place_id)

    def check_takes_back(self, slip: Slip) -> None:
        """:raises RackCountedSince, RackDayOver: the rack was counted since, or the day is over."""
        check_not_counted_since(slip)

    def never_sold_lines(self, slip: Slip) -> list[PostingLine]:
        """
        Return a sale's lines the other way, in the rack's differences: there its counts have put what they found of it.

        :raises Refusal: as `check_never_sold`.
        """
        check_never_sold(slip)
        table_id = slip.drawer.place_id if slip.drawer is not None else None
        assert table_id is not None
        return [
            of_table(table_id, RACK_MISSING, slip.amount_cents),
            of_table(table_id, RACK_CASH_MISSING, -slip.amount_cents),
            of_table(table_id, OUTSIDE, slip.amount_cents),
        ]

    def follow_never_sold(self, command: Command, slip: Slip) -> tuple[str, ...]:
        """Take what it explains off the floor's to-do, and return the table's screens where it does."""
        return follow_never_sold(command, slip)

    def screens(self, number: int) -> tuple[str, ...]:
        """Return the floor's page of the table, which shows whether chips lie there."""
        return (floor_of(Table(number=number)),)

    def label(self, number: int, *, is_bank: bool = False) -> str:
        """Return "Rack of table 4"."""
        return _("Rack of table %(n)s") % {"n": number}
