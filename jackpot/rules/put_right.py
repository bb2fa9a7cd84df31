"""What a hand that is put right gives back, and which pools give it. Pure."""

from collections.abc import Iterable


def back_from(cents: int, *, had: int, went: Iterable[tuple[int, int]]) -> dict[int, int]:
    """
    Return how much each pool gives back of so many cents (more than 0), by the pool's id.

    `had` is the pool that got the hand's first drop. `went` is what the hand was put right by since, as (pool, cents),
    oldest first: more than 0 went there, less was taken back from there. What came last goes back first, and the rest
    from `had`: no pool answers for what another one got.
    """
    lies: list[list[int]] = []
    for pool, moved in went:
        if moved > 0:
            lies.append([pool, moved])
        for part in reversed(lies):
            if part[0] == pool and moved < 0:
                gone = min(part[1], -moved)
                part[1] -= gone
                moved += gone
    by_pool: dict[int, int] = {}
    for pool, there in reversed(lies):
        if part_cents := min(there, cents):
            by_pool[pool] = by_pool.get(pool, 0) + part_cents
            cents -= part_cents
    return by_pool | {had: by_pool.get(had, 0) + cents} if cents else by_pool
