"""From which rows a list is read in this snapshot: as `tables.selectors.prints`."""

from casino import seldom
from casino.reading import is_keeping, read_once

_LISTS = """
SELECT game.name, md5(string_agg(concat_ws(
    ' ', entry.id, entry.xmin, list.id, list.xmin, game.id, game.xmin, player.id, player.xmin
), ',' ORDER BY entry.place, entry.id)) AS print
FROM waiting_waiting entry
JOIN waiting_waitinglist list ON list.id = entry.waiting_list_id
JOIN tables_game game ON game.id = list.game_id
JOIN people_player player ON player.id = entry.player_id
WHERE entry.room_id = %s AND entry.status IN ('waiting', 'called') GROUP BY game.name
ORDER BY min(ARRAY[entry.place, entry.id])
"""


@read_once
def list_prints(room_id: int) -> dict[str, str]:
    """
    Return the print of each game's list by the game's name. One query, in a push.

    Of lists on which somebody waits alone: what is shown of an empty one changes without its print.
    """
    assert is_keeping(), "there are prints for what is kept alone"
    return dict(seldom.rows_along(_LISTS, room_id))
