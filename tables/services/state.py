"""What every service at a table begins and ends with: the lock, the place, the outcome."""

from datetime import datetime
from typing import Any

from casino.commands.frame import Command, Outcome
from casino.errors import NotFound, NotPermitted, Stale
from casino.rooms.models import Place
from tables.audiences import of_table
from tables.errors import SeatEmpty, TableClosed
from tables.models import Hand, Opening, Seating, Table, ToDo


def lock_table(command: Command, table_id: int) -> Table:
    """
    Lock the table's row, which owns every decision at the table, and check the tablet's place. Two queries.

    :raises NotFound: there is no such table in the actor's room.
    :raises NotPermitted: the tablet stands at another table.
    """
    mine = Table.objects.filter(id=table_id, room_id=command.room_id)
    if not mine.select_for_update(no_key=True).values_list("id", flat=True):
        raise NotFound(what="table")
    # Read only once it is locked: a query that waits brings its joined rows (the opening, the hand in progress) as they
    # were before the wait, and the hand just settled there would be dealt once more.
    found = mine.select_related("opening__game", "hand").get()
    place = command.by.place
    if place is not None and place[0] == Place.Kind.TABLE and place[1] != found.number:
        raise NotPermitted
    return found


def opening_of(table: Table) -> Opening:
    """
    Return what the table runs now.

    :raises TableClosed: it runs nothing.
    """
    if table.opening is None:
        raise TableClosed(table_number=table.number)
    return table.opening


def seating_of(table: Table, seating_id: int, *, version: int | None = None) -> Seating:
    """
    Return a seating at the table that has not ended.

    :raises SeatEmpty: the player has left, or never sat there.
    :raises Stale: the seat has changed since the screen showed `version`.
    """
    seating = Seating.objects.filter(id=seating_id, table=table, left_at=None).select_related("player").first()
    if seating is None:
        raise SeatEmpty
    if version is not None and seating.version != version:
        raise Stale(what="seat", seat_number=seating.seat_number, version=seating.version)
    return seating


def save_seating(seating: Seating, *fields: str) -> None:
    """Store a seating's changed fields with a new version."""
    seating.version += 1
    seating.save(update_fields=[*fields, "version"])


def done(table: Table, *fields: str, data: dict[str, Any], audiences: tuple[str, ...] = ()) -> Outcome:
    """Store the table's changed fields with a new version, and say what became of the command."""
    table.version += 1
    table.save(update_fields=[*fields, "version"])
    return Outcome(
        chain=table.chain,
        data={"table": table.number, **data},
        version=table.version,
        audiences=(*of_table(table), *audiences),
        rule_book_version_id=table.opening.rule_book_version_id if table.opening else None,
    )


def leave_to_the_floor(table: Table, kind: ToDo.Kind, *, at: datetime, data: dict[str, Any]) -> None:
    """Put something on the floor's to-do that a fact left open."""
    ToDo.objects.create(room_id=table.room_id, table=table, kind=kind, data=data, raised_at=at)


def nothing_left_to_judge(row: Hand, command: Command) -> None:
    """Take what this hand left off the floor's to-do: it was supplied, taken back or corrected since."""
    ToDo.objects.filter(table_id=row.table_id, done_at=None, data__hand_row=row.pk).update(
        done_at=command.at, done_by_id=command.by.staff_id
    )
