"""Which screens a change at a table touches."""

from tables.models import Table

# News of the tables, for screens above them: what a floor has to see, and what everybody may.
MAP = "tables.map"
ROOM = (MAP, "tables.wall")
# The floor's page of who deals where.
DEALERS = "dealers"


def dealer_of(table: Table) -> str:
    """Return the audience of the table's own tablet."""
    return f"table.{table.number}.dealer"


def floor_of(table: Table) -> str:
    """Return the audience of the floor's page for this table."""
    return f"table.{table.number}.floor"


def of_table(table: Table) -> tuple[str, ...]:
    """Return everybody who sees this table: its tablet, the floor's page for it, the screens that show all tables."""
    return (dealer_of(table), floor_of(table), *ROOM)
