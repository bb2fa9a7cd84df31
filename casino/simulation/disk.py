"""
A disk that is full, as far as anybody who taps can tell: the database refuses to write what every command writes.

Only rows that the house appends are refused, by triggers that raise what PostgreSQL raises when it cannot extend a
file (SQLSTATE 53100).
"""

import psycopg
from psycopg import sql

# Each command logs an event, whatever becomes of it; postings and seals are what tasks and commands add beside it.
FULL = ("audit_event", "ledger_posting", "audit_seal")
_REFUSES = """
    CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$
"""


def fill_disk(owner_url: str) -> None:
    """Have the database refuse to store anything, as its owner."""
    # Each statement for itself: nobody who taps meanwhile can wait for one of these tables in another order.
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(_REFUSES)
        for table in FULL:
            connection.execute(
                sql.SQL("CREATE TRIGGER disk_full BEFORE INSERT ON {} EXECUTE FUNCTION disk_full()").format(
                    sql.Identifier(table)
                )
            )


def empty_disk(owner_url: str) -> None:
    """Make room again."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        for table in FULL:
            connection.execute(sql.SQL("DROP TRIGGER IF EXISTS disk_full ON {}").format(sql.Identifier(table)))
        connection.execute("DROP FUNCTION IF EXISTS disk_full()")
