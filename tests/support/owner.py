"""The owner of the tests' databases and the sealer, for what the role that serves may not do."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from psycopg.sql import SQL, Identifier

from casino import grants


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


@contextmanager
def as_sealer() -> Iterator[None]:
    """Have this thread's connection be the sealer for a moment, who alone adds seals."""
    with connection.cursor() as cursor:
        cursor.execute(SQL("SET ROLE {}").format(Identifier(grants.sealer_role())))
    try:
        yield
    finally:
        if not connection.needs_rollback:
            with connection.cursor() as cursor:
                cursor.execute("RESET ROLE")
