"""
Putting a log right: the dealer's undo, and the floor's corrections of any hand of the open day.

Everything here is by reversal. An undo changes the log, not the box: what was dropped lies there, and
the difference is expected at that table's count.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast
from uuid import UUID

from django.db.models import Q, prefetch_related_objects

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.ledger.services import reverse
from casino.rooms.models import GamingDay
from casino.rows import Change, Update, insert, read, read_joined, write
from tables.about import of_hand
from tables.charges import charge_codes
from tables.errors import (
    HandAlreadySupplied,
    HandBeforeChange,
    HandNotOpenToCorrection,
    NothingToUndo,
    NotYourHand,
)
from tables.models import Game, Hand, Opening, Table, ToDo
from tables.rules.dealing import DealtIn, dealt_in_really
from tables.rules.in_turn import InTurn
from tables.rules.logged import LoggedHand, Played, check_readable, positions_played
from tables.rules.reasons import CORRECTION_REASONS, NEVER_DROPPED, VOID_REASONS
from tables.rules.settling import SettledHand, settlement_of, supplied
from tables.selectors.continued import openings_before
from tables.selectors.next_hand import seated_at
from tables.services.blinds import take_back
from tables.services.boxes import left_in_boxes
from tables.services.dealing import seats_of
from tables.services.next_hand import give_number_back
from tables.services.settling import apply_settlement, counts_from, data_of_charges, data_of_hand
from tables.services.state import done, lock_day_and_table, lock_table, nothing_left_to_judge

_HAND = """FROM tables_hand JOIN tables_opening ON tables_opening.id = tables_hand.opening_id
    JOIN tables_game ON tables_game.id = tables_opening.game_id
    WHERE tables_hand.table_id = %s AND tables_hand.id = %s"""


@service("tables.undo_hand")
def undo_hand(command: Command, *, table_id: int, hand_id: UUID) -> Outcome:
    """
    Take back the table's newest hand: button, blinds and newcomers as they were before it.

    It is named by the id that its tablet made: a number is given again, and a tablet that was away would undo
    another hand than the one its dealer saw. For the dealer who logged it, or who said that it was not logged,
    until the next Deal. Postings are reversed; the box keeps what it got.

    :raises NothingToUndo: the next hand has begun, or there is no such hand.
    :raises HandBeforeChange: it is the newest one, and the table went on otherwise since (`Opening.continues`).
    :raises NotYourHand: another dealer logged it.
    """
    day, table = lock_day_and_table(command, table_id)
    standing = [Hand.Status.SETTLED.value, Hand.Status.NOT_LOGGED.value]
    rows = read(Hand, "WHERE table_id = %s AND hand_id = %s AND status = ANY (%s)", table.pk, hand_id, standing)
    row = rows[0] if rows else None
    if row is None or table.hand is not None or (kept := row.in_turn) is None:
        raise NothingToUndo
    # The next hand was dealt, even if it has been undone or was void. What came late is no next hand; what was caught
    # up from paper is.
    in_turn = Q(id__gt=row.pk) & ~Hand.MOVES_NOTHING | Q(id__gte=row.pk, from_sheet__isnull=False)
    if Hand.objects.filter(in_turn, table=table, corrects=None).exists():
        raise NothingToUndo
    if row.opening_id != table.opening_id:
        before = openings_before(table.opening) if table.opening else []
        went_on = row.opening_id in {each.pk for each in before}
        raise HandBeforeChange if went_on else NothingToUndo
    if row.dealer_id != command.by.staff_id:
        raise NotYourHand
    changes = _taken_back(row, day=day, table=table, command=command, reason="undo", status=Hand.Status.UNDONE)
    changes += _restored(kept, table)
    give_number_back(row, table)
    return done(table, data=data_of_hand(row), changes=changes)


@service("tables.void_settled_hand")
def void_settled_hand(command: Command, *, table_id: int, hand_row_id: int, reason: str) -> Outcome:
    """
    Void a hand of the open day after it was settled; later hands and the button stay as they are.

    `reason` is one of `VOID_REASONS`.

    :raises HandNotOpenToCorrection: it was replaced already, or its day is closed.
    :raises Malformed: the reason is unknown.
    """
    _check_reason(reason, VOID_REASONS)
    day, table, row = _open_to_correction(command, table_id, hand_row_id)
    changes = _taken_back(row, day=day, table=table, command=command, reason=reason, status=Hand.Status.VOID)
    data = {**data_of_hand(row), "reason": reason}
    return done(table, data=data, changes=changes)


@service("tables.correct_hand")
def correct_hand(command: Command, *, table_id: int, hand_row_id: int, hand: LoggedHand, reason: str) -> Outcome:
    """
    Replace a hand of the open day by what really happened; later hands stay untouched.

    What is due is computed anew; what was taken stays what lies in the boxes, unless the correction says that
    something else lies there (`hand.taken`). Positions and who was dealt in stay where
    it does not say otherwise. `hand.hand_id` is the new row's own; `reason` is one of `CORRECTION_REASONS`.

    :raises HandNotOpenToCorrection: it was replaced already, or its day is closed.
    :raises Malformed: no winner is named, the new id is another hand's, or the reason is unknown.
    :raises WinnersOfEachPot, WinnerNamedTwice, NoSuchSeat: as `check_readable`.
    """
    day, table, old = _open_to_correction(command, table_id, hand_row_id)
    check_readable(hand, seats=old.opening.game.seats)
    _check_reason(reason, CORRECTION_REASONS)
    if Hand.objects.filter(table=table, hand_id=hand.hand_id).exists():
        raise Malformed(field="hand_id")
    corrected = _decide(old, hand, at=old.settled_at or command.tapped_at)
    _reverse_postings(old, day=day, command=command)
    new = _replaced(old, corrected, command=command, reason=reason)
    changes = apply_settlement(new, corrected.settled, day=day, table=table, command=command)
    nothing_left_to_judge(old.pk, table_id=old.table_id, command=command)
    data = {
        **data_of_hand(new),
        "corrects": str(old.hand_id),
        "reason": reason,
        **data_of_charges(corrected.settled.settlement),
    }
    changes += seats_of(new, corrected.dealt_in)
    return done(table, data=data, changes=changes)


@dataclass(frozen=True)
class _Corrected:
    """A hand as it really was: its id, where it was played, who was dealt in, and how it ended."""

    hand_id: UUID
    played: Played
    dealt_in: tuple[DealtIn, ...]
    settled: SettledHand


def _decide(old: Hand, hand: LoggedHand, *, at: datetime) -> _Corrected:
    """
    Return all that follows from what really happened and the hand as it stood; `at` is when it counts as settled.
    Nothing is written.
    """
    terms = old.opening.terms
    if hand.is_without_flop and not terms.is_every_pot_typed:
        # Nothing is due of it, so nobody counts it (H1.90).
        hand = replace(hand, pots=())
    # What lies in the boxes stays what it was, where the correction does not say otherwise.
    hand = replace(hand, taken={**{kind: old.taken(kind) for kind in charge_codes()}, **hand.taken})
    played = positions_played(hand, Played(old.button_seat, old.small_blind_seat, old.big_blind_seat, ()))
    dealt_in = dealt_in_really(_dealt_in(old), named=hand.dealt_in, seated=_sat_there(old) if hand.dealt_in else {})
    kinds = charge_codes()
    settlement = settlement_of(hand, participants=len(dealt_in), policies=old.charges_due, kinds=kinds)
    beyond_at = old.beyond_initial_deal_at if hand.is_beyond_initial_deal else None
    settled = SettledHand.logged(hand, settlement, at=at, beyond_initial_deal_at=beyond_at)
    return _Corrected(hand.hand_id, played, dealt_in, settled)


def _replaced(old: Hand, corrected: _Corrected, *, command: Command, reason: str) -> Hand:
    """End a hand as corrected, and return the new row that stands in its place."""
    # A copy of its own: `old` is stored below as what was corrected.
    new = Hand.objects.get(pk=old.pk)
    new.pk, new.hand_id, new.corrects, new.transfer_id, new.again_of = None, corrected.hand_id, old, None, None
    new.opening, played = old.opening, corrected.played
    new.button_seat, new.small_blind_seat, new.big_blind_seat = played.button, played.small_blind, played.big_blind
    old.status, old.reason = Hand.Status.CORRECTED, reason
    old.ended_at, old.ended_by_id = command.at, command.by.staff_id
    # Its number is free only then.
    write(Update(old))
    insert(new)
    return new


@service("tables.supply_hand")
def supply_hand(
    command: Command,
    *,
    table_id: int,
    hand_row_id: int,
    taken: dict[str, int],
    pot_cents: int | None = None,
) -> Outcome:
    """
    Supply what was charged of a hand that was not logged, from what was dropped into the boxes.

    `taken` is in cents, by kind of charge.

    :raises NotFound: there is no such hand at this table.
    :raises HandAlreadySupplied: it has been supplied.
    """
    day, table = lock_day_and_table(command, table_id)
    row = _hand_at(table, hand_row_id)
    if row.status != Hand.Status.NOT_LOGGED:
        raise HandAlreadySupplied(hand_number=row.number)
    settlement = supplied(taken, charge_codes())
    settled = SettledHand.supplied(
        settlement,
        at=counts_from(row, command.tapped_at, day),
        beyond_initial_deal_at=row.beyond_initial_deal_at,
        pot_cents=pot_cents,
    )
    changes = apply_settlement(row, settled, day=day, table=table, command=command)
    nothing_left_to_judge(row.pk, table_id=row.table_id, command=command)
    data = {**data_of_hand(row), **data_of_charges(settlement)}
    return done(table, data=data, changes=changes)


@service("tables.judge")
def judge(command: Command, *, table_id: int, todo_id: int) -> Outcome:
    """
    Take something off the floor's to-do, having looked at it.

    :raises NotFound: it is not there, or was judged by somebody else.
    """
    table = lock_table(command, table_id)
    judged = ToDo.objects.filter(id=todo_id, table=table, done_at=None).update(
        done_at=command.at, done_by_id=command.by.staff_id
    )
    if not judged:
        raise NotFound(what="todo")
    return done(table, data={"todo": todo_id})


def _open_to_correction(command: Command, table_id: int, hand_row_id: int) -> tuple[GamingDay, Table, Hand]:
    day, table = lock_day_and_table(command, table_id)
    row = _hand_at(table, hand_row_id)
    # What was taken and due is asked of it kind by kind, and each would be a query.
    prefetch_related_objects([row], "charges")
    if row.status != Hand.Status.SETTLED or row.day_id != day.pk:
        raise HandNotOpenToCorrection(hand_number=row.number)
    return day, table, row


def _hand_at(table: Table, hand_row_id: int) -> Hand:
    """Return a hand of the locked table with its game. One query. :raises NotFound: there is none."""
    for row, opening, game in read_joined((Hand, Opening, Game), _HAND, table.pk, hand_row_id):
        row.opening, opening.game = opening, game
        return cast(Hand, row)
    raise NotFound(what="hand")


def _taken_back(
    row: Hand, *, day: GamingDay, table: Table, command: Command, reason: str, status: Hand.Status
) -> list[Change]:
    """Reverse what was posted, and end the hand; return what of it is still to be stored."""
    _reverse_postings(row, day=day, command=command)
    row.status, row.reason = status, reason
    row.ended_at, row.ended_by_id = command.at, command.by.staff_id
    nothing_left_to_judge(row.pk, table_id=row.table_id, command=command)
    changes: list[Change] = [Update(row)]
    if reason not in NEVER_DROPPED:
        changes += left_in_boxes(row, table, reason=reason, at=command.at)
    return changes


def _reverse_postings(row: Hand, *, day: GamingDay, command: Command) -> None:
    if row.transfer_id is None:
        return
    reverse(
        room_id=row.room_id,
        day_id=day.pk,
        transfer_id=row.transfer_id,
        key=f"hand.{row.pk}.reversed",
        made_by_id=command.by.staff_id,
        at=command.at,
        about=of_hand(row),
    )


def _restored(kept: InTurn, table: Table) -> list[Change]:
    """
    Give back what the hand changed: the hand before, the button as it was said, entries and markers.

    Returns what of it is still to be stored.
    """
    opening = table.opening
    assert opening is not None, "an open table's newest hand belongs to its opening"
    opening.last, opening.button_here = kept.last, kept.button_here
    take_back(kept)
    return [Update(opening)]


def _dealt_in(row: Hand) -> dict[int, DealtIn]:
    """Return who was dealt into a hand, by seat. One query."""
    return {
        seat.seat_number: DealtIn(seat.seat_number, seat.player_id, seat.post, seat.live_cents, seat.dead_cents)
        for seat in row.seats.all()
    }


def _sat_there(row: Hand) -> dict[int, int]:
    """Return who sat at the table when a hand was dealt: player ids by seat. One query."""
    moment = row.dealt_at or row.opening.opened_at
    return {seating.seat_number: seating.player_id for seating in seated_at(row.table_id, moment)}


def _check_reason(reason: str, known: frozenset[str]) -> None:
    """:raises Malformed: the reason is none of the codes; free text about people stays out of the log."""
    if reason not in known:
        raise Malformed(field="reason")
