"""Tables as owners of accounts: what the ledger's page calls them, and what they hold."""

from collections.abc import Iterable

from casino.ledger.selectors import figures
from tables.chart import OWNER
from tables.models import Table


def table_numbers(ids: Iterable[int]) -> dict[int, str]:
    """Return the numbers of tables by their ids. One query."""
    return {pk: str(number) for pk, number in Table.objects.filter(id__in=set(ids)).values_list("id", "number")}


def table_figures(table_id: int) -> dict[str, int]:
    """Return the balances of one table's accounts by kind, in cents. One query."""
    return figures(OWNER, table_id)
