"""The owner of the tests' databases, for what the role that serves may not do: plant what no service would write."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def as_owner() -> Iterator[None]:
    """Have this thread's connection be the owner for a moment."""
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE NONE")
    try:
        yield
    finally:
        # Where the transaction has failed, its rollback takes the role back too.
        if not connection.needs_rollback:
            with connection.cursor() as cursor:
                cursor.execute("RESET ROLE")
