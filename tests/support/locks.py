"""Races: who starts in one moment, who comes to wait for whose lock, and what happens where there is no lock."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Barrier, Event
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.db.models import Model, QuerySet

from casino import rows
from casino.errors import Refusal
from tests.support.owner import as_owner
from tests.support.patience import PATIENCE_SECONDS, wait_until

_LOCK = r"\s+FOR (NO KEY UPDATE|SHARE)"
_WAITERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


def at_once(number: int, work: Callable[[int], object]) -> list[object]:
    """Run `work(0..number-1)` in threads that start together; return what each returned or the exception it met."""
    together = Barrier(number, timeout=PATIENCE_SECONDS)

    def run(index: int) -> object:
        try:
            together.wait()
            return work(index)
        except Exception as problem:
            return problem
        finally:
            connections.close_all()

    with ThreadPoolExecutor(number) as threads:
        return list(threads.map(run, range(number)))


def codes(answers: list[object]) -> list[str]:
    """Return what became of each of `at_once`: "done", the code of its refusal, or the exception as it prints."""
    return [
        each.code if isinstance(each, Refusal) else repr(each) if isinstance(each, Exception) else "done"
        for each in answers
    ]


def until_somebody_waits() -> None:
    """Return as soon as somebody waits for a lock in this test's database."""
    # The role that serves is told nothing of others' sessions.
    with as_owner(), connection.cursor() as cursor:

        def is_waited_for() -> bool:
            cursor.execute(_WAITERS)
            return bool(cursor.fetchone()[0])

        wait_until(is_waited_for, "nobody came to wait for the lock")


def meet(
    begins: Callable[[], Any],
    other: Callable[[], Any],
    goes_on: Callable[[], Any] = lambda: None,
    *,
    waits: bool = True,
) -> None:
    """
    Let one transaction begin, another command come and wait for it, and the first one go on; both have to end.

    Without a lock the other one may not wait at all: it has ended (`waits` False) before the first one goes on.
    """
    has_begun, may_go_on, ended = Event(), Event(), Event()

    def first() -> None:
        try:
            with transaction.atomic():
                begins()
                has_begun.set()
                assert may_go_on.wait(PATIENCE_SECONDS)
                goes_on()
        finally:
            connections.close_all()
            ended.set()
            has_begun.set()

    def second() -> None:
        try:
            other()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        held = pool.submit(first)
        assert has_begun.wait(PATIENCE_SECONDS)
        if ended.is_set():
            # It was refused, or fails: nobody would wait for it.
            held.result()
        comes = pool.submit(second)
        try:
            if waits:
                until_somebody_waits()
            else:
                assert wait([comes], PATIENCE_SECONDS).done, "the other one waits"
        finally:
            may_go_on.set()
        held.result(timeout=PATIENCE_SECONDS)
        comes.result(timeout=PATIENCE_SECONDS)
    connection.close()


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


def without_constraint(model: type[Model], name: str) -> None:
    """Take a constraint of a model away, in a database of the test's own: for a race that it alone decides."""
    (constraint,) = [each for each in model._meta.constraints if each.name == name]
    with as_owner(), connection.schema_editor() as editor:
        editor.remove_constraint(model, constraint)
