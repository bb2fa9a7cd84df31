"""Table 1 in the middle of an evening, from which each act of `tests/acts` begins."""

from collections.abc import Callable
from typing import Any

from casino.cage.about import AtSeat
from casino.cage.services import request_buy_in
from casino.people.models import Staff
from casino.people.services import give_pass
from casino.waiting.models import Waiting
from casino.waiting.services import lists as waiting
from tables.models import Hand, Seating
from tables.services import hands, seating
from tests.tables.conftest import House

# By the name of a command what sets the stage in an evening and returns the act to be watched.
Acts = dict[str, Callable[["Evening"], Callable[[], Any]]]


class Evening:
    """Table 1 in the middle of an evening; each method sets something up and returns the act to be watched."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.table = house.open(1, Lee=1, Kai=2, Timo=3)
        self.hand = house.settle(40_00)
        house.tap(give_pass, player_id=house.player("Mika").pk)

    def at_table(self, service: Callable[..., Any], by: Staff | None = None, **args: Any) -> Callable[[], Any]:
        return lambda: self.house.tap(service, by, table_id=self.table.pk, **args)

    def sits(self, seat: int) -> int:
        return Seating.objects.get(table=self.table, seat_number=seat, left_at=None).pk

    def away(self, seat: int) -> int:
        pk = self.sits(seat)
        self.house.tap(seating.hold_seat, table_id=self.table.pk, seating_id=pk, is_held=True)
        return pk

    def left(self) -> int:
        kai = self.sits(2)
        self.house.tap(seating.leave_seat, table_id=self.table.pk, seating_id=kai)
        return kai

    def requested(self) -> int:
        mika = self.house.seat("Mika", 5, chips=0)
        return self.asks(mika, 200_00)

    def asks(self, sits: Seating, cents: int, *, stack: int | None = None) -> int:
        seat = AtSeat(table=self.table.pk, table_number=1, seating=sits.pk, seat_number=sits.seat_number, stack=stack)
        answer = self.house.tap(request_buy_in, player_id=sits.player_id, amount_cents=cents, seat=seat)
        return int(answer.data["slip_id"])

    def waits(self, *, is_called: bool = False, **more: Any) -> Waiting:
        house = self.house
        joined = house.tap(waiting.join_list, game_id=house.game().pk, player_id=house.player("Mika").pk, **more)
        if is_called:
            self.at_table(waiting.call_player, waiting_id=joined.data["waiting"], seat_number=6)()
        return Waiting.objects.get(id=joined.data["waiting"])

    def skipped(self) -> Hand:
        hand = self.house.logged()
        self.house.tap(hands.skip_hand, self.house.cast.anna, table_id=self.table.pk, hand=hand)
        return Hand.objects.get(hand_id=hand.hand_id)
