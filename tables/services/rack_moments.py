"""
What lay in a table's rack at an earlier moment. Steps of services that hold the table's lock.

A tablet without a connection keeps its counts; chips that were brought or counted before they came to the log had not
come by the time of the tap. Only checks come late: all else that moves a rack is posted at its own moment.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

from django.db import connection
from django.db.models import Max

from tables.chart import OWNER, RACK, RACK_CASH
from tables.models import RackCheck, Table

# What other transfers than those of checks moved in a rack, of chips or cash.
_OTHERS: LiteralString = """
    FROM ledger_account account
    JOIN ledger_posting posting ON posting.account_id = account.id
    JOIN ledger_transfer transfer ON transfer.id = posting.transfer_id
    WHERE account.room_id = %s AND account.owner_kind = %s AND account.owner_id = %s AND account.kind = ANY(%s)
        AND transfer.kind NOT IN ('rack_counted', 'rack_to_vault')
"""
_NEWEST: LiteralString = f"SELECT transfer.at {_OTHERS} ORDER BY posting.id DESC LIMIT 1"
_CAME_AND_WENT: LiteralString = f"""
    SELECT coalesce(sum(posting.cents), 0)::bigint {_OTHERS}
        AND transfer.at > coalesce(%s, '-infinity'::timestamptz) AND transfer.at <= %s
"""


@dataclass(frozen=True)
class Since:
    """What the log has of a rack that is newer than a check's moment."""

    is_counted: bool
    is_moved: bool

    @property
    def is_any(self) -> bool:
        return self.is_counted or self.is_moved


def since_tap(table: Table, at: datetime, *, now: datetime) -> Since:
    """
    Return what was counted or moved in a locked table's rack after `at`. Two queries where it is not now.

    What was counted or posted later than now was so before the clock was set back, and moments tell nothing then: the
    check is taken as one of now.
    """
    if at >= now:
        return Since(False, False)
    counted = table.rack_checks.filter(cents__isnull=False).aggregate(newest=Max("at"))["newest"]
    moved = _one(_NEWEST, table, [RACK, RACK_CASH])
    moments = [each for each in (counted, moved) if each is not None]
    if any(each > now for each in moments):
        return Since(False, False)
    return Since(counted is not None and counted > at, moved is not None and moved > at)


def last_count(table: Table, at: datetime) -> RackCheck | None:
    """Return the newest count of a table's rack that was made by this moment. One query."""
    counts = table.rack_checks.filter(cents__isnull=False, at__lte=at)
    return counts.order_by("-at", "-number").first()


def lay_there(table: Table, at: datetime) -> tuple[int, int]:
    """
    Return what chips and what cash lay in a rack at a moment, in cents: what was counted last, and what came and went.
    Three queries.
    """
    last = last_count(table, at)
    since, chips, cash = None, 0, 0
    if last is not None:
        since, cash = last.at, last.left_cash_cents
        chips = 0 if last.kind == RackCheck.Kind.CLOSING else last.cents or 0
    chips += _one(_CAME_AND_WENT, table, [RACK], since, at)
    cash += _one(_CAME_AND_WENT, table, [RACK_CASH], since, at)
    return chips, cash


def _one(statement: LiteralString, table: Table, accounts: list[str], *more: Any) -> Any:
    """Return the first column of the first row, None where there is none."""
    with connection.cursor() as cursor:
        cursor.execute(statement, [table.room_id, OWNER, table.pk, accounts, *more])
        row = cursor.fetchone()
    return row[0] if row else None
