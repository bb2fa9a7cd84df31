"""The floor's desk with two players at table 1, and what a player may want there."""

from datetime import timedelta
from typing import Any

from casino.cage.about import AtSeat
from casino.cage.services import (
    buy_in,
    request_buy_in,
)
from casino.commands.carrying_out import Answer
from casino.live.areas import TODO
from casino.people.models import Staff
from casino.people.services import (
    ban_player,
    exclude_by_own_wish,
    keep_apart,
    lift_exclusion,
    second_person,
    set_own_limit,
)
from casino.waiting.services.lists import call_player, join_list
from tables.models import Seating
from tables.services.seating import seat_player
from tests.cast import command, demo_person
from tests.tables.conftest import House

YEAR_END = "2026-12-31"


class FloorDesk:
    """The floor's desk with Lee and Kai at table 1, and what a player may want there."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.table = house.open(Lee=1, Kai=2)

    def id(self, nickname: str) -> int:
        return self.house.player(nickname).pk

    def ban(self, nickname: str, **more: Any) -> int:
        return int(self.house.tap(ban_player, player_id=self.id(nickname), **more).data["exclusion"])

    def own_wish(self, nickname: str, last_day: str = YEAR_END) -> int:
        answer = self.house.tap(exclude_by_own_wish, player_id=self.id(nickname), last_day=last_day)
        return int(answer.data["exclusion"])

    def limit(self, nickname: str, kind: str, amount: int | None) -> Answer:
        return self.house.tap(set_own_limit, player_id=self.id(nickname), kind=kind, amount=amount)

    def apart(self, *nicknames: str) -> Answer:
        return self.house.tap(keep_apart, player_ids=[self.id(nickname) for nickname in nicknames])

    def join(self, nickname: str, by: Staff | None = None) -> int:
        answer = self.house.tap(join_list, by, game_id=self.house.game().pk, player_id=self.id(nickname))
        return int(answer.data["waiting"])

    def call(self, waiting: int, seat: int = 5) -> Answer:
        return self.house.tap(call_player, waiting_id=waiting, table_id=self.table.pk, seat_number=seat)

    def sit(self, nickname: str, seat: int = 7, by: Staff | None = None) -> Answer:
        return self.house.tap(
            seat_player,
            by,
            table_id=self.table.pk,
            seat_number=seat,
            player_id=self.id(nickname),
            chips_cents=200_00,
        )

    def buy(self, nickname: str, cents: int = 100_00) -> Answer:
        return self.house.tap(
            buy_in,
            self.house.cast.carla,
            drawer_id=self.house.drawer_id,
            amount_cents=cents,
            method="cash",
            player_id=self.id(nickname),
        )

    def ask(self, seating: Seating, cents: int = 100_00, by: Staff | None = None) -> Answer:
        seat = AtSeat(
            table=seating.table_id,
            table_number=1,
            seating=seating.pk,
            seat_number=seating.seat_number,
            stack=50_00,
        )
        return self.house.tap(request_buy_in, by, player_id=seating.player_id, amount_cents=cents, seat=seat)

    def seating(self, nickname: str) -> Seating:
        return Seating.objects.get(player=self.house.player(nickname), left_at=None)

    def lift(self, exclusion: int, *, second: str = "frans") -> Answer:
        self.house.at += timedelta(seconds=1)
        tap = command(self.house.cast.mari, at=self.house.at)
        pin = demo_person(second).pin
        signed = second_person(
            tap, username=second, pin=pin, needs="people.approve_lifting", signs=f"exclusion.{exclusion}"
        )
        return lift_exclusion(tap, exclusion_id=exclusion, approved_by_id=signed)

    def todo(self) -> list[str]:
        return [line.key.split(".")[0] for line in TODO.gather(room_id=self.house.room_id)]
