"""What every service at a table begins and ends with: the lock, the place, the outcome."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, cast

from django.db.models import QuerySet

from casino.commands.carrying_out import Command, Outcome
from casino.errors import NotFound, NotPermitted, Stale
from casino.people.models import Player
from casino.rooms.errors import NoOpenDay, WaitsForDay
from casino.rooms.models import GamingDay, Place
from casino.rooms.selectors import lock_open_day
from casino.rows import Change, Update, read, read_joined, relate, text_made_once, write
from tables.audiences import of_table
from tables.errors import SeatEmpty, TableClosed
from tables.errors_moves import TableCloses
from tables.models import Game, Hand, Opening, Seating, Table, ToDo, at_seats

# The day's lock comes first, as everywhere: PostgreSQL takes them in the order in which they are named.
_TODAY = """FROM rooms_gamingday CROSS JOIN tables_table
    WHERE rooms_gamingday.room_id = %s AND rooms_gamingday.closed_at IS NULL
    AND tables_table.id = %s AND tables_table.room_id = %s
    FOR SHARE OF rooms_gamingday FOR NO KEY UPDATE OF tables_table"""
_RUNS = """FROM tables_opening JOIN tables_game ON tables_game.id = tables_opening.game_id
    LEFT JOIN tables_hand ON tables_hand.id = %s WHERE tables_opening.id = %s"""
_SITS = """FROM tables_seating JOIN people_player ON people_player.id = tables_seating.player_id
    WHERE tables_seating.id = %s AND tables_seating.table_id = %s AND tables_seating.left_at IS NULL"""


def lock_day_and_table(command: Command, table_id: int) -> tuple[GamingDay, Table]:
    """
    Keep the open day open and lock the table, as `lock_open_day` and `lock_table` do one after the other. Two queries
    at most, unless it is refused.

    :raises NoOpenDay: no day is open, or it was closed while this waited for it.
    :raises Refusal: as `lock_table`.
    """
    for day, table in read_joined((GamingDay, Table), _TODAY, command.room_id, table_id, command.room_id):
        return day, _with_what_it_runs(command, table)
    # A table that is there may be locked by now: who waited for the next day with it would be one of a ring.
    if not Table.objects.filter(id=table_id, room_id=command.room_id).exists():
        lock_open_day(command.room_id)
        raise NotFound(what="table")
    raise NoOpenDay


def lock_day_and_table_for_fact(command: Command, table_id: int) -> tuple[GamingDay, Table]:
    """
    As `lock_day_and_table`, for what has already happened.

    :raises WaitsForDay: no day is open; the tablet keeps the fact and sends it again.
    :raises Refusal: as `lock_table`.
    """
    try:
        return lock_day_and_table(command, table_id)
    except NoOpenDay:
        raise WaitsForDay from None


def lock_table(command: Command, table_id: int) -> Table:
    """
    Lock the table's row, which owns every decision at the table, and check the tablet's place. Two queries.

    :raises NotFound: there is no such table in the actor's room.
    :raises NotPermitted: the tablet stands at another table.
    """
    return _with_what_it_runs(command, _lock_row(command, table_id))


def lock_table_and(command: Command, table_id: int, other_ids: Collection[int]) -> tuple[Table, dict[int, Table]]:
    """
    Lock a table as `lock_table` does, and the rows of others of the room, wherever the tablet stands, all by id; return
    it, and the others by their ids. Two queries, and one for each of the others.

    :raises Refusal: as `lock_table`. :raises NotFound: the room has no such table.
    """
    others: dict[int, Table] = {}
    for each in sorted({table_id, *other_ids}):
        if each == table_id:
            table = lock_table(command, table_id)
        else:
            others[each] = _lock_row(command, each)
    return table, others


def _lock_row(command: Command, table_id: int) -> Table:
    # NO KEY: others add rows meanwhile that name the table. Their foreign keys would wait for a plain FOR UPDATE, some
    # of them in a ring.
    for table in read(Table, "WHERE id = %s AND room_id = %s FOR NO KEY UPDATE", table_id, command.room_id):
        return table
    raise NotFound(what="table")


def _with_what_it_runs(command: Command, table: Table) -> Table:
    # Read only once it is locked: a query that waits brings its joined rows (the opening, the hand in progress) as they
    # were before the wait, and the hand just settled there would be dealt once more.
    if table.opening_id is not None:
        ((opening, game, hand),) = read_joined((Opening, Game, Hand), _RUNS, table.hand_id, table.opening_id)
        relate(opening, game=game)
        relate(table, opening=opening, hand=hand)
    place = command.by.place
    if place is not None and place[0] == Place.Kind.TABLE and place[1] != table.number:
        raise NotPermitted
    return table


def sitting(table: Table) -> list[Seating]:
    """Return who plays at the locked table, by seat. One query."""
    return at_seats(read(Seating, "WHERE table_id = %s AND left_at IS NULL ORDER BY seat_number", table.pk))


def opening_of(table: Table) -> Opening:
    """
    Return what the table runs now.

    :raises TableClosed: it runs nothing.
    """
    if table.opening is None:
        raise TableClosed(table_number=table.number)
    return table.opening


def open_to_newcomers(table: Table) -> Opening:
    """
    Return what the table runs, where somebody who does not sit there yet may sit down.

    :raises TableClosed: it runs nothing.
    :raises TableCloses: its last orbit is announced (H2.22).
    """
    opening = opening_of(table)
    if opening.is_closing:
        raise TableCloses(table_number=table.number)
    return opening


def seating_of(table: Table, seating_id: int, *, version: int | None = None) -> Seating:
    """
    Return a seating at the table that has not ended.

    :raises SeatEmpty: the player has left, or never sat there.
    :raises Stale: the seat has changed since the screen showed `version`.
    """
    # At this table: who has moved on from here meanwhile sits at one that is not locked.
    found = read_joined((Seating, Player), _SITS, seating_id, table.pk)
    if not found:
        raise SeatEmpty
    seating = cast(Seating, found[0][0])
    relate(seating, player=found[0][1])
    if version is not None and seating.version != version:
        raise Stale(what="seat", seat_number=seating.seat_number, version=seating.version)
    return seating


def save_seating(seating: Seating) -> None:
    """Store what has changed of a seating, with a new version."""
    seating.version += 1
    seating.save_changed()


def newest_hand_id(table_id: int) -> int | None:
    """Return the id of a table's newest hand, None before the first. One query."""
    return next((hand_id for (hand_id,) in _newest_hand(table_id)), None)


