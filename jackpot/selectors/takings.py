"""
What hands have dropped for a jackpot: read from the boxes' postings, so that no tap waits for another table's.

A hand's drop goes into its own table's box and nowhere else, and so does what a table pays by the time instead, which
counts as its drops do (H7.18, H7.19). What a day has taken is the sum of what hands have posted
there, by the jackpot that their games feed. A hand that is put right after its drop was collected is put right in the
pool that it fed, whatever its game feeds by then, and gives back by itself what it had fed.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Q

from casino.rulebooks import RuleBook
from jackpot.drop import FEEDS, Drop
from jackpot.models import Collection, Pool
from jackpot.rules.put_right import back_from
from tables import about


class Fed(NamedTuple):
    """
    What drops feed: the jackpot that the game names ("" for none), now.

    `pool_id` is the pool that a hand had fed which was put right since it was collected, and `hand_id` that hand as it
    was first logged; or `time_id` the period that was taken back.
    """

    code: str
    pool_id: int | None = None
    hand_id: int | None = None
    time_id: int | None = None

    @property
    def rank(self) -> tuple[str, int, int, int]:
        """The key that sorts takings into the order of collecting: by jackpot, pool, hand, then time charge."""
        return self.code, self.pool_id or 0, self.hand_id or 0, self.time_id or 0


# By what is fed, {table id: cents}.
Taken = dict[Fed, dict[int, int]]

# From the transfers of the days that are meant: a box has the postings of all years. What puts a hand right is looked
# at alone: the first collection after the hand was first posted took its drop, if it was before it was put right. Each
# hand is put right by itself, but for what was collected of several together before a collection named its hand.
_TAKEN = """
    WITH line AS (
        SELECT transfer.id AS transfer_id, coalesce(game.charges -> 'drop' ->> %(feeds)s, '') AS code,
            account.owner_id AS table_id, posting.cents, hand.id AS hand_id, time.id AS time_id,
            time.transfer_id AS paid_id,
            coalesce(undone.id, hand.corrects_id, hand.again_of_id) IS NOT NULL AS puts_right
        FROM ledger_transfer transfer
        LEFT JOIN ledger_transfer undone ON undone.id = transfer.reverses_id
        JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id
            AND account.owner_kind = 'table' AND account.kind = %(box)s
        {hand_and_time}
        JOIN tables_opening opening ON opening.id = coalesce(hand.opening_id, time.opening_id)
        JOIN tables_game game ON game.id = opening.game_id
        WHERE transfer.room_id = %(room)s AND {days} AND coalesce(undone.kind, transfer.kind) IN ('hand', 'time_charge')
    )
    SELECT line.code, fed.pool_id, fed.hand_id, fed.time_id, line.table_id, sum(line.cents)::bigint
    FROM line LEFT JOIN LATERAL (
        WITH RECURSIVE log AS (
            SELECT id, corrects_id, again_of_id, transfer_id FROM tables_hand WHERE id = line.hand_id
            UNION
            SELECT older.id, older.corrects_id, older.again_of_id, older.transfer_id
            FROM tables_hand older JOIN log ON older.id = log.corrects_id OR older.id = log.again_of_id
        )
        SELECT taken.pool_id, taken.transfer_id, line.time_id, CASE WHEN NOT EXISTS (
            SELECT FROM jackpot_collection together
            WHERE together.room_id = %(room)s AND together.day_id = %(day)s AND together.code = line.code
                AND together.puts_right_id = taken.pool_id AND together.hand_id IS NULL AND together.time_id IS NULL
                AND together.transfer_id > line.transfer_id
        ) THEN (SELECT min(id) FROM log) END AS hand_id
        FROM jackpot_collection taken
        WHERE taken.room_id = %(room)s AND taken.day_id = %(day)s AND taken.code = line.code
            AND taken.puts_right_id IS NULL AND NOT taken.is_before
            AND taken.transfer_id > coalesce((SELECT min(transfer_id) FROM log), line.paid_id)
        ORDER BY taken.transfer_id LIMIT 1
    ) fed ON line.puts_right AND fed.transfer_id < line.transfer_id
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(line.cents) <> 0 ORDER BY 1, 2, 3, 4, 5
"""


def taken_on(room_id: int, day_id: int) -> Taken:
    """Return what hands have dropped on a gaming day, less what corrections took back on it, in cents. One query."""
    return _taken(room_id, day_id, "transfer.day_id = %(day)s")


def taken_before(room_id: int, day_id: int) -> Taken:
    """Return what they dropped on all days before: in a house that had drops and no pools yet. One query."""
    return _taken(room_id, day_id, "transfer.day_id <> %(day)s")


def _taken(room_id: int, day_id: int, days: str) -> Taken:
    taken: Taken = defaultdict(dict)
    with connection.cursor() as cursor:
        values: dict[str, Any] = {"room": room_id, "day": day_id, "feeds": FEEDS, "box": Drop.box}
        cursor.execute(_TAKEN.format(days=days, hand_and_time=about.HAND_AND_TIME), values)
        for code, pool_id, hand_id, time_id, table_id, cents in cursor.fetchall():
            taken[Fed(code, pool_id, hand_id, time_id)][table_id] = cents
    return taken


def collected_on(room_id: int, day_id: int) -> Taken:
    """Return what of a day's takings has been collected, as `taken_on`. One query."""
    collected: Taken = defaultdict(dict)
    rows = Collection.objects.filter(room_id=room_id, day_id=day_id, is_before=False)
    for each in rows:
        fed = Fed(each.code, each.puts_right_id, each.hand_id, each.time_id)
        for table_id, cents in each.by_table.items():
            collected[fed][int(table_id)] = collected[fed].get(int(table_id), 0) + cents
    return collected


