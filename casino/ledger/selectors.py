"""Questions to the ledger."""

from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Count, Sum

from casino.ledger.chart import CHART
from casino.ledger.models import Account


@dataclass(frozen=True)
class TrialRow:
    """The sum of all accounts of one kind: cents of one currency and unit, over `accounts` of them."""

    owner_kind: str
    kind: str
    unit: str
    currency: str
    accounts: int
    cents: int


@dataclass(frozen=True)
class StatementLine:
    """One posting of an account, with what was on the account after it."""

    transfer_id: int
    kind: str
    at: datetime
    day_id: int
    made_by_id: int | None
    approved_by_id: int | None
    reverses_id: int | None
    table_id: int | None
    cents: int
    after_cents: int


def trial_balance(room_id: int) -> list[TrialRow]:
    """Return the room's sums per kind of account, in the chart's order; per unit they add up to zero. One query."""
    found = (
        Account.objects.filter(room_id=room_id)
        .values_list("owner_kind", "kind", "unit", "currency")
        .annotate(accounts=Count("id"), cents=Sum("balance_cents"))
    )
    rows = [TrialRow(*row) for row in found]
    owners = list(CHART)
    return sorted(rows, key=lambda row: (owners.index(row.owner_kind), list(CHART[row.owner_kind]).index(row.kind)))


def room_figure(room_id: int, kind: str) -> int:
    """Return the room's figure of one kind, in cents: the sum over its shards. One query.

    For example `hands`: all chips in players' hands, wherever they were bought or left a table.
    """
    total = Account.objects.filter(room_id=room_id, kind=kind).aggregate(total=Sum("balance_cents"))["total"]
    return int(total or 0)


def table_figures(table_id: int) -> dict[str, int]:
    """Return the balances of one table's accounts by kind, in cents. One query."""
    return _figures("table", table_id)


def drawer_figures(drawer_id: int) -> dict[str, int]:
    """Return the balances of one drawer's accounts by kind, in cents: what a count is held against. One query."""
    return _figures("drawer", drawer_id)


def deposit_cents(player_id: int) -> int:
    """Return what a player has on deposit, in cents. One query."""
    return _figures("player", player_id).get("deposit", 0)


def _figures(owner_kind: str, owner_id: int) -> dict[str, int]:
    found = Account.objects.filter(owner_kind=owner_kind, owner_id=owner_id)
    return dict(found.values_list("kind", "balance_cents"))


# The running sum is over all of the account's postings, so it stands inside, and the day is chosen outside.
_STATEMENT = """
SELECT transfer.id, transfer.kind, transfer.at, transfer.day_id, transfer.made_by_id, transfer.approved_by_id,
    transfer.reverses_id, transfer.table_id, posting.cents, posting.after_cents
FROM (
    SELECT id, transfer_id, cents, (sum(cents) OVER (ORDER BY id))::bigint AS after_cents
    FROM ledger_posting WHERE account_id = %s
) posting JOIN ledger_transfer transfer ON transfer.id = posting.transfer_id
WHERE %s::bigint IS NULL OR transfer.day_id = %s
ORDER BY posting.id DESC LIMIT %s OFFSET %s
"""


def account_statement(
    account_id: int, *, day_id: int | None = None, offset: int = 0, most: int = 50
) -> list[StatementLine]:
    """
    Return an account's postings, newest first, at most `most` after the first `offset`. One query.

    With `day_id` only that gaming day's. `after_cents` is the account's balance after each posting.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STATEMENT, [account_id, day_id, day_id, most, offset])
        return [StatementLine(*row) for row in cursor.fetchall()]
