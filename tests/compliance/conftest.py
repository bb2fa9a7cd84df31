"""A room with an open day and tables, and who holds compliance there."""

from tests.reports.test_exceptions import vera
from tests.tables.conftest import house

__all__ = ["house", "vera"]
