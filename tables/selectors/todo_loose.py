"""What is open at the tables, besides what stands there now: read for the to-do, and for what a table's tile shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from casino.cage.models import Slip
from casino.cage.selectors.money import for_seats
from casino.people.models import Player
from casino.reading import read_once
from casino.rows import read_seldom
from tables.models import Seating, Table, ToDo


@dataclass(frozen=True)
class Loose:
    """
    What is open at the tables, besides what stands there now: rows to judge, slips that wait for a seat, stacks that
    nobody counted.
    """

    rows: Sequence[ToDo]
    slips: Sequence[Slip]
    uncounted: Sequence[Seating]


_TO_JUDGE = """FROM tables_todo JOIN tables_table ON tables_table.id = tables_todo.table_id
    WHERE tables_todo.room_id = %s AND tables_todo.done_at IS NULL
    AND (%s::bigint IS NULL OR tables_todo.table_id = %s) ORDER BY tables_todo.raised_at, tables_todo.id"""


@read_once
def loose_ends(room_id: int, *, table_id: int | None = None, day_id: int | None = None) -> Loose:
    """
    Return what is open in the room, or at one table. Three queries.

    `day_id` is whose uncounted departures count: of the open day, unless a table's own is given.
    """
    rows = []
    for todo, table in read_seldom((ToDo, Table), _TO_JUDGE, room_id, table_id, table_id):
        todo.table = table
        rows.append(todo)
    return Loose(
        rows=rows,
        slips=for_seats(room_id),
        uncounted=uncounted(room_id, table_id=table_id, day_id=day_id),
    )


_UNCOUNTED = """FROM tables_seating
    JOIN people_player ON people_player.id = tables_seating.player_id
    JOIN tables_table ON tables_table.id = tables_seating.table_id
    JOIN tables_opening ON tables_opening.id = tables_seating.opening_id
    JOIN rooms_gamingday ON rooms_gamingday.id = tables_opening.day_id
    WHERE tables_seating.room_id = %s AND tables_seating.left_at IS NOT NULL
    AND tables_seating.left_stack_cents IS NULL AND tables_seating.chips_in_cents > 0
    AND (%s::bigint IS NULL OR tables_seating.table_id = %s)"""
_LONGEST_FIRST = "ORDER BY tables_seating.left_at, tables_seating.id"
# Texts of their own, so that each is found by the day: seatings of all years are many.
_UNCOUNTED_NOW = f"{_UNCOUNTED} AND rooms_gamingday.closed_at IS NULL {_LONGEST_FIRST}"
_UNCOUNTED_THEN = f"{_UNCOUNTED} AND rooms_gamingday.id = %s {_LONGEST_FIRST}"


def uncounted(room_id: int, *, table_id: int | None = None, day_id: int | None = None) -> list[Seating]:
    """Return who left with chips and uncounted, on the open day or the one given, longest ago first. One query."""
    left = (Seating, Player, Table)
    found = []
    for seating, player, table in (
        read_seldom(left, _UNCOUNTED_NOW, room_id, table_id, table_id)
        if day_id is None
        else read_seldom(left, _UNCOUNTED_THEN, room_id, table_id, table_id, day_id)
    ):
        seating.player, seating.table = player, table
        found.append(seating)
    return found
