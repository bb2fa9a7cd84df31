"""A room with an open day and tables, for tests of the tables."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar

import pytest
from django.db.models import Sum

from casino.cage.demo import house_opening
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.services import close_day, open_day
from casino.commands.carrying_out import Answer
from casino.people.models import Player, Staff
from casino.rooms.models import GamingDay, RuleBookVersion
from tables.charges import charge_kinds
from tables.models import BoxDifference, Game, Hand, Seating, Table
from tables.owners import table_figures
from tables.rules.logged import LoggedHand
from tables.selectors.next_hand import next_hand_at, seated
from tables.services.hands import deal_hand, settle_hand
from tables.services.opening import open_table
from tables.services.seating import seat_player
from tables.services.setup import add_table, offer_games
from tests.cage.counting import carrying, closes, opens
from tests.cast import TONIGHT, Cast, actor, command, make_cast
from tests.support.kept import first_step, kept

Made = TypeVar("Made")


@dataclass
class House:
    """A room on an evening: tables 1 and 2, the games of its book, drawer 1 open, and a clock that goes on."""

    cast: Cast
    drawer_id: int
    at: datetime = TONIGHT
    hands: list[uuid.UUID] = field(default_factory=list)

    @property
    def room_id(self) -> int:
        return self.cast.room.pk

    def table(self, number: int = 1) -> Table:
        return Table.objects.select_related("opening__game", "hand").get(room_id=self.room_id, number=number)

    def table_id(self, number: int = 1) -> int:
        """Return its id alone: what only names the table need not read its evening."""
        return Table.objects.values_list("id", flat=True).get(room_id=self.room_id, number=number)

    def game(self, name: str = "No limit hold'em 2/2") -> Game:
        return Game.objects.get(room_id=self.room_id, name=name, is_offered=True)

    def player(self, nickname: str) -> Player:
        return self.cast.players[nickname]

    def tap(self, service: Callable[..., Answer], by: Staff | None = None, **args: Any) -> Answer:
        """Give a command, a second after the last one; the floor's unless somebody else is named."""
        self.at += timedelta(seconds=1)
        return service(command(by or self.cast.frans, at=self.at), **args)

    def open_drawer(self, cash: int = 0, chips: int = 0) -> Answer:
        """Have the cashier and the floor open drawer 1 with so much in it, in cents."""
        self.at += timedelta(seconds=1)
        return opens(self.cast.carla, self.cast.frans, self.drawer_id, cash, chips, at=self.at)

    def close_drawer(self, drawer_id: int = 0, *, short_cents: int = 0) -> Answer:
        """Close drawer 1, or this one, counted as it should be but for so much cash."""
        lies = drawer_figures(drawer_id or self.drawer_id)
        cash, chips, card = (lies.get(what, 0) for what in ("cash", "chips", "card_slips"))
        return self.count_drawer(cash - short_cents, chips, card, drawer_id=drawer_id)

    def count_drawer(self, cash: int = 0, chips: int = 0, card: int = 0, *, drawer_id: int = 0) -> Answer:
        """Have the manager and the floor count so much in drawer 1, or in this one, in cents, and close it."""
        self.at += timedelta(seconds=1)
        return closes(self.cast.mari, self.cast.frans, drawer_id or self.drawer_id, cash, chips, card, at=self.at)

    def close_day(self) -> Answer:
        """Close the day for operations, carrying over what is not finished."""
        return self.tap(close_day, self.cast.mari, carrying=carrying(self.room_id))

    def next_day(self, **later: int) -> GamingDay:
        """Open the next day, a day later: `next_day(hours=8)`."""
        self.at += timedelta(**later or {"days": 1})
        self.tap(open_day, self.cast.mari)
        return GamingDay.objects.get(room_id=self.room_id, closed_at=None)

    def reads(self, setting: str, *, part: str = "settings") -> None:
        """Have the room go on by its book with another reading of a clause: `reads('missed_call = "bottom"')`."""
        now = RuleBookVersion.objects.filter(room_id=self.room_id).latest("number")
        keys = tuple(line.split("=")[0] for line in setting.split("\n"))
        assert all(keys), "each line names a key"
        assert f"[{part}]\n" in now.text
        text = "\n".join(line for line in now.text.split("\n") if not line.startswith(keys))
        RuleBookVersion.objects.create(
            room_id=self.room_id, book=now.book, number=now.number + 1, digest="x", holds_from=self.at,
            text=text.replace(f"[{part}]\n", f"[{part}]\n{setting}\n"),
        )  # fmt: skip

    def open(self, number: int = 1, **seats: int | str) -> Table:
        """Open a table and seat players with 200 € each: `open(1, Lee=1, Kai=2)`."""

        def opens() -> None:
            self.tap(open_table, table_id=self.table_id(number), game_id=self.game().pk)
            for nickname, seat in seats.items():
                self.seat(nickname, int(seat), number=number)

        self.begins(("open", number, *seats.items()), opens)
        return self.table(number)

    def begins(self, key: tuple[object, ...], act: Callable[[], Made]) -> Made:
        """
        Do what many tests begin with, or put in what it came to (`tests.support.kept.first_step`).

        `key` names the act with all that it hangs on but the time. What it returns comes as a copy of its own.
        """

        def does() -> tuple[Made, datetime]:
            return act(), self.at

        result, self.at = first_step((*key, self.at), does)
        return result

    def seat(
        self, nickname: str, seat: int, *, number: int = 1, chips: int = 200_00, post: bool = False, **more: Any
    ) -> Seating:
        answer = self.tap(
            seat_player,
            table_id=self.table_id(number),
            seat_number=seat,
            player_id=self.player(nickname).pk,
            chips_cents=chips,
            entry="posts" if post else "waits",
            **more,
        )
        return Seating.objects.get(id=answer.data["seating"])

    def logged(self, *pots: int, winners: tuple[int, ...] = (1,), **more: Any) -> LoggedHand:
        return LoggedHand(hand_id=uuid.uuid4(), winners=(winners,), pots=pots, **more)

    def deal(self, number: int = 1, **more: Any) -> LoggedHand:
        hand = self.logged(**more)
        self.tap(deal_hand, self.cast.anna, table_id=self.table_id(number), hand=hand)
        return hand

    def settle(self, *pots: int, number: int = 1, by: Staff | None = None, **more: Any) -> Hand:
        """Log a hand whole: `settle(86_00, winners=(2,))`; without a pot it was won in the initial deal."""
        hand = self.logged(*pots, **more)
        self.tap(settle_hand, by or self.cast.anna, table_id=self.table_id(number), hand=hand)
        return Hand.objects.get(table=self.table(number), hand_id=hand.hand_id)

    def positions(self, number: int = 1) -> tuple[int, int | None, int]:
        """Return where the next hand has its button, its small blind and its big blind."""
        table = self.table(number)
        assert table.opening is not None
        hand = next_hand_at(table.opening, seated(table.pk))
        assert hand is not None
        return hand.button, hand.small_blind, hand.big_blind

    def figures(self, number: int = 1) -> dict[str, int]:
        return table_figures(self.table_id(number))

    def boxes(self, number: int = 1) -> dict[str, tuple[int, int]]:
        """Return what the log has put into a table's boxes by charge, and what lies there beyond it, in cents."""
        figures = self.figures(number)
        left = BoxDifference.objects.filter(table_id=self.table_id(number)).values_list("kind").annotate(Sum("cents"))
        beyond = dict(left)
        return {kind.code: (figures.get(kind.box, 0), beyond.get(kind.code, 0)) for kind in charge_kinds()}


@kept
def make_house(*, book: str = "helsinki") -> House:
    cast = make_cast(with_secrets=True, book=book)
    (drawer_id,) = house_opening(by=actor(cast.mari), at=TONIGHT)
    house = House(cast=cast, drawer_id=drawer_id)
    for number in (1, 2):
        house.tap(add_table, cast.mari, number=number)
    house.tap(offer_games, cast.mari)
    return house


@pytest.fixture
def house(db: None, request: pytest.FixtureRequest) -> House:
    """Return a room with an open day, in the test's own transaction: by Helsinki's book, or by the one given."""
    return make_house(book=getattr(request, "param", "helsinki"))
