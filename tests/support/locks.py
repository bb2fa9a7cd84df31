"""Tests in which one transaction holds a lock and another one has come to wait for it, or where there is no lock."""

import re
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model, QuerySet

from casino import rows
from tests.support.owner import as_owner
from tests.support.patience import wait_until

_LOCK = r"\s+FOR (NO KEY UPDATE|SHARE)"
_WAITERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


def until_somebody_waits() -> None:
    """Return as soon as somebody waits for a lock in this test's database."""
    # The role that serves is told nothing of others' sessions.
    with as_owner(), connection.cursor() as cursor:

        def is_waited_for() -> bool:
            cursor.execute(_WAITERS)
            return bool(cursor.fetchone()[0])

        wait_until(is_waited_for, "nobody came to wait for the lock")


def without_lock(monkeypatch: pytest.MonkeyPatch, model: type[Model]) -> None:
    """Have services read rows of a model where they would lock them: so the race is seen that the lock prevents."""
    locked, selected, joined = QuerySet.select_for_update, rows._select, rows._select_joined

    def read(found: QuerySet[Any], *args: Any, **kwargs: Any) -> QuerySet[Any]:
        return found.all() if found.model is model else locked(found, *args, **kwargs)

    def select(of: type[Model], tail: str, beside: str = "") -> str:
        return selected(of, re.sub(f"{_LOCK}$", "", tail) if of is model else tail, beside)

    def select_joined(of: tuple[type[Model], ...], tail: str) -> str:
        return joined(of, re.sub(rf"{_LOCK} OF {model._meta.db_table}\b", "", tail))

    monkeypatch.setattr(QuerySet, "select_for_update", read)
    monkeypatch.setattr(rows, "_select_joined", select_joined)
    monkeypatch.setattr(rows, "_select", select)
