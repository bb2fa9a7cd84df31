"""A room with an open day and tables, for tests of what it came to."""

from tests.tables.conftest import house

__all__ = ["house"]
