"""Questions about accounts: what lies on them, what was posted there, and when they were empty."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db import connection
from django.db.models import Count, Sum

from casino.ledger.chart import CHART, VAULT
from casino.ledger.models import Account, Posting, Transfer
from casino.ledger.owners import names_of
from casino.rooms.models import GamingDay
from casino.rows import read


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


@dataclass(frozen=True)
class OwnedPlace:
    """One owner with its accounts in the chart's order; `name` is what people call it, empty for the house."""

    owner_kind: str
    owner_id: int
    name: str
    accounts: list[Account]


def trial_balance(room_id: int) -> list[TrialRow]:
    """Return the room's sums per kind of account, in the chart's order; per unit they add up to zero. One query."""
    sums = (
        Account.objects.filter(room_id=room_id)
        .values_list("owner_kind", "kind", "unit", "currency")
        .annotate(accounts=Count("id"), cents=Sum("balance_cents"))
    )
    rows = [TrialRow(*row) for row in sums]
    return sorted(rows, key=lambda row: chart_order(row.owner_kind, row.kind))


def places(room_id: int) -> list[OwnedPlace]:
    """
    Return every owner of accounts in the room, in the chart's order, then by id.

    One query, and one for each kind of owner that has names.
    """
    accounts = sorted(
        Account.objects.filter(room_id=room_id),
        key=lambda each: (chart_order(each.owner_kind)[0], each.owner_id, chart_order(each.owner_kind, each.kind)),
    )
    names = {
        owner_kind: names_of(owner_kind, [each.owner_id for each in accounts if each.owner_kind == owner_kind])
        for owner_kind in CHART
    }
    return [
        OwnedPlace(owner_kind, owner_id, names[owner_kind][owner_id], list(group))
        for (owner_kind, owner_id), group in groupby(accounts, key=lambda each: (each.owner_kind, each.owner_id))
    ]


def chart_order(owner_kind: str, kind: str = "") -> tuple[int, int]:
    """Return where an account stands on the ledger's pages, its owner alone where no kind is named."""
    owner = CHART[owner_kind]
    kinds = list(owner.accounts)
    return owner.rank, kinds.index(kind) if kind in kinds else -1


def room_figure(room_id: int, kind: str) -> int:
    """Return the room's figure of one kind, in cents: the sum over its shards. One query.

    For example `hands`: all chips in players' hands, wherever they were bought or left a table.
    """
    total = Account.objects.filter(room_id=room_id, kind=kind).aggregate(total=Sum("balance_cents"))["total"]
    return int(total or 0)


def chips_out(room_id: int) -> int:
    """Return the chips that the house has sold and not bought back, in cents: in hands and in play. One query."""
    kinds = sorted({name for owner in CHART.values() for name, kind in owner.accounts.items() if kind.is_sold})
    sold = Account.objects.filter(room_id=room_id, kind__in=kinds)
    return int(sold.aggregate(total=Sum("balance_cents"))["total"] or 0)


def house_figures(room_id: int) -> dict[str, int]:
    """Return the balances of the house's own accounts by kind, in cents. One query."""
    return figures("house", room_id)


def is_vault_new(room_id: int) -> bool:
    """Tell whether nothing was ever put into a room's vault. One query."""
    lies_there = Posting.objects.filter(account__room_id=room_id, account__owner_kind="house", account__kind__in=VAULT)
    return not lies_there.exists()


def deposit_cents(player_id: int) -> int:
    """Return what a player has on deposit, in cents. One query."""
    return figures("player", player_id).get("deposit", 0)


def figures(owner_kind: str, owner_id: int) -> dict[str, int]:
    """Return the balances of one owner's accounts by kind, in cents. One query."""
    accounts = read(Account, "WHERE owner_kind = %s AND owner_id = %s", owner_kind, owner_id)
    return {account.kind: account.balance_cents for account in accounts}


# From the newest posting backwards: what is on the account now, less all that came after. So a page costs what it
# shows and what is newer, however many years lie before it.
_STATEMENT = """
SELECT transfer.id, transfer.kind, transfer.at, transfer.day_id, transfer.made_by_id, transfer.approved_by_id,
    transfer.reverses_id, transfer.table_id, posting.cents, posting.after_cents
FROM (
    SELECT posting.id, posting.transfer_id, posting.cents, account.balance_cents - newer.cents - coalesce(
        sum(posting.cents) OVER (ORDER BY posting.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0
    )::bigint AS after_cents
    FROM ledger_account account
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(cents), 0)::bigint AS cents FROM ledger_posting
        WHERE account_id = account.id AND id > %(last)s
    ) newer
    JOIN ledger_posting posting ON posting.account_id = account.id
    WHERE account.id = %(account_id)s AND posting.account_id = %(account_id)s
        AND posting.id BETWEEN %(first)s AND %(last)s
    ORDER BY posting.id DESC LIMIT %(most)s OFFSET %(offset)s
) posting JOIN ledger_transfer transfer ON transfer.id = posting.transfer_id
ORDER BY posting.id DESC
"""

