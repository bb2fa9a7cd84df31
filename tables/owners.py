"""What the ledger's page calls the accounts of tables."""

from collections.abc import Iterable

from tables.models import Table


def table_numbers(ids: Iterable[int]) -> dict[int, str]:
    """Return the numbers of tables by their ids. One query."""
    return {pk: str(number) for pk, number in Table.objects.filter(id__in=set(ids)).values_list("id", "number")}
