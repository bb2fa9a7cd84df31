"""
From which rows a table, and who sits there, is read in this snapshot: so that pushes read only what changed.

A print is the hash of each row's name with the transaction that wrote it as it stands (`xmin`), so nothing that changes
a row is missed, whoever changes it. Outside of pushes there are none.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from casino import seldom
from casino.reading import is_keeping, read_once

# Each `xmin` beside its row's id, for rows that one transaction wrote have the same; and in one order, for the same
# rows have to come to the same print by whatever plan they are found.
_TABLES = """
SELECT tables_table.id, tables_table.opening_id,
    concat_ws(
        ' ', tables_table.xmin, tables_opening.id, tables_opening.xmin, tables_game.id, tables_game.xmin
    ) AS print, coalesce(sitting.print, '') AS sitting
FROM tables_table
LEFT JOIN tables_opening ON tables_opening.id = tables_table.opening_id
LEFT JOIN tables_game ON tables_game.id = tables_opening.game_id
LEFT JOIN (
    SELECT table_id,
        md5(string_agg(
            concat_ws(' ', seating.id, seating.xmin, player.id, player.xmin), ',' ORDER BY seating.id
        )) AS print
    FROM tables_seating seating JOIN people_player player ON player.id = seating.player_id
    WHERE seating.room_id = %s AND seating.left_at IS NULL GROUP BY table_id
) sitting ON sitting.table_id = tables_table.id
WHERE tables_table.room_id = %s ORDER BY tables_table.number
"""


@dataclass(frozen=True)
class TablePrint:
    """The print of a table with what it runs, and that of who sits there. All that is done at a table changes it."""

    table_id: int
    opening_id: int | None
    table: str
    sitting: str


@read_once
def table_prints(room_id: int) -> dict[int, TablePrint]:
    """Return the prints of all tables of the room by id, in the order of their numbers. One query, in a push."""
    assert is_keeping(), "there are prints for what is kept alone"
    return {row[0]: TablePrint(*row) for row in seldom.rows_along(_TABLES, room_id, room_id)}


def prints_of_openings(room_id: int, opening_ids: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Return by opening the print of the table that runs it, with who sits there. Each opening is some table's."""
    by_opening = {each.opening_id: (each.table, each.sitting) for each in table_prints(room_id).values()}
    return {opening_id: by_opening[opening_id] for opening_id in opening_ids}
