"""A night's end with several of each thing open, for tests of what its closing costs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from casino.cage.about import AtSeat
from casino.cage.models import Drawer
from casino.cage.services import add_drawer, deposit, note_money, refuse_request, request_buy_in
from casino.people.models import Player, Staff
from casino.waiting.services.lists import join_list
from tables.models import Seating
from tables.services.floor_calls import call_floor
from tables.services.opening import close_table, open_table
from tables.services.playing_on import count_through
from tables.services.seating import leave_seat, seat_player
from tables.services.setup import add_table
from tests.boxes.hanging import Hanging
from tests.cage.banking import adds_bank, gives_bank
from tests.cage.carrying_over import carlas
from tests.cage.counting import closes, opens
from tests.cage.delivering import asks_whether_they_came, pays
from tests.cage.filling import Filling
from tests.cast import demo_person
from tests.tables.conftest import House


@dataclass
class SeveralOpen:
    """Leaves things open at a house's closing; each call of `more` as many again of each, by numbers of their own."""

    house: House

    def __post_init__(self) -> None:
        asks_whether_they_came(self.house.room_id)
        carlas(self.house)
        self._numbers, self._guests = count(20), count(1)

    def more(self) -> None:
        """Leave one more of each kind open."""
        self._at_the_cage()
        self._on_the_way()
        self._closed_uncounted()
        self._plays_on()
        self.house.tap(join_list, game_id=self.house.game().pk, player_id=self._guest().pk)

    def _guest(self) -> Player:
        name = f"Guest {next(self._guests)}"
        return Player.objects.create(room=self.house.cast.room, nickname=name, created_at=self.house.at)

    def _runner(self) -> Staff:
        """Return somebody who may do as much as Dan, with his PIN."""
        runner = Staff.objects.get(pk=self.house.cast.dan.pk)
        runner.pk, runner.username, runner.display_name = (
            None,
            f"dan{next(self._numbers)}",
            f"Dan {next(self._numbers)}",
        )
        runner.save(force_insert=True)
        return runner

    def _table(self, seats: int) -> tuple[int, list[Seating]]:
        house, number = self.house, next(self._numbers)
        house.tap(add_table, house.cast.mari, number=number)
        house.tap(open_table, table_id=house.table_id(number), game_id=house.game().pk)
        for seat in range(1, seats + 1):
            house.tap(
                seat_player, table_id=house.table_id(number), seat_number=seat, player_id=self._guest().pk,
                chips_cents=200_00,
            )  # fmt: skip
        return number, list(Seating.objects.filter(table__number=number, left_at=None).order_by("seat_number"))

    def _drawer(self, cash: int = 0) -> int:
        house, number = self.house, next(self._numbers)
        house.tap(add_drawer, house.cast.mari, number=number, name=f"Drawer {number}")
        drawer_id = Drawer.objects.get(room_id=house.room_id, number=number).pk
        opens(house.cast.carla, house.cast.frans, drawer_id, cash, at=house.at)
        return drawer_id

    def _at_the_cage(self) -> None:
        """Drawers, a bank and fills that go on, one each that was short, a request, and an unsigned deposit."""
        house, cast = self.house, self.house.cast
        self._drawer()
        short = self._drawer(100_00)
        closes(cast.mari, cast.frans, short, 95_00, at=house.at)
        bank = adds_bank(cast, number=next(self._numbers), at=house.at)
        gives_bank(cast.carla, self._runner(), bank, chips=100_00, at=house.at, pin=demo_person("dan").pin)
        fills = Filling(cast, at=house.at)
        fills.asks(100_00)
        fills.sent(100_00)
        fills.counts(fills.sent(100_00), 95_00)
        house.tap(request_buy_in, cast.anna, player_id=self._guest().pk, amount_cents=100_00)
        house.tap(deposit, cast.carla, drawer_id=house.drawer_id, player_id=self._guest().pk, amount_cents=50_00)

    def _asks(self, seating: Seating) -> int:
        table = seating.table
        seat = AtSeat(
            table=table.pk, table_number=table.number, seating=seating.pk, seat_number=seating.seat_number, stack=20_00
        )
        request = self.house.tap(request_buy_in, player_id=seating.player_id, amount_cents=50_00, seat=seat)
        return int(request.data["slip_id"])

    def _on_the_way(self) -> None:
        """Chips on their way to a seat, and the dealer's money of a request that was refused."""
        house = self.house
        number, (first, second, *_rest) = self._table(3)
        pays(house, self._asks(first))
        refused = self._asks(second)
        house.tap(note_money, house.cast.anna, slip_id=refused, money_with="dealer")
        house.tap(refuse_request, house.cast.carla, slip_id=refused, reason="card_declined")
        self._count_through(number)

    def _closed_uncounted(self) -> None:
        """A closed table that somebody left uncounted, with a box that waits and one that was counted short."""
        house, boxes = self.house, Hanging(self.house)
        number, seatings = self._table(3)
        waits = boxes.hang(next(self._numbers), table=number)
        house.settle(60_00, number=number)
        counted = boxes.hang(next(self._numbers), table=number)
        hand = house.settle(60_00, number=number)
        boxes.drop(table=number)
        boxes.count(counted, max(hand.taken("rake") // 1_00 - 1, 0))
        assert waits.pk != counted.pk
        for seating in seatings:
            house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk)
        house.tap(close_table, table_id=house.table_id(number))

    def _plays_on(self) -> None:
        """A table that plays on, counted through with a euro less for everybody than there should be, and called."""
        number, _seatings = self._table(2)
        self.house.tap(call_floor, self.house.cast.anna, table_id=self.house.table_id(number), reason="other")
        self._count_through(number)

    def _count_through(self, number: int) -> None:
        table = self.house.table(number)
        there = Seating.objects.filter(table=table, left_at=None).order_by("id")
        stacks = [{"seating_id": each.pk, "stack_cents": 199_00} for each in there]
        self.house.tap(count_through, table_id=table.pk, version=table.version, stacks=stacks)


@contextmanager
def undone() -> Iterator[None]:
    """Have the database forget what is done meanwhile."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def statements(act: Callable[[], object]) -> list[str]:
    """Return what an act says to the database."""
    with CaptureQueriesContext(connection) as queries:
        act()
    return [query["sql"] for query in queries]
