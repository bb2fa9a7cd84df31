"""What a hand that is over leaves to the next one: button, blinds, who is in them, and its number."""

from datetime import datetime

from casino.poker.positions import LastHand
from casino.rows import Change, Update, read, write
from tables.models import Hand, HandSeat, Opening, Table, ToDo
from tables.services.blinds import come_in
from tables.services.state import leave_to_the_floor


def moved_on(row: Hand, last: LastHand | None, *, table: Table, opening: Opening, at: datetime) -> list[Change]:
    """
    Carry button, blinds and newcomers over to the next hand, unless this one came too late for that.

    `last` is the hand as the next one follows from it, `at` when it was over. Returns what of it is still to be stored;
    the table's own row is the caller's.
    """
    if table.hand_id == row.pk:
        table.hand = None
    if (kept := row.in_turn) is None:
        return []
    paid_for = come_in(row, kept, at=at)
    opening.hand_before = last.as_if_posted_by(paid_for) if last else None
    # The dealer's word was for the hand that is over. Kept, it would hold the button there for good.
    opening.button_here = None
    return [Update(opening)]


def not_logged(
    row: Hand, players: dict[int, int], *, table: Table, opening: Opening, at: datetime, kind: ToDo.Kind
) -> list[Change]:
    """
    End a hand without its pot: button and blinds move on, and the floor is asked for rake and drop.

    Returns what of it is still to be stored.
    """
    row.status = Hand.Status.NOT_LOGGED
    row.ended_at = at
    leave_to_the_floor(table, kind, at=at, data={"hand": row.number, "hand_row": row.pk})
    last = row.as_last(players, betting_button=opening.betting_button)
    return [Update(row), *moved_on(row, last, table=table, opening=opening, at=at)]


def abandoned(row: Hand, *, table: Table, opening: Opening, at: datetime) -> None:
    """End a hand that was dealt and never settled, before another is dealt: the felt went on without the log."""
    write(*not_logged(row, players_of(row), table=table, opening=opening, at=at, kind=ToDo.Kind.HAND_ABANDONED))


def give_number_back(row: Hand, table: Table) -> None:
    """Let the next hand have the number of one that no longer counts, unless a later number is taken."""
    if table.hand_number == row.number:
        table.hand_number = row.number - 1


def players_of(row: Hand) -> dict[int, int]:
    """Return who was dealt in: player ids by seat."""
    return {seat.seat_number: seat.player_id for seat in read(HandSeat, "WHERE hand_id = %s", row.pk)}