@text_made_once
def _newest_hand(table_id: int) -> QuerySet[Any, Any]:
    return Hand.objects.filter(table=table_id).order_by("-id").values_list("id")[:1]


def stand_up(seating: Seating, *, at: datetime, after_hand_id: int | None) -> None:
    """End a sitting, which takes its wish for another seat along; `after_hand_id` is the table's newest hand."""
    # The clock may have been set back since they sat down, and the database takes no sitting that ends before it began.
    seating.left_at, seating.left_after_hand_id = max(at, seating.sat_down_at), after_hand_id
    seating.change_wished_at = seating.change_to = None
    save_seating(seating)


def done(
    table: Table, *, data: dict[str, Any], audiences: tuple[str, ...] = (), changes: Sequence[Change] = ()
) -> Outcome:
    """
    Store what has changed of the table with a new version, and say what became of the command.

    `changes` is what else the command has changed: one statement for all of it.
    """
    table.version += 1
    write(*changes, Update(table))
    return Outcome(
        chain=table.chain,
        data={"table": table.number, **data},
        version=table.version,
        audiences=(*of_table(table), *audiences),
        rule_book_version_id=table.opening.rule_book_version_id if table.opening else None,
    )


def leave_to_the_floor(table: Table, kind: ToDo.Kind, *, at: datetime, data: dict[str, Any]) -> ToDo:
    """Put something on the floor's to-do that a fact left open."""
    return ToDo.objects.create(room_id=table.room_id, table=table, kind=kind, data=data, raised_at=at)


def nothing_left_to_judge(hand_row_id: int, *, table_id: int, command: Command) -> None:
    """Take what this hand left off the floor's to-do: it was supplied, taken back, corrected or logged again since."""
    ToDo.objects.filter(table_id=table_id, done_at=None, data__hand_row=hand_row_id).update(
        done_at=command.at, done_by_id=command.by.staff_id
    )
