"""From which rows a list is read in this snapshot: as `tables.selectors.prints`."""

from casino import seldom
from casino.reading import is_keeping, read_once

# Those of one list together before its own row and its game's are looked up: three times, and not three hundred times.
_LISTS = """
SELECT game.name, md5(string_agg(
    concat_ws(' ', list.id, list.xmin, game.id, game.xmin, standing.print), ',' ORDER BY list.id
)) AS print
FROM (
    SELECT entry.waiting_list_id, min(ARRAY[entry.place, entry.id]) AS first,
        string_agg(concat_ws(' ', entry.id, entry.xmin, player.id, player.xmin), ',' ORDER BY entry.id) AS print
    FROM waiting_waiting entry JOIN people_player player ON player.id = entry.player_id
    WHERE entry.room_id = %s AND entry.status IN ('waiting', 'called') GROUP BY entry.waiting_list_id
) standing
JOIN waiting_waitinglist list ON list.id = standing.waiting_list_id
JOIN tables_game game ON game.id = list.game_id
GROUP BY game.name ORDER BY min(standing.first)
"""


@read_once
def list_prints(room_id: int) -> dict[str, str]:
    """
    Return the print of each game's list by the game's name. One query, in a push.

    Of lists on which somebody waits alone: what is shown of an empty one changes without its print.
    """
    assert is_keeping(), "there are prints for what is kept alone"
    return dict(seldom.rows_along(_LISTS, room_id))
