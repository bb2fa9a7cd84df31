"""
Which connection comes out of the pool: the newest one, unless the server has closed it, which is not asked. And how it
reads a moment.
"""

from datetime import UTC, datetime, timedelta, timezone

import psycopg
import pytest
from django.db import connection


def backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_a_connection_that_the_server_has_closed_is_not_given_out(committing_db):
    gone = backend()
    connection.close()
    with psycopg.connect(committing_db.owner_url, autocommit=True) as other:
        has_ended = other.execute("SELECT pg_terminate_backend(%s, 5000)", [gone]).fetchone()

    assert has_ended == (True,)
    assert backend() != gone


def test_a_connection_that_is_there_is_not_asked_whether_it_is(committing_db, monkeypatch):
    before = backend()
    connection.close()
    with monkeypatch.context() as patched:
        patched.setattr(psycopg.Connection, "execute", None)
        connection.ensure_connection()

    assert backend() == before


def test_the_connection_that_came_back_last_is_the_next_one(committing_db):
    pool = connection.pool  # type: ignore[attr-defined]  # PostgreSQL's own, and we have no other
    pool.open()
    first, second, third = (pool.getconn() for _ in range(3))
    for each in (second, third, first):
        pool.putconn(each)

    again = [pool.getconn() for _ in range(3)]
    for each in again:
        pool.putconn(each)

    assert again == [first, third, second]


@pytest.mark.parametrize(
    "moment",
    [
        datetime(2026, 11, 28, 21, 4, 25, 123_456, tzinfo=UTC),
        datetime(2026, 7, 1, 0, 0, tzinfo=UTC),
        datetime(2000, 2, 29, 23, 59, 59, 500_000, tzinfo=UTC),
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(2026, 7, 1, 3, 0, tzinfo=timezone(timedelta(hours=3))),
    ],
)
@pytest.mark.django_db
def test_a_moment_comes_back_as_it_was_stored_in_utc(moment):
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::timestamptz, ARRAY[%s::timestamptz], NULL::timestamptz", [moment, moment])
        read, (first,), none = cursor.fetchone()

    assert read == first == moment
    assert none is None
    assert read.tzinfo is first.tzinfo is UTC
