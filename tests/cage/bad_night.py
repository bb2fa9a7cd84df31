"""A bad night at its close: a drawer five euros short, a slip missing, a box that waits and one that disagrees."""

from dataclasses import dataclass
from typing import Any

from casino.boxes.models import Box
from casino.cage.api.days import close_counts_by_two
from casino.cage.day_counts import counts_of, version_of
from casino.commands.carrying_out import Answer
from casino.people.models import Staff
from casino.rooms.models import GamingDay
from tables.models import Seating
from tables.services.opening import close_table
from tables.services.seating import leave_seat
from tests.boxes.hanging import Hanging
from tests.cast import demo_person
from tests.jackpot.beats import SEVEN
from tests.tables.conftest import House


@dataclass
class BadNight:
    """The house after its last hand: two boxes were dropped, of which the first was counted 1 € short."""

    house: House
    counted: Box
    waits: Box

    @property
    def day(self) -> GamingDay:
        return GamingDay.objects.get(id=self.day_id)

    day_id: int = 0

    def close_counts(
        self, by: Staff | None = None, second: Staff | None = None, *, version: int | None = None, **arguments: Any
    ) -> Answer:
        """Close the day as counted, by two; the manager and the auditor unless others are named."""
        second = second or self.house.cast.olavi
        signs = {"username": second.username, "pin": demo_person(second.username).pin}
        version = version_of(counts_of(self.day)) if version is None else version
        return self.house.tap(
            close_counts_by_two, by or self.house.cast.mari, day_id=self.day_id, version=version, second=signs,
            carrying=arguments.get("carrying", []),
        )  # fmt: skip


def all_go(house: House, number: int = 1) -> None:
    """Have everybody leave a table with nothing on the log's word, and close it."""
    for seating in Seating.objects.filter(table=house.table(number), left_at=None).order_by("id"):
        house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=0)
    house.tap(close_table, table_id=house.table_id(number))


def bad_night(house: House, *, plays_on: bool = False) -> BadNight:
    """
    Play a hand of 60 € at table 1 with boxes for rake and drop, and close all but the day; nobody is to blame.

    `plays_on`: at table 2 two go on.
    """

    def played() -> tuple[Box, Box]:
        boxes = Hanging(house)
        house.open(1, **SEVEN)
        rake, drop = boxes.hang(7), boxes.hang(8, "drop")
        hand = house.settle(60_00, winners=(2,), dealt_in=tuple(SEVEN.values()))
        all_go(house)
        boxes.drop()
        boxes.drop("drop")
        boxes.count(rake, hand.taken("rake") // 1_00 - 1)
        house.close_drawer(short_cents=5_00)
        return rake, drop

    rake, drop = house.begins(("a bad night",), played)
    if plays_on:
        house.open(2, Ville=1, Otto=4)
    day = GamingDay.objects.get(room_id=house.room_id, closed_at=None)
    return BadNight(house, rake, drop, day.pk)
