"""A hand as it was dealt: decided of one that nobody had heard of, and then stored with who was dealt in."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from casino.commands.carrying_out import Command
from casino.rows import Change, Insert, insert
from tables.models import Hand, HandSeat, Seating, Table
from tables.rules.dealing import Dealing, DealtIn, dealing_of
from tables.rules.in_turn import InTurn
from tables.rules.logged import check_seats
from tables.selectors.next_hand import next_hand_at, seated_at
from tables.services.arrival import Arrival
from tables.services.blinds import in_turn
from tables.services.next_hand import abandoned, players_of
from tables.services.state import sitting


@dataclass(frozen=True)
class Dealt:
    """
    A hand's row, and its players' ids by seat.

    Of one that nobody had heard of the row is new, and with it is still to be stored (`stored`) who was dealt in;
    `to_judge` are codes for what of it the floor has to judge.
    """

    row: Hand
    players: dict[int, int]
    dealt_in: tuple[DealtIn, ...] = ()
    to_judge: tuple[str, ...] = ()


def end_hand_before(command: Command, arrived: Arrival) -> None:
    """
    End the hand in progress, without its pot, where another one arrives that nobody has heard of.

    A unit of its own, written before the next one is decided: button, blinds and newcomers of this hand are what that
    one follows from.

    :raises NoSuchSeat: the hand that arrives names a seat that the table does not have.
    """
    if arrived.row is not None:
        return
    check_seats(arrived.hand, seats=arrived.opening.game.seats)
    table = arrived.table
    if table.hand is not None and not arrived.is_late:
        abandoned(table.hand, table=table, opening=arrived.opening, at=command.at)


def as_dealt(command: Command, arrived: Arrival) -> Dealt:
    """
    Return a hand as it was dealt, decided by the table as it was if nobody has heard of it. Nothing is written: what is
    new of it `stored` writes. The hand before is over by then (`end_hand_before`).
    """
    if arrived.row is not None:
        return Dealt(arrived.row, players_of(arrived.row))
    table, opening = arrived.table, arrived.opening
    assert arrived.is_late or table.hand is None, "the hand before is ended first"
    seatings = _sat_there(arrived, now=command.at)
    dealing = dealing_of(
        arrived.hand,
        seated={seating.seat_number: seating.player_id for seating in seatings},
        expected=None if arrived.is_late else next_hand_at(opening, seatings),
        blinds=opening.terms.blinds,
        is_table_held=bool(table.held_for) and not arrived.is_late,
    )
    placed = None if arrived.is_late else dealing.played.positions
    kept = in_turn(opening, seatings, placed, at=command.at) if placed else None
    row = _row(command, dealing, kept, arrived)
    return Dealt(row, dealing.players, dealing.dealt_in, dealing.to_judge)


def _row(command: Command, dealing: Dealing, kept: InTurn | None, arrived: Arrival) -> Hand:
    """Return the row of a new hand under the table's next number, not yet stored."""
    table, opening, again_of = arrived.table, arrived.opening, arrived.again_of
    return Hand(
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
        before=kept.kept() if kept else {},
        free_of=opening.free_of(arrived.played_at) if again_of is None else again_of.free_of,
    )


def stored(dealt: Dealt, table: Table) -> list[Change]:
    """
    Store the row of a hand that is new, so that what else is written can name it; return what is still to be stored.

    One statement, none for a hand that was dealt before.
    """
    row = dealt.row
    if row.pk is not None:
        return []
    insert(row)
    table.hand_number = row.number
    return seats_of(row, dealt.dealt_in)


def seats_of(row: Hand, dealt_in: Sequence[DealtIn]) -> list[Change]:
    """Return what stores who was dealt into a hand; nothing where nobody was."""
    seats = [HandSeat(room_id=row.room_id, hand_id=row.pk, **vars(each)) for each in dealt_in]
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
