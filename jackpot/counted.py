"""
What of a pool's drops has been counted in the drop boxes, and by how much that differs.

The log decides what feeds a pool, and stays so: what is over or short is the house's. A drop lies in the box into which
the log put it (`casino.boxes.log`). What a count found over or short belongs to where the box's last drop belongs: a
box mostly hangs for one night at one game.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, LiteralString

from django.db import connection

from casino.boxes.log import IN_BOX
from jackpot.drop import FEEDS, Drop
from jackpot.models import Collection

# By gaming day, table and the jackpot that the game names: what lies in boxes that were counted, and their differences.
_COUNTED: LiteralString = """
    WITH line AS (
        SELECT box.id AS box_id, posting.id AS posting_id, transfer.day_id, box.table_id, posting.cents,
            coalesce(game.charges -> 'drop' ->> %(feeds)s, '') AS code
        FROM rooms_gamingday day
        JOIN ledger_transfer transfer ON transfer.room_id = day.room_id AND transfer.day_id = day.id
        JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id
            AND account.owner_kind = 'table' AND account.kind = %(box)s
        JOIN LATERAL (
            SELECT * FROM boxes_box WHERE table_id = account.owner_id AND boxes_box.account = account.kind
                AND taken_back_at IS NULL AND hung_after < posting.id
            ORDER BY hung_after DESC, id DESC LIMIT 1
        ) box ON box.is_counted AND posting.id <= box.dropped_after AND (box.number IS NOT NULL OR box.hung_after > 0)
        LEFT JOIN tables_hand hand ON hand.id = (transfer.about ->> 'hand')::bigint
        LEFT JOIN tables_timetaken time ON time.id = (transfer.about ->> 'time')::bigint
        JOIN tables_opening opening ON opening.id = coalesce(hand.opening_id, time.opening_id)
        JOIN tables_game game ON game.id = opening.game_id
        WHERE day.room_id = %(room)s AND day.date BETWEEN %(first)s AND %(last)s
    ), found AS (
        SELECT box.id, (SELECT max(posting.id) {in_box}) AS last_id, (
            SELECT cents - expected_cents FROM boxes_boxcount WHERE box_id = box.id ORDER BY number DESC LIMIT 1
        ) AS difference
        FROM boxes_box box WHERE box.id IN (SELECT box_id FROM line)
    )
    SELECT line.day_id, line.table_id, line.code, sum(line.cents)::bigint,
        coalesce(sum(found.difference) FILTER (WHERE found.last_id = line.posting_id), 0)::bigint
    FROM line JOIN found ON found.id = line.box_id GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""


@dataclass(frozen=True)
class InBoxes:
    """Of a pool's drops, in cents: `logged` lies in boxes that were counted, where `over_short` was found besides."""

    logged: int = 0
    over_short: int = 0


def in_boxes(room_id: int, first: date, last: date) -> dict[int, InBoxes]:
    """Return by pool what of the drops of a span of days was counted. One query, and another where any was."""
    values: dict[str, Any] = {"room": room_id, "first": first, "last": last, "feeds": FEEDS, "box": Drop.box}
    with connection.cursor() as cursor:
        cursor.execute(_COUNTED.format(in_box=IN_BOX), values)
        lines = cursor.fetchall()
    collected = _collected(room_id, {day_id for day_id, *_ in lines}) if lines else {}
    logged: dict[int, int] = defaultdict(int)
    differs: dict[int, int] = defaultdict(int)
    for day_id, table_id, code, cents, difference in lines:
        pools = collected.get((day_id, table_id, code), {})
        for pool_id, share in _shared(cents, pools).items():
            logged[pool_id] += share
        if pools:
            differs[next(iter(pools))] += difference
    return {pool_id: InBoxes(logged[pool_id], differs[pool_id]) for pool_id in logged}


def _collected(room_id: int, day_ids: set[int]) -> dict[tuple[int, int, str], dict[int, int]]:
    """Return what each pool got of the drops of these days, by (day, table, code), the first pool first. One query."""
    found: dict[tuple[int, int, str], dict[int, int]] = defaultdict(lambda: defaultdict(int))
    rows = Collection.objects.filter(room_id=room_id, day__in=day_ids, is_before=False).order_by("transfer_id")
    for day_id, code, pool_id, by_table in rows.values_list("day_id", "code", "pool_id", "by_table"):
        for table_id, cents in by_table.items():
            found[day_id, int(table_id), code][pool_id] += cents
    return found


def _shared(cents: int, pools: Mapping[int, int]) -> dict[int, int]:
    """
    Return how much of so many counted cents is each pool's, which got so much of them.

    All where all was counted; else the first gets its part first. What no pool has got yet is nobody's.
    """
    if cents >= sum(pools.values()):
        return dict(pools)
    left = cents - sum(min(got, 0) for got in pools.values())
    shares = {}
    for pool_id, got in pools.items():
        shares[pool_id] = min(got, max(left, 0)) if got > 0 else got
        left -= max(shares[pool_id], 0)
    return shares
