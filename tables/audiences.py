"""Which screens a change at a table touches."""

from tables.models import Table


def dealer_of(table: Table) -> str:
    """Return the audience of the table's own tablet."""
    return f"table.{table.number}.dealer"


def floor_of(table: Table) -> str:
    """Return the audience of the floor's page for this table."""
    return f"table.{table.number}.floor"


def of_table(table: Table) -> tuple[str, ...]:
    """Return everybody who sees this table: its tablet, the floor's page for it, the map, the lobby."""
    return (dealer_of(table), floor_of(table), "floor", "lobby")
