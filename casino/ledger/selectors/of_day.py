"""A gaming day in the ledger: what was on accounts before it, what came and went, and what was there after it."""

from dataclasses import dataclass
from typing import LiteralString

from django.db import connection

from casino.ledger.selectors.accounts import chart_order
from casino.rooms.models import GamingDay


@dataclass(frozen=True)
class TrialOfDay:
    """
    All accounts of one kind over a gaming day, in cents: `opening` before it, what came and went, `closing` after it.

    What went is negative. In each unit and currency both balances and what moved add up to zero.
    """

    owner_kind: str
    kind: str
    unit: str
    currency: str
    opening_cents: int
    came_cents: int
    went_cents: int
    closing_cents: int


# What is on an account now, less what came after the day, is what was there when it closed.
_TRIAL: LiteralString = """
    WITH since AS (
        SELECT posting.account_id, coalesce(sum(posting.cents) FILTER (WHERE transfer.day_id > %(day)s), 0) AS newer,
            coalesce(sum(posting.cents) FILTER (WHERE transfer.day_id = %(day)s AND posting.cents > 0), 0) AS came,
            coalesce(sum(posting.cents) FILTER (WHERE transfer.day_id = %(day)s AND posting.cents < 0), 0) AS went
        FROM ledger_transfer transfer JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        WHERE transfer.room_id = %(room)s AND transfer.day_id >= %(day)s GROUP BY 1
    )
    SELECT account.owner_kind, account.kind, account.unit, account.currency,
        sum(account.balance_cents - coalesce(since.newer + since.came + since.went, 0))::bigint,
        coalesce(sum(since.came), 0)::bigint, coalesce(sum(since.went), 0)::bigint,
        sum(account.balance_cents - coalesce(since.newer, 0))::bigint
    FROM ledger_account account LEFT JOIN since ON since.account_id = account.id
    WHERE account.room_id = %(room)s GROUP BY 1, 2, 3, 4
"""
_MOVED: LiteralString = """
    SELECT account.owner_kind, account.owner_id, account.kind, sum(posting.cents)::bigint
    FROM ledger_transfer transfer JOIN ledger_posting posting ON posting.transfer_id = transfer.id
    JOIN ledger_account account ON account.id = posting.account_id AND account.kind = ANY(%(kinds)s)
    WHERE transfer.room_id = %(room)s AND transfer.day_id = %(day)s GROUP BY 1, 2, 3
"""


def trial_of_day(day: GamingDay) -> list[TrialOfDay]:
    """
    Return the room's accounts by kind over a gaming day, in the chart's order, without those that never held anything.

    One query, which reads what was posted since that day began.
    """
    with connection.cursor() as cursor:
        cursor.execute(_TRIAL, {"room": day.room_id, "day": day.pk})
        rows = [TrialOfDay(*row) for row in cursor.fetchall()]
    moved = (row for row in rows if row.opening_cents or row.came_cents or row.went_cents or row.closing_cents)
    return sorted(moved, key=lambda row: (chart_order(row.owner_kind, row.kind), row.unit, row.currency))


def moved_on(day: GamingDay, kinds: frozenset[str]) -> dict[tuple[str, int, str], int]:
    """Return by how many cents accounts of these kinds changed, by (kind of owner, owner, kind). One query."""
    with connection.cursor() as cursor:
        cursor.execute(_MOVED, {"room": day.room_id, "day": day.pk, "kinds": sorted(kinds)})
        return {(owner_kind, owner_id, kind): cents for owner_kind, owner_id, kind, cents in cursor.fetchall()}
