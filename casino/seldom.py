"""
Rows that seldom change, read for pushes and answers to taps: whether they are still what they were at the last push is
asked once, of all that its screens read, mostly in one trip. With it comes what they read anew each time
(`rows_along`).

What a screen read the last time is what it will read again. A statement's print is the hash of its rows, made by
PostgreSQL in the snapshot that is being read: nothing that changes them is missed, whoever changes it. Only rows are
kept, as they came; what is made of them is made anew. Where nothing is kept (`casino.reading.keeping`) all is read.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from django.db import connection

from casino.reading import KEPT_MOST, Kept, is_keeping


class Statement(NamedTuple):
    """A constant text, and its values; whether a push is told its rows, or only their print."""

    text: str
    values: tuple[Any, ...]
    comes_along: bool


@dataclass
class Push:
    """What the screens of a push read the last time and have read now, and what they are told in this snapshot."""

    # Each with the first screen that reads it: that one's question asks it.
    usual: dict[Statement, Hashable] = field(default_factory=dict)
    screens: list[Hashable] = field(default_factory=list)
    # By screen: in its second language it asks nothing that its first has asked.
    read: dict[Hashable, dict[Statement, None]] = field(default_factory=dict)
    # A print (None: of no rows), or the rows of what comes along, by column.
    answers: dict[Statement, Any] = field(default_factory=dict)

    def expect(self, screen: Hashable) -> None:
        """Have what this screen read the last time be part of the next `questions`."""
        self.screens.append(screen)
        for statement in _usual.get(screen, ()):
            self.usual.setdefault(statement, screen)

    def questions(self) -> list[tuple[str, list[Any]]]:
        """
        Return what is asked of all that is usual and not known yet: columns after others', and their values.

        One for each screen that is the first to ask anything: the tablets of any tables ask by the same few texts,
        which PostgreSQL has planned. A text for several together would be another each time, and to plan one takes it
        longer than all else in a push.
        """
        return [_question(list(unknown)) for _screen, unknown in groupby(self._unknown(), self.usual.__getitem__)]

    def hear(self, answers: Iterable[Any]) -> None:
        """Take the answers to `questions`, in their order."""
        self.answers.update(zip(self._unknown(), answers, strict=True))

    def was_read(self, statement: Statement) -> bool:
        """Say whether any screen of this push has read a statement."""
        return any(statement in read for read in self.read.values())

    def forget(self) -> None:
        """Where a question itself fails: have each screen ask its own the next time, so that one fails alone."""
        for screen in self.screens:
            _usual.pop(screen, None)

    def _unknown(self) -> list[Statement]:
        return [each for each in self.usual if each not in self.answers]


@dataclass
class _Screen:
    """What a screen has read now, in a push."""

    push: Push
    read: dict[Statement, None]


_kept: Kept[Statement, list[tuple[Any, ...]]] = Kept()
# By screen, the one that was pushed last at the end.
_usual: dict[Hashable, Sequence[Statement]] = {}
_push: ContextVar[Push] = ContextVar("push")
_screen: ContextVar[_Screen | None] = ContextVar("screen", default=None)


@contextmanager
def one_push(screens: Iterable[Hashable]) -> Iterator[Push]:
    """
    Know what was answered in one snapshot for as long as it is read, by the keys of the screens that it is read for.

    Yield what has the `questions`: they are best asked as the snapshot begins. If not, the first reading asks them.
    """
    push = Push()
    for key in screens:
        push.expect(key)
    token = _push.set(push)
    try:
        yield push
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
    # What another screen of this push has read (`casino.reading.read_once`) it has not read itself, and would alone;
    # what it would not any more goes when it is pushed alone.
    by_others = [each for each in _usual.get(key, ()) if push.was_read(each)]
    # In one order, whichever was read first: so the text of its question is that of every other screen of its kind.
    _usual.pop(key, None)
    _usual[key] = sorted({**reading.read, **dict.fromkeys(by_others)}, key=lambda each: each.text)
    if len(_usual) > KEPT_MOST:
        # As in `Kept`: no other thread comes between while the keys are listed.
        for old in list(_usual)[: KEPT_MOST // 2]:
            _usual.pop(old, None)


def rows(text: str, *values: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a statement, which are few and seldom change; `text` is constant."""
    statement = _statement(text, values, comes_along=False)
    answers = _answers_of(statement)
    if statement not in answers:
        return _fetch(text, values)
    return _kept.one(statement, answers[statement], lambda: _fetch(text, values))


def rows_along(text: str, *values: Any) -> list[tuple[Any, ...]]:
    """
    Return the rows of a statement, which mostly are others each time: whole numbers and texts; `text` is constant, and
    names its columns.
    """
    statement = _statement(text, values, comes_along=True)
    answers = _answers_of(statement)
    if statement not in answers:
        return _fetch(text, values)
    return [tuple(row.values()) for row in answers[statement] or ()]


def _statement(text: str, values: Sequence[Any], *, comes_along: bool) -> Statement:
    return Statement(text, tuple(tuple(value) if isinstance(value, list) else value for value in values), comes_along)


def _answers_of(statement: Statement) -> dict[Statement, Any]:
    """Return what this push is told, after asking for all that is usual where this statement is; {} outside of one."""
    reading = _screen.get()
    if reading is None:
        return {}
    reading.read[statement] = None
    usual, answers = reading.push.usual, reading.push.answers
    if statement not in answers and statement in usual:
        reading.push.hear([answer for each in reading.push.questions() for answer in _fetch(*alone(*each))[0][1:]])
    return answers


def _fetch(text: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(text, values)
        return list(cursor.fetchall())


def alone(columns: str, values: Sequence[Any]) -> tuple[str, Sequence[Any]]:
    """Return a statement that reads these columns by itself, and its values; its row begins with a 1 before them."""
    return f"SELECT 1{columns}", values


def _question(statements: Sequence[Statement]) -> tuple[str, list[Any]]:
    values = [list(value) if isinstance(value, tuple) else value for each in statements for value in each.values]
    return _columns(tuple((each.text, each.comes_along) for each in statements)), values


@lru_cache(maxsize=512)
def _columns(statements: tuple[tuple[str, bool], ...]) -> str:
    print_of, rows_of = "md5(string_agg(found::text, E'\\n'))", "json_agg(found)"
    of_each = (f"(SELECT {rows_of if along else print_of} FROM ({text}) found)" for text, along in statements)  # noqa: S608
    return "".join(f", {each}" for each in of_each)
