"""
Rows that seldom change, read for pushes: whether they are still what they were at the last push is asked once, of all
that the screens of a push read, in one statement.

What a screen read the last time is what it will read again. A statement's print is the hash of its rows, made by
PostgreSQL in the snapshot that is being read: nothing that changes them is missed, whoever changes it. Only rows are
kept, as they came; what is made of them is made anew. Outside of pushes (`casino.reading.keeping`) everything is read.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.db import connection

from casino.reading import KEPT_MOST, Kept, is_keeping

# A constant text, and its values.
Statement = tuple[str, tuple[Any, ...]]


@dataclass
class _Push:
    """What the screens of a push read the last time and have read now, and the prints in this snapshot."""

    usual: dict[Statement, None] = field(default_factory=dict)
    # By screen: in its second language it asks nothing that its first has asked.
    read: dict[Hashable, dict[Statement, None]] = field(default_factory=dict)
    prints: dict[Statement, str | None] = field(default_factory=dict)

    def expect(self, screen: Hashable) -> None:
        self.usual.update(dict.fromkeys(_usual.get(screen, ())))


@dataclass
class _Screen:
    """What a screen has read now, in a push."""

    push: _Push
    read: dict[Statement, None]


_kept: Kept[Statement, list[tuple[Any, ...]]] = Kept()
# By screen, the one that was pushed last at the end.
_usual: dict[Hashable, Sequence[Statement]] = {}
_push: ContextVar[_Push] = ContextVar("push")
_screen: ContextVar[_Screen | None] = ContextVar("screen", default=None)


@contextmanager
def one_push(screens: Iterable[Hashable]) -> Iterator[None]:
    """Know the prints of one snapshot for as long as it is read, by the keys of the screens that it is read for."""
    push = _Push()
    for key in screens:
        push.expect(key)
    token = _push.set(push)
    try:
        yield
    finally:
        _push.reset(token)


@contextmanager
def screen(key: Hashable) -> Iterator[None]:
    """Read for one screen, which `key` names among all that this process ever pushes."""
    if not is_keeping():
        yield
        return
    push = _push.get()
    push.expect(key)
    reading = _Screen(push, push.read.setdefault(key, {}))
    token = _screen.set(reading)
    try:
        yield
    finally:
        _screen.reset(token)
    _usual.pop(key, None)
    _usual[key] = tuple(reading.read)
    if len(_usual) > KEPT_MOST:
        for old in list(_usual)[: KEPT_MOST // 2]:
            _usual.pop(old, None)


def rows(text: str, *values: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a statement, which are few and seldom change; `text` is constant."""
    reading = _screen.get()
    if reading is None:
        return _fetch(text, values)
    statement = text, tuple(tuple(value) if isinstance(value, list) else value for value in values)
    reading.read[statement] = None
    usual, prints = reading.push.usual, reading.push.prints
    if statement not in prints and statement in usual:
        prints.update(_print([each for each in usual if each not in prints]))
    if statement not in prints:
        return _fetch(text, values)
    return _kept.one(statement, prints[statement], lambda: _fetch(text, values))


def _fetch(text: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(text, values)
        return list(cursor.fetchall())


def _print(statements: Sequence[Statement]) -> dict[Statement, str | None]:
    values = [list(value) if isinstance(value, tuple) else value for _, given in statements for value in given]
    ((*prints,),) = _fetch(_of_all(tuple(text for text, _ in statements)), values)
    return dict(zip(statements, prints, strict=True))


@lru_cache(maxsize=512)
def _of_all(texts: tuple[str, ...]) -> str:
    hashed = "(SELECT md5(string_agg(found::text, E'\\n')) FROM (%s) found)"
    return "SELECT " + ", ".join(hashed.replace("%s", text, 1) for text in texts)
