"""What dealing writes: the row of a hand that nobody had heard of, and who was dealt in."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from casino.commands.carrying_out import Command
from casino.rows import Change, Insert, insert
from tables.models import Hand, HandSeat, Seating
from tables.rules.dealing import Dealing, DealtIn, dealing_of
from tables.rules.logged import check_seats
from tables.selectors.next_hand import next_hand_at, seated_at
from tables.services.arrival import Arrival
from tables.services.blinds import before
from tables.services.next_hand import abandoned, players_of
from tables.services.state import sitting


@dataclass(frozen=True)
class Dealt:
    """
    A hand's row, and its players' ids by seat.

    Of one that nobody had heard of also codes for what the floor has to judge, and its seats, which are still to be
    stored.
    """

    row: Hand
    players: dict[int, int]
    to_judge: tuple[str, ...] = ()
    seats: list[Change] = field(default_factory=list)


def as_dealt(command: Command, arrived: Arrival) -> Dealt:
    """Return a hand as it was dealt, dealt now if nobody has heard of it."""
    return Dealt(arrived.row, players_of(arrived.row)) if arrived.row else deal(command, arrived)


def deal(command: Command, arrived: Arrival) -> Dealt:
    """
    Make the row of a hand that nobody has heard of; the one in progress ends without its pot.

    :raises NoSuchSeat: it names a seat that the table does not have.
    """
    table, opening = arrived.table, arrived.opening
    check_seats(arrived.hand, seats=opening.game.seats)
    if table.hand is not None and not arrived.is_late:
        abandoned(table.hand, table=table, opening=opening, at=command.at)
    return _apply(command, _decide(arrived, now=command.at), arrived)


@dataclass(frozen=True)
class _Decided:
    """A hand as it was dealt, and what it makes of its players' blinds: nothing where it moves nothing."""

    dealing: Dealing
    before: dict[str, Any]


def _decide(arrived: Arrival, *, now: datetime) -> _Decided:
    """Return all that follows from a hand as it was dealt and who sat there. Nothing is written."""
    table, opening, is_late = arrived.table, arrived.opening, arrived.is_late
    seatings = _sat_there(arrived, now=now)
    dealing = dealing_of(
        arrived.hand,
        seated={seating.seat_number: seating.player_id for seating in seatings},
        expected=None if is_late else next_hand_at(opening, seatings),
        blinds=opening.terms.blinds,
        is_table_held=bool(table.held_for) and not is_late,
    )
    placed = None if is_late else dealing.played.positions
    return _Decided(dealing, before(opening, seatings, placed, at=now) if placed else {})


def _apply(command: Command, decided: _Decided, arrived: Arrival) -> Dealt:
    """Store the hand's row under the table's next number; return what else is to be stored."""
    table, opening, dealing = arrived.table, arrived.opening, decided.dealing
    row = Hand(
        room_id=table.room_id,
        table=table,
        opening=opening,
        day=arrived.day,
        number=table.hand_number + 1,
        hand_id=arrived.hand.hand_id,
        # One hand is in progress at a table: what comes late no longer is.
        status=Hand.Status.NOT_LOGGED if arrived.is_late else Hand.Status.DEALT,
        dealer_id=command.by.staff_id,
        rule_book_version_id=opening.rule_book_version_id,
        dealt_at=arrived.played_at,
        button_seat=dealing.played.button,
        small_blind_seat=dealing.played.small_blind,
        big_blind_seat=dealing.played.big_blind,
        before=decided.before,
    )
    again_of = arrived.again_of
    row.free_of = opening.free_of(arrived.played_at) if again_of is None else again_of.free_of
    insert(row)
    table.hand_number = row.number
    return Dealt(row, dealing.players, dealing.to_judge, seats=seats_of(row, dealing.dealt_in))


def seats_of(row: Hand, dealt_in: Sequence[DealtIn]) -> list[Change]:
    """Return what stores who was dealt into a hand; nothing where nobody was."""
    seats = [HandSeat(room_id=row.room_id, hand=row, **asdict(each)) for each in dealt_in]
    return [Insert(seats)] if seats else []


def _sat_there(arrived: Arrival, *, now: datetime) -> list[Seating]:
    """Return who sat at the table when the hand was dealt, by seat."""
    table, opening, at = arrived.table, arrived.opening, arrived.played_at
    if not arrived.is_late:
        return sitting(table)
    if opening.ran_at(at):
        return seated_at(table.pk, at)
    # The clock that says so was wrong: whoever sat there last while the game ran.
    return seated_at(table.pk, opening.closed_at or now, since=opening.opened_at)
