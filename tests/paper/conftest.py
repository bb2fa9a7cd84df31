"""A room with an open day and tables, whose floor prints."""

from tests.tables.conftest import house

__all__ = ["house"]
