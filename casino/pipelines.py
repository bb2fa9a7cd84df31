"""Statements that are sent together, where none waits for another's answer: a trip to the database for all of them."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def sent_together() -> Iterator[None]:
    """
    Send what is executed inside without waiting in between. A transaction that is yet to begin begins before the first,
    in a trip of its own: psycopg waits for it, unless it is begun otherwise (`casino.reading.snapshot`).

    A cursor has its rows and its count once this ends, or when it is asked for them, and that waits. What one
    statement is refused for is raised at the end, too, and the others after it are not carried out.
    """
    connection.ensure_connection()
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield
