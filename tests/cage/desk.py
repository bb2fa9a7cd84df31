"""An open cage with the cast around it."""

import uuid
from dataclasses import dataclass, field
from typing import Any

from casino.cage import deliveries
from casino.cage.about import AtSeat
from casino.cage.demo import house_opening
from casino.cage.models import Slip
from casino.commands.carrying_out import Command
from casino.errors import Refusal
from casino.ledger.chart import PostingLine
from casino.ledger.services import open_accounts
from casino.people.models import Player, Staff
from casino.people.services import check_identity
from casino.rooms.selectors import rule_book_in_force
from casino.rulebooks.schema import Cage
from tables.chart import of_table
from tests.cage.counting import signed
from tests.cast import TONIGHT, Cast, actor, command, make_cast
from tests.support.kept import kept

FLOAT_CASH, FLOAT_CHIPS = 500_000, 2_000_000


@dataclass
class CageDesk:
    """The room of the cast on an open day, with open drawers."""

    cast: Cast
    drawers: list[int]

    @property
    def drawer_id(self) -> int:
        return self.drawers[0]

    @property
    def lee(self) -> Player:
        return self.cast.players["Lee"]

    @property
    def carla(self) -> Staff:
        return self.cast.carla

    @property
    def limits(self) -> Cage:
        """What the house's book says of its cage."""
        return limits_of(self.cast.room.pk)

    def know(self, player: Player) -> Player:
        """Have Carla see a document of a player, as the house wants it from its sum on."""
        seen = {"full_name": "Lee Virtanen", "document": "passport", "number": "XP1234567"}
        check_identity(command(self.carla), player_id=player.pk, **seen)
        return player

    def signed(self, by: Staff, second: Staff, *, needs: str, signs: str) -> Command:
        """Return a command of `by` that `second` has signed with their own PIN."""
        return signed(by, second, signs, needs=needs)


def limits_of(room_id: int) -> Cage:
    """Return what the book of a room says of its cage."""
    return rule_book_in_force(room_id, at=TONIGHT)[1].cage


def identity_from(room_id: int) -> int:
    """Return from which sum on, in cents, it asks for a document."""
    return limits_of(room_id).identity_from_cents


@kept
def open_desk(
    *, drawers: int = 1, book: str = "helsinki", float_cash: int = FLOAT_CASH, float_chips: int = FLOAT_CHIPS
) -> CageDesk:
    """Open the day, the vault and the drawers in the cast's room; the vault holds ten drawers' floats."""
    cast = make_cast(with_secrets=True, book=book)
    ids = house_opening(
        by=actor(cast.mari),
        at=TONIGHT,
        drawers=drawers,
        vault_cash_cents=10 * float_cash,
        vault_chips_cents=10 * float_chips,
        float_cash_cents=float_cash,
        float_chips_cents=float_chips,
    )
    return CageDesk(cast, ids)


SEAT = AtSeat(table=4, table_number=4, seating=9, seat_number=3)


@dataclass
class FakeSeat(deliveries.Destination):
    """A seat at table 4, as `tables` would register one; `refuses` is what its rules say."""

    refuses: Refusal | None = None
    calls: list[str] = field(default_factory=list)

    def lock(self, slip: Slip) -> None:
        self.calls.append("lock")

    def check(self, slip: Slip, *, at: Any) -> None:
        self.calls.append("check")
        if self.refuses:
            raise self.refuses

    def line(self, slip: Slip) -> PostingLine:
        return of_table(4, "in_play", slip.amount_cents)

    def delivered(self, slip: Slip, command: Command) -> None:
        assert None not in (slip.pk, slip.transfer_id)
        self.calls.append("delivered")

    def taken_back(self, slip: Slip, command: Command) -> None:
        self.calls.append("taken back")
        if self.refuses:
            raise self.refuses

    def audiences(self, slip: Slip) -> tuple[str, ...]:
        return ("table.4.dealer",)

    def label(self, slip: Slip) -> str:
        return "Table 4 seat 3"


def with_seat(desk: CageDesk, monkeypatch: Any) -> FakeSeat:
    """Register a fake seat at table 4 for one test."""
    seat = FakeSeat()
    monkeypatch.setitem(deliveries._destinations, "seat", seat)
    open_accounts(desk.cast.room, "table", 4)
    return seat


def new_id() -> uuid.UUID:
    return uuid.uuid4()
