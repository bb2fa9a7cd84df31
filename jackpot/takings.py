"""
What hands have dropped for a jackpot: read from the boxes' postings, so that no tap waits for another table's.

A hand's drop goes into its own table's box and nowhere else. What a day has taken is the sum of what hands have posted
there, by the jackpot that their games feed; corrections count on the day on which they are posted.
"""

from collections import defaultdict

from django.db import connection

from casino.rulebooks import RuleBook
from jackpot.drop import FEEDS, Drop
from jackpot.models import Collection, Pool

# {code: {table id: cents}}; the code is "" where the game names no jackpot.
Taken = dict[str, dict[int, int]]

# From the transfers of the days that are meant: a box has the postings of all years.
_TAKEN = """
    SELECT coalesce(game.charges -> 'drop' ->> %(feeds)s, ''), account.owner_id, sum(posting.cents)::bigint
    FROM ledger_transfer transfer
    LEFT JOIN ledger_transfer undone ON undone.id = transfer.reverses_id
    JOIN ledger_posting posting ON posting.transfer_id = transfer.id
    JOIN ledger_account account ON account.id = posting.account_id
        AND account.owner_kind = 'table' AND account.kind = %(box)s
    JOIN tables_hand hand ON hand.id = (transfer.about ->> 'hand')::bigint
    JOIN tables_opening opening ON opening.id = hand.opening_id
    JOIN tables_game game ON game.id = opening.game_id
    WHERE transfer.room_id = %(room)s AND {days} AND coalesce(undone.kind, transfer.kind) = 'hand'
    GROUP BY 1, 2 HAVING sum(posting.cents) <> 0 ORDER BY 1, 2
"""


def taken_on(room_id: int, day_id: int) -> Taken:
    """Return what hands have dropped on a gaming day, less what corrections took back on it, in cents. One query."""
    return _taken(room_id, day_id, "transfer.day_id = %(day)s")


def taken_before(room_id: int, day_id: int) -> Taken:
    """Return what they dropped on all days before: in a house that had drops and no pools yet. One query."""
    return _taken(room_id, day_id, "transfer.day_id <> %(day)s")


def _taken(room_id: int, day_id: int, days: str) -> Taken:
    found: Taken = defaultdict(dict)
    with connection.cursor() as cursor:
        cursor.execute(_TAKEN.format(days=days), {"room": room_id, "day": day_id, "feeds": FEEDS, "box": Drop.box})
        for code, table_id, cents in cursor.fetchall():
            found[code][table_id] = cents
    return found


def collected_on(room_id: int, day_id: int) -> Taken:
    """Return what of a day's takings has been collected, as `taken_on`. One query."""
    found: Taken = defaultdict(dict)
    rows = Collection.objects.filter(room_id=room_id, day_id=day_id, is_before=False)
    for code, by_table in rows.values_list("code", "by_table"):
        for table_id, cents in by_table.items():
            found[code][int(table_id)] = found[code].get(int(table_id), 0) + cents
    return found


def not_collected(room_id: int, day_id: int) -> Taken:
    """Return what of a day's takings still lies in the boxes alone, without what comes to nothing. Two queries."""
    taken, collected = taken_on(room_id, day_id), collected_on(room_id, day_id)
    left = {
        code: {
            table_id: cents
            for table_id in {*taken.get(code, {}), *collected.get(code, {})}
            if (cents := taken.get(code, {}).get(table_id, 0) - collected.get(code, {}).get(table_id, 0))
        }
        for code in {*taken, *collected}
    }
    return {code: by_table for code, by_table in sorted(left.items()) if by_table}


def heir_of(room_id: int, code: str) -> Pool | None:
    """
    Return the pool of this code, or where it was wound down the one to which its money was moved.

    None where there is none, or it was paid out. One query, and one for each that has ended.
    """
    pool = Pool.objects.filter(room_id=room_id, code=code).first()
    while pool is not None and pool.state != Pool.State.OPEN:
        pool = pool.moved_to
    return pool


def fed_by(room_id: int, code: str, book: RuleBook) -> Pool | None:
    """
    Return the pool that drops of this code feed now, None where none is open.

    That of its code or its heir; where a game names none, or nothing is left of what it names, that of the book's first
    jackpot, and where the book has none any more the oldest: what players paid in lies nowhere for nobody. None
    too for a jackpot of the book that is new: its drops wait in the boxes for its pool, which the day's close opens.
    """
    codes = [each.code for each in book.jackpots]
    first = codes[0] if codes else ""
    for asked in dict.fromkeys((code or first, first)):
        if (pool := heir_of(room_id, asked)) is not None:
            return pool
        if asked in codes and not Pool.objects.filter(room_id=room_id, code=asked).exists():
            return None
    return Pool.objects.filter(room_id=room_id, state=Pool.State.OPEN).order_by("id").first()


def pending_by_pool(room_id: int, day_id: int, book: RuleBook) -> dict[int, int]:
    """Return what will be collected for each pool when the day closes, in cents by the pool's id."""
    found: dict[int, int] = defaultdict(int)
    for code, by_table in not_collected(room_id, day_id).items():
        if (pool := fed_by(room_id, code, book)) is not None:
            found[pool.pk] += sum(by_table.values())
    return dict(found)
