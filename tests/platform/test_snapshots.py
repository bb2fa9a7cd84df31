"""A snapshot is one moment that is only read, and its connection is as before once it ended, however it did."""

from collections.abc import Callable

import psycopg
import pytest
from django.db import DatabaseError, DataError, InternalError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from psycopg.pq import TransactionStatus

from casino.reading import snapshot

KIND = "SELECT current_setting('transaction_isolation'), current_setting('transaction_read_only')"


def one(text: str) -> tuple[object, ...]:
    with connection.cursor() as cursor:
        cursor.execute(text)
        row: tuple[object, ...] = cursor.fetchone()
        return row


def is_as_before() -> bool:
    """Say whether no transaction is open, and the next one is of the usual kind."""
    is_idle = connection.connection.info.transaction_status == TransactionStatus.IDLE
    is_outside = connection.get_autocommit() and not connection.in_atomic_block
    with transaction.atomic():
        return is_idle and is_outside and one(KIND) == ("read committed", "off")


def test_a_snapshot_is_one_moment_that_is_only_read(committing_db):
    with (
        psycopg.connect(committing_db.owner_url, autocommit=True) as other,
        snapshot((KIND, ()), ("SELECT count(*) FROM pg_class WHERE relname = %s", ["meanwhile"])) as first,
    ):
        other.execute("CREATE TABLE meanwhile ()")
        try:
            again = one("SELECT count(*) FROM pg_class WHERE relname = 'meanwhile'")
            with pytest.raises(InternalError, match="read-only"), transaction.atomic():
                one("UPDATE rooms_room SET name = name RETURNING 1")
        finally:
            other.execute("DROP TABLE meanwhile")
        assert connection.in_atomic_block

    assert first == [("repeatable read", "on"), (0,)]
    assert again == (0,)
    assert is_as_before()


def test_it_begins_with_what_is_read_first(committing_db):
    with CaptureQueriesContext(connection) as queries, snapshot(("SELECT 1", ())):
        pass

    begin, read, commit = (query["sql"] for query in queries)
    assert (begin.split()[0], read, commit) == ("BEGIN", "SELECT 1", "COMMIT")


def test_what_waits_for_a_commit_runs_once_it_has_ended(committing_db):
    ran: list[bool] = []

    with snapshot():
        transaction.on_commit(lambda: ran.append(connection.in_atomic_block))
        assert not ran

    assert ran == [False]


def fails() -> None:
    raise LookupError


@pytest.mark.parametrize(
    ("first", "then", "error"),
    [
        pytest.param("SELECT 1 / 0", None, DataError, id="what is read first"),
        pytest.param("SELECT 1", lambda: one("SELECT 1 / 0"), DataError, id="what is read later"),
        pytest.param("SELECT 1", fails, LookupError, id="what is made of it"),
        pytest.param("SELECT %s", None, DatabaseError, id="what is not sent at all"),
    ],
)
def test_it_ends_with_an_error(committing_db, first: str, then: Callable[[], object] | None, error: type[Exception]):
    def read() -> None:
        with snapshot(("SELECT 1", ()), (first, ())):
            if then is not None:
                then()

    with pytest.raises(error):
        read()

    assert is_as_before()


def test_a_connection_that_is_lost_meanwhile_is_replaced(committing_db):
    def read() -> None:
        with snapshot(("SELECT pg_backend_pid()", ())) as [(number,)]:
            with psycopg.connect(committing_db.owner_url, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s, 5000)", [number])
            one("SELECT 1")

    with pytest.raises(OperationalError):
        read()

    assert is_as_before()
