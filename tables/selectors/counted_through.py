"""Which tables were counted through between two hands, so that they play on over the gaming day's end."""

from dataclasses import dataclass

from tables.claims import claims
from tables.models import CountedThrough, Table


@dataclass(frozen=True)
class Running:
    """A table that runs, and how it was counted through on the day, where nothing was done there since."""

    table: Table
    count: CountedThrough | None

    @property
    def is_counted(self) -> bool:
        return self.count is not None


def running_tables(room_id: int, *, day_id: int) -> list[Running]:
    """Return the tables that run, by number. Three queries."""
    tables = list(Table.objects.filter(room_id=room_id, opening__isnull=False).order_by("number"))
    openings = [table.opening_id for table in tables if table.opening_id is not None]
    found = CountedThrough.objects.filter(day_id=day_id, opening_id__in=openings).order_by("id")
    newest = {count.opening_id: count for count in found}
    counted = {
        table.pk: count for table in tables if (count := newest.get(table.opening_id or 0)) and _holds(count, table)
    }
    promised = claims().promised_among(counted) if counted else ()
    return [Running(table, None if table.pk in promised else counted.get(table.pk)) for table in tables]


def _holds(count: CountedThrough, table: Table) -> bool:
    return count.table_version == table.version and table.hand_id is None
