"""Tests in which one transaction holds a lock and another one has come to wait for it."""

import pytest
from django.db import connection

from tests.support.owner import as_owner

_WAITERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


def until_somebody_waits() -> None:
    """Return as soon as somebody waits for a lock in this test's database."""
    # The role that serves is told nothing of others' sessions.
    with as_owner(), connection.cursor() as cursor:
        for _ in range(20_000):
            cursor.execute(_WAITERS)
            if cursor.fetchone()[0]:
                return
    pytest.fail("nobody came to wait for the lock")