# One day is open at a time, and closing it waits for whoever posts: days share no stretch of ids. Within a day
# transfers may be written side by side, a few at a time, so the first posting is looked for among many first
# transfers. (`id + 0`: else PostgreSQL would walk along all postings to find the least.)
_POSTINGS_OF_A_DAY = """
SELECT
    (SELECT min(posting.id + 0) FROM ledger_posting posting WHERE transfer_id BETWEEN day.first AND day.first + 200),
    (SELECT max(posting.id + 0) FROM ledger_posting posting WHERE transfer_id BETWEEN day.last - 200 AND day.last)
FROM (
    SELECT
        (SELECT id FROM ledger_transfer WHERE room_id = %(room_id)s AND day_id = %(day_id)s ORDER BY id LIMIT 1),
        (SELECT id FROM ledger_transfer WHERE room_id = %(room_id)s AND day_id = %(day_id)s ORDER BY id DESC LIMIT 1)
) day (first, last)
"""
_EVER = (0, 2**63 - 1)


def account_statement(
    account: Account, *, day_id: int | None = None, offset: int = 0, most: int = 50
) -> list[StatementLine]:
    """
    Return an account's postings, newest first, at most `most` after the first `offset`. One query.

    With `day_id` only that gaming day's; two queries. `after_cents` is the account's balance after each posting.
    """
    with connection.cursor() as cursor:
        first, last = _EVER
        if day_id is not None:
            cursor.execute(_POSTINGS_OF_A_DAY, {"room_id": account.room_id, "day_id": day_id})
            first, last = cursor.fetchone()
            if first is None:
                return []
        page = {"account_id": account.pk, "first": first, "last": last, "most": most, "offset": offset}
        cursor.execute(_STATEMENT, page)
        return [StatementLine(*row) for row in cursor.fetchall()]


# From the newest posting backwards, as a statement is.
_EMPTIED = """
SELECT account.id, (
    SELECT transfer.at FROM (
        SELECT posting.id, posting.transfer_id, account.balance_cents - coalesce(
            sum(posting.cents) OVER (ORDER BY posting.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0
        ) AS after_cents
        FROM ledger_posting posting JOIN ledger_transfer transfer ON transfer.id = posting.transfer_id
        WHERE posting.account_id = account.id AND transfer.day_id > %s
    ) since JOIN ledger_transfer transfer ON transfer.id = since.transfer_id
    WHERE since.after_cents = 0 ORDER BY since.id LIMIT 1
) FROM ledger_account account WHERE account.id = ANY(%s)
"""


def emptied_since(account_ids: Collection[int], day_id: int) -> dict[int, datetime]:
    """
    Return when nothing was on these accounts for the first time after a gaming day, by id; none where something always
    was. One query.
    """
    with connection.cursor() as cursor:
        cursor.execute(_EMPTIED, [day_id, list(account_ids)])
        return {account_id: at for account_id, at in cursor.fetchall() if at is not None}


_AFTER = """
SELECT account.id, account.balance_cents - coalesce((
    SELECT sum(posting.cents) FROM ledger_posting posting
    JOIN ledger_transfer transfer ON transfer.id = posting.transfer_id
    WHERE posting.account_id = account.id AND transfer.day_id > %s
), 0)::bigint FROM ledger_account account WHERE account.id = ANY(%s)
"""


def balances_after(account_ids: Collection[int], day_id: int) -> dict[int, int]:
    """Return what was on these accounts when a gaming day was over, or is now while it is open, by id. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_AFTER, [day_id, list(account_ids)])
        return dict(cursor.fetchall())


def days_of(room_id: int, *, most: int = 60) -> list[GamingDay]:
    """Return the room's gaming days, newest first, at most `most`. One query."""
    return list(GamingDay.objects.filter(room_id=room_id).order_by("-date", "-id")[:most])


def standing_transfer(room_id: int, *, kind: str, about: Mapping[str, Any], since_day_id: int) -> Transfer | None:
    """Return the newest transfer of a kind that is about this and was not taken back, since a day. One query."""
    transfers = Transfer.objects.filter(
        room_id=room_id, day_id__gte=since_day_id, kind=kind, about__contains=dict(about), reversed_by=None
    )
    return transfers.order_by("-id").first()
