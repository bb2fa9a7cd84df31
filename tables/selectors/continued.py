"""What a table ran before it went on otherwise between two hands (`Opening.continues`)."""

from casino.rows import read_joined
from tables.models import Game, Opening

_BEFORE = """FROM tables_opening JOIN tables_game ON tables_game.id = tables_opening.game_id
    WHERE tables_opening.id IN (
        WITH RECURSIVE chain AS (
            SELECT id, continues_id FROM tables_opening WHERE id = %s
            UNION
            SELECT older.id, older.continues_id FROM tables_opening older JOIN chain ON older.id = chain.continues_id
        )
        SELECT id FROM chain
    ) ORDER BY tables_opening.id DESC"""


def openings_before(opening: Opening) -> list[Opening]:
    """Return all that an opening continues, newest first, each with its game. One query, none where it is nothing."""
    if opening.continues_id is None:
        return []
    found = []
    for row, game in read_joined((Opening, Game), _BEFORE, opening.continues_id):
        row.game = game
        found.append(row)
    return found