def not_collected(room_id: int, day_id: int) -> Taken:
    """Return what of a day's takings still lies in the boxes alone, without what comes to nothing. Two queries."""
    taken, collected = taken_on(room_id, day_id), collected_on(room_id, day_id)
    left = {
        fed: {
            table_id: cents
            for table_id in {*taken.get(fed, {}), *collected.get(fed, {})}
            if (cents := taken.get(fed, {}).get(table_id, 0) - collected.get(fed, {}).get(table_id, 0))
        }
        for fed in sorted({*taken, *collected}, key=lambda fed: fed.rank)
    }
    return {fed: by_table for fed, by_table in left.items() if by_table}


def _end_of(pool: Pool) -> Pool:
    """Return the pool that has its money, or paid it out."""
    while pool.moved_to is not None:
        pool = pool.moved_to
    return pool


def pools_for(room_id: int, day_id: int, fed: Fed, cents: int, book: RuleBook) -> list[tuple[Pool, int]]:
    """
    Return the pools into whose takings so many cents go that hands dropped, and how many each; [] where none is open.

    What puts a hand right goes to the pool that it had fed, or to the one that took its money. Was that paid out, what
    comes to more is dropped as if it were now, and may so have gone to another pool: what is taken back is taken back
    from there first (`rules.put_right`). The rest is taken back from the one that was paid out, and the house covers
    it (`services.pool.cover`): players got that money, and no other pool answers for it.
    """
    if fed.pool_id is None:
        now = fed_by(room_id, fed.code, book)
        return [(now, cents)] if now else []
    had = _end_of(Pool.objects.get(id=fed.pool_id))
    if had.state == Pool.State.OPEN:
        return [(had, cents)]
    if cents > 0:
        return pools_for(room_id, day_id, Fed(fed.code), cents, book)
    of_hand = Collection.objects.filter(
        Q(time=fed.time_id) if fed.time_id else Q(hand=fed.hand_id or 0),
        room_id=room_id, day_id=day_id, code=fed.code, puts_right=fed.pool_id,
    )  # fmt: skip
    went = [(_end_of(each.pool), each.cents) for each in of_hand.select_related("pool").order_by("transfer_id")]
    pools = {pool.pk: pool for pool in (had, *(pool for pool, _cents in went))}
    back = back_from(-cents, had=had.pk, went=[(pool.pk, moved) for pool, moved in went])
    return [(pools[pool_id], -each) for pool_id, each in back.items()]


def fed_by(room_id: int, code: str, book: RuleBook) -> Pool | None:
    """Return the pool that drops of this code feed now (`fed_among`), None where none is open. One query."""
    return fed_among(list(Pool.objects.filter(room_id=room_id).order_by("id")), code, book)


def fed_among(pools: Sequence[Pool], code: str, book: RuleBook) -> Pool | None:
    """
    Return which of all pools of a room, the oldest first, drops of this code feed, None where none is open.

    That of its code or its heir; where a game names none, or nothing is left of what it names, that of the book's first
    jackpot, and where the book has none any more the oldest: what players paid in lies nowhere for nobody. None
    too for a jackpot of the book that is new: its drops wait in the boxes for its pool, which the day's close opens.
    """
    by_id, codes = {each.pk: each for each in pools}, [each.code for each in book.jackpots]
    first = codes[0] if codes else ""
    for named in dict.fromkeys((code or first, first)):
        pool = next((each for each in pools if each.code == named), None)
        if pool is None and named in codes:
            return None
        while pool is not None and pool.moved_to_id is not None:
            pool = by_id[pool.moved_to_id]
        if pool is not None and pool.state == Pool.State.OPEN:
            return pool
    return next((each for each in pools if each.state == Pool.State.OPEN), None)


def pending_by_pool(room_id: int, day_id: int, book: RuleBook) -> dict[int, int]:
    """Return what will be collected for each pool when the day closes, in cents by the pool's id."""
    pending: dict[int, int] = defaultdict(int)
    for fed, by_table in not_collected(room_id, day_id).items():
        for pool, cents in pools_for(room_id, day_id, fed, sum(by_table.values()), book):
            pending[pool.pk] += cents
    return dict(pending)
