"""
What of a pool's drops has been counted in the drop boxes, and by how much that differs.

The log decides what feeds a pool, and stays so: what is over or short is the house's. In which box a drop lies, and
whose a difference is: `casino.boxes.selectors.counted`.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from casino.boxes.selectors.counted import counted_of
from jackpot.drop import FEEDS, Drop
from jackpot.models import Collection


@dataclass(frozen=True)
class InBoxes:
    """Of a pool's drops, in cents: `logged` lies in boxes that were counted, where `over_short` was found besides."""

    logged: int = 0
    over_short: int = 0


def in_boxes(room_id: int, first: date, last: date) -> dict[int, InBoxes]:
    """Return by pool what of the drops of a span of days was counted. One query, and another where any was."""
    # By the jackpot that the game names: several openings of a table may feed the same one.
    lines: dict[tuple[int, int, str], tuple[int, int]] = defaultdict(lambda: (0, 0))
    for each in counted_of(room_id, first, last, [Drop()]):
        place = each.day_id, each.table_id, str((each.terms or {}).get(FEEDS, ""))
        cents, difference = lines[place]
        lines[place] = cents + each.logged_cents, difference + each.over_short_cents
    collected = _collected(room_id, {day_id for day_id, *_ in lines}) if lines else {}
    logged: dict[int, int] = defaultdict(int)
    differs: dict[int, int] = defaultdict(int)
    for place, (cents, difference) in sorted(lines.items()):
        pools = collected.get(place, {})
        for pool_id, share in _shared(cents, pools).items():
            logged[pool_id] += share
        if pools:
            differs[next(iter(pools))] += difference
    return {pool_id: InBoxes(logged[pool_id], differs[pool_id]) for pool_id in logged}


def _collected(room_id: int, day_ids: set[int]) -> dict[tuple[int, int, str], dict[int, int]]:
    """Return what each pool got of the drops of these days, by (day, table, code), the first pool first. One query."""
    collected: dict[tuple[int, int, str], dict[int, int]] = defaultdict(lambda: defaultdict(int))
    rows = Collection.objects.filter(room_id=room_id, day__in=day_ids, is_before=False).order_by("transfer_id")
    for day_id, code, pool_id, by_table in rows.values_list("day_id", "code", "pool_id", "by_table"):
        for table_id, cents in by_table.items():
            collected[day_id, int(table_id), code][pool_id] += cents
    return collected


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
