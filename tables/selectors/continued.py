"""What a table ran before it went on otherwise between two hands (`Opening.continues`)."""

from collections.abc import Sequence
from itertools import takewhile
from typing import LiteralString

from django.db import connection

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

_AFTER: LiteralString = """
    WITH RECURSIVE chain AS (
        SELECT id FROM tables_opening WHERE continues_id = ANY(%s)
        UNION
        SELECT newer.id FROM tables_opening newer JOIN chain ON newer.continues_id = chain.id
    )
    SELECT id FROM chain WHERE id <> ALL(%s) ORDER BY id
"""


def openings_before(opening: Opening) -> list[Opening]:
    """Return all that an opening continues, newest first, each with its game. One query, none where it is nothing."""
    if opening.continues_id is None:
        return []
    openings = []
    for row, game in read_joined((Opening, Game), _BEFORE, opening.continues_id):
        row.game = game
        openings.append(row)
    return openings


def openings_after(ids: Sequence[int]) -> list[int]:
    """Return the ids of every opening that continues one of `ids`, directly or by another, without them. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_AFTER, [list(ids), list(ids)])
        return [opening_id for (opening_id,) in cursor.fetchall()]


def openings_of_game(opening: Opening) -> list[int]:
    """
    Return the ids of an opening, and of those before it in which the table ran the same game without a break.

    Newest first. One query, none where it continues nothing.
    """
    same = takewhile(lambda each: each.game_id == opening.game_id, openings_before(opening))
    return [opening.pk, *(each.pk for each in same)]
