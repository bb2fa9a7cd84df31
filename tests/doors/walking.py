"""Ways walked one after the other in one evening, each from the same state, which is put back after it."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from casino import clock
from casino.rooms.selectors import _books
from tests.doors.way import Names, Way, evening
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.taps import at_desktop

# Of each sequence its name, and the last id that it gave.
Ids = set[tuple[str, int | None]]
# Yields what is wrong with a way, tried in its own browser or at the manager's desktop.
Tries = Callable[[Way, Callable[[House], Client], House], Iterator[str]]
Walk = Callable[[Iterable[Way], Tries], None]


@pytest.fixture
def walk(house: House, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Walk:
    """Return what has each of some ways tried, and fails over all that is wrong."""
    # What a page draws afterwards is the audiences' own claim, and most of what a tap costs.
    monkeypatch.setattr("casino.live.render.fragment", lambda *audience: SimpleNamespace(html="", stamp=0))
    settings.PHONE_URL = "https://phones.example"

    def walked(ways: Iterable[Way], tries: Tries) -> None:
        evening(house)
        desktop = at_desktop(house.cast.mari)
        wrong: list[str] = []
        # The evening is over by a whole minute, as sheets have it, and what begins then for half an hour still runs.
        began, now = house.at + timedelta(minutes=5), house.at + timedelta(minutes=30)
        with clock.frozen(now):
            at_first = next_ids()
            for way in ways:
                # What the ways before did is undone, and so is the time that it took.
                house.at = began
                with undone(at_first):
                    if way.before is not None:
                        way.before(house)
                    wrong += tries(way, way.by or (lambda house: desktop), house)
        assert not wrong, "\n".join(wrong)

    return walked


@contextmanager
def undone(before: Ids) -> Iterator[None]:
    """Undo what is done meanwhile, and give the ids again that it took since `before`."""
    mark, books = transaction.savepoint(), dict(_books)
    try:
        yield
    finally:
        transaction.savepoint_rollback(mark)
        # A version that is made next has the id of another text.
        _books.clear()
        _books.update(books)
        taken = before - next_ids()
        with as_owner(), connection.cursor() as cursor:
            for name, last in taken:
                cursor.execute("SELECT setval(%s, %s, %s)", [name, last or 1, last is not None])


def next_ids() -> Ids:
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SELECT schemaname || '.' || quote_ident(sequencename), last_value FROM pg_sequences")
        return set(cursor.fetchall())


def filled(value: Any, names: Names) -> Any:
    if isinstance(value, dict):
        return {filled(name, names): filled(each, names) for name, each in value.items()}
    if isinstance(value, list):
        return [filled(each, names) for each in value]
    if isinstance(value, str) and (whole := re.fullmatch(r"{(\w+)}", value)):
        return names[whole[1]]
    return re.sub(r"{(\w+)}", lambda found: str(names[found[1]]), value) if isinstance(value, str) else value
