"""
What of the charges of gaming days was counted in boxes, and by how much that differs.

A charge lies in the box into which the log put it (`casino.boxes.selectors.log`). What a count found over or short
belongs to where the box's last charge belongs: a box mostly hangs for one night at one game.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, LiteralString

from django.db import connection

from casino.boxes.selectors.log import BEYOND, IN_BOX
from tables import about
from tables.charges import ChargeKind

# What each box holds is asked once of each box, and not of each line in it.
_COUNTED: LiteralString = """
    WITH line AS (
        SELECT box.id AS box_id, box.charge, posting.id AS posting_id, transfer.day_id, box.table_id, posting.cents,
            opening.id AS opening_id, opening.game_id
        FROM rooms_gamingday day
        JOIN ledger_transfer transfer ON transfer.room_id = day.room_id AND transfer.day_id = day.id
        JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id
            AND account.owner_kind = 'table' AND account.kind = ANY(%(boxes)s)
        JOIN LATERAL (
            SELECT * FROM boxes_box WHERE table_id = account.owner_id AND boxes_box.account = account.kind
                AND taken_back_at IS NULL AND hung_after < posting.id
            ORDER BY hung_after DESC, id DESC LIMIT 1
        ) box ON box.is_counted AND posting.id <= box.dropped_after AND (box.number IS NOT NULL OR box.hung_after > 0)
        {hand_and_time}
        JOIN tables_opening opening ON opening.id = coalesce(hand.opening_id, time.opening_id)
        WHERE day.room_id = %(room)s AND day.date BETWEEN %(first)s AND %(last)s
    ), found AS MATERIALIZED (
        SELECT box.id, (SELECT max(posting.id) {in_box}) AS last_id, {beyond} AS beyond, (
            SELECT cents - expected_cents FROM boxes_boxcount
            WHERE box_id = box.id AND at <= coalesce(%(until)s::timestamptz, 'infinity') ORDER BY number DESC LIMIT 1
        ) AS difference
        FROM boxes_box box WHERE box.id IN (SELECT box_id FROM line) AND EXISTS (
            SELECT FROM boxes_boxcount WHERE box_id = box.id AND at <= coalesce(%(until)s::timestamptz, 'infinity')
        )
    ), summed AS (
        SELECT line.day_id, line.table_id, line.opening_id, line.charge, line.game_id,
            sum(line.cents)::bigint AS logged,
            coalesce(sum(found.beyond) FILTER (WHERE found.last_id = line.posting_id), 0)::bigint AS beyond,
            coalesce(sum(found.difference) FILTER (WHERE found.last_id = line.posting_id), 0)::bigint AS difference
        FROM line JOIN found ON found.id = line.box_id GROUP BY 1, 2, 3, 4, 5
    )
    SELECT summed.day_id, summed.table_id, summed.opening_id, summed.charge, game.charges -> summed.charge,
        summed.logged, summed.beyond, summed.difference
    FROM summed JOIN tables_game game ON game.id = summed.game_id ORDER BY 1, 2, 3, 4
"""


@dataclass(frozen=True)
class CountedOf:
    """
    Of the charges of a kind in an opening on a day, in cents: `logged_cents` lies in boxes that were counted. There
    undone hands had left `beyond_cents`, and `over_short_cents` was found besides (negative: it is missing). `terms`
    are the game's of that kind.
    """

    day_id: int
    table_id: int
    opening_id: int
    kind: str
    terms: Mapping[str, Any] | None
    logged_cents: int
    beyond_cents: int
    over_short_cents: int


def counted_of(
    room_id: int, first: date, last: date, kinds: Sequence[ChargeKind], *, until: datetime | None = None
) -> list[CountedOf]:
    """
    Return what of these kinds of charge was counted of a span of gaming days, by day and opening, by counts `until` a
    moment. One query.
    """
    values: dict[str, Any] = {"room": room_id, "first": first, "last": last, "boxes": [kind.box for kind in kinds]}
    values["until"] = until
    with connection.cursor() as cursor:
        cursor.execute(_COUNTED.format(in_box=IN_BOX, beyond=BEYOND, hand_and_time=about.HAND_AND_TIME), values)
        return [
            CountedOf(day, table, opening, kind, json.loads(terms) if terms else None, *cents)
            for day, table, opening, kind, terms, *cents in cursor.fetchall()
        ]
