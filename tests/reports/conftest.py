"""A room with an open day and tables, for tests of what it came to, and the pack of an evening in it."""

from tests.reports.packing import made
from tests.tables.conftest import house

__all__ = ["house", "made"]
