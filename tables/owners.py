"""Tables as owners of accounts: what the ledger's page calls them, and what they hold."""

from collections.abc import Collection, Iterable

from django.db import connection

from casino.errors import NotFound
from casino.ledger.selectors.accounts import figures
from tables.chart import OWNER
from tables.models import Table

_NEWEST = """
    SELECT account.kind, newest.id FROM ledger_account account CROSS JOIN LATERAL (
        SELECT id FROM ledger_posting WHERE account_id = account.id ORDER BY id DESC LIMIT 1
    ) newest
    WHERE account.room_id = %s AND account.owner_kind = %s AND account.owner_id = %s AND account.kind = ANY(%s)
"""


def table_numbers(ids: Iterable[int]) -> dict[int, str]:
    """Return the numbers of tables by their ids. One query."""
    return {pk: str(number) for pk, number in Table.objects.filter(id__in=set(ids)).values_list("id", "number")}


def table_id_of(room_id: int, number: int) -> int:
    """Return the id of the room's table of this number. One query. :raises NotFound: there is none."""
    table_id = Table.objects.filter(room_id=room_id, number=number).values_list("id", flat=True).first()
    if table_id is None:
        raise NotFound(what="table")
    return table_id


def table_figures(table_id: int) -> dict[str, int]:
    """Return the balances of one table's accounts by kind, in cents. One query."""
    return figures(OWNER, table_id)


def newest_postings(table: Table, accounts: Collection[str]) -> dict[str, int]:
    """Return the places in the log where a locked table's accounts stand now; of an empty one none. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST, [table.room_id, OWNER, table.pk, list(accounts)])
        return dict(cursor.fetchall())
