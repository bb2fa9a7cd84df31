"""A room with an open day and the accounts of a few places, for tests that post straight to the ledger."""

import datetime
from dataclasses import dataclass
from datetime import UTC
from typing import Any
from uuid import uuid4

from casino.audit.services import append
from casino.cage.chart import of_drawer
from casino.ledger.chart import PostingLine, of_house
from casino.ledger.services import open_accounts, post
from casino.rooms.models import GamingDay, Room

AT = datetime.datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
DRAWER, TABLE, PLAYER = 1, 4, 7


@dataclass
class LedgerRoom:
    """The room, its day, and `move`, which posts with a key of its own."""

    room: Room
    day: GamingDay
    moves: int = 0

    def move(self, *lines: PostingLine, key: str = "", kind: str = "test", **more: Any) -> int:
        self.moves += 1
        return post(
            room_id=self.room.pk,
            day_id=self.day.pk,
            kind=kind,
            lines=lines,
            key=key or f"test.{self.moves}",
            made_by_id=1,
            at=AT,
            **more,
        )

    def buy_chips(self, cents: int, **more: Any) -> int:
        """Move cents of chips from the drawer into players' hands, and cash the other way."""
        return self.move(
            of_drawer(DRAWER, "cash", cents),
            of_drawer(DRAWER, "outside", -cents),
            of_drawer(DRAWER, "chips", -cents),
            of_drawer(DRAWER, "hands", cents),
            **more,
        )

    def put_on_deposit(self, cents: int) -> int:
        """Put cents of cash on the player's deposit (negative: take them off)."""
        return self.move(
            of_drawer(DRAWER, "cash", cents),
            of_drawer(DRAWER, "outside", -cents),
            PostingLine("player", PLAYER, "deposit", cents),
            of_drawer(DRAWER, "deposits_held", -cents),
        )


def open_ledger() -> LedgerRoom:
    """Make a room with an open day; drawer 1 holds 5 000 € in cash and 20 000 € in chips."""
    room = Room.objects.create(slug="test", name="Test room")
    day = GamingDay.objects.create(room=room, date=AT.date(), opened_at=AT, opened_by_id=1)
    for owner in (("house", room.pk), ("drawer", DRAWER), ("table", TABLE), ("player", PLAYER)):
        open_accounts(room, *owner)
    # Tests post without a command. To the log these are transfers of a version of before, which named none: a command
    # was carried out at that moment.
    append(
        room_id=room.pk, chain="vault", name="test.post", result="done", command_id=uuid4(), staff_id=1, device_id=None,
        at=AT, audiences=(), content={},
    )  # fmt: skip
    ledger = LedgerRoom(room, day)
    ledger.move(
        of_house(room.pk, "house_money", -500_000),
        of_drawer(DRAWER, "cash", 500_000),
        of_house(room.pk, "chips_issued", -2_000_000),
        of_drawer(DRAWER, "chips", 2_000_000),
    )
    return ledger
