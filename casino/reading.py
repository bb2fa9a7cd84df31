"""
Questions that are asked several times of one state of the room, by the fragments of one snapshot of the database or by
the lines of a day's checklist, and that are answered once; and values made of rows, kept from one snapshot to the next
while those rows are the same.

A snapshot does not change, so the second answer would be the first one. Outside of `reading_once` nothing is kept.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from contextvars import ContextVar
from functools import wraps
from inspect import unwrap
from typing import Any, Generic, ParamSpec, TypeVar

from django.db import connection, transaction

from casino.pipelines import sent_together

P = ParamSpec("P")
T = TypeVar("T")

K = TypeVar("K")
V = TypeVar("V")

_answers: ContextVar[dict[tuple[Any, ...], Any] | None] = ContextVar("answers", default=None)


# Which database is read where values may be kept, None where they may not; see `keeping`.
_origin: ContextVar[tuple[int, ...] | None] = ContextVar("origin", default=None)


# Several times what forty tables show in five languages; what is of an opening that ended has to make room.
KEPT_MOST = 2048


class Kept(Generic[K, V]):
    """
    Values made of rows: each is kept until what it was read from is another, and is then made anew.

    A value's version is everything that it was read from, in the snapshot that is being read. Mostly that is the rows'
    `xmin`: the transaction that wrote each of them as it stands, which changes with whatever is changed, also by hand.
    All who ask are given the same object, in any number of threads: they must not change it. Only pushes and answers to
    taps keep anything (`keeping`): pages are made of what is read then, and so show whether either was wrong.
    Of more than `most` values the half that was made last stays.
    """

    def __init__(self, most: int = KEPT_MOST) -> None:
        self._values: dict[K, tuple[Hashable, V]] = {}
        self._most = most

    def of(self, versions: Mapping[K, Hashable], make: Callable[[Sequence[K]], Mapping[K, V]]) -> dict[K, V]:
        """Return the value of each key, in the order of the keys; `make` returns those of the keys it is given, all."""
        origin = _origin.get()
        if origin is None:
            return dict(make(list(versions)))
        values, new = {}, []
        for key, version in versions.items():
            kept = self._values.get(key)
            if kept is not None and kept[0] == (origin, version):
                values[key] = kept[1]
            else:
                new.append(key)
        if new:
            made = make(new)
            for key in new:
                values[key] = made[key]
                self._values.pop(key, None)
                self._values[key] = ((origin, versions[key]), made[key])
            if len(self._values) > self._most:
                # `list` of the keys alone cannot be stopped halfway: of pairs, which are new objects, it may be by a
                # collection of garbage, and by another thread in that, which keeps something meanwhile.
                for old in list(self._values)[: -self._most // 2]:
                    self._values.pop(old, None)
        return {key: values[key] for key in versions}

    def one(self, key: K, version: Hashable, make: Callable[[], V]) -> V:
        """Return the value of one key."""
        return self.of({key: version}, lambda keys: {key: make()})[key]


@contextmanager
def keeping(origin: tuple[int, ...]) -> Iterator[None]:
    """
    Let values be kept while one committed snapshot is read; `origin` names the database as long as its numbers go on.

    Not inside a transaction that writes: what it wrote twice has the same `xmin`.
    """
    token = _origin.set(origin)
    try:
        yield
    finally:
        _origin.reset(token)


def is_keeping() -> bool:
    """Say whether values are kept: else it costs nothing to ask for versions, and is of no use."""
    return _origin.get() is not None


def read_once(selector: Callable[P, T]) -> Callable[P, T]:
    """
    Have a selector ask once for what it is asked several times in one snapshot, under the same arguments.

    All who ask are given the same object: they must not change it. It may say nothing in the active language.
    """

    @wraps(selector)
    def once(*args: P.args, **kwargs: P.kwargs) -> T:
        answers = _answers.get()
        if answers is None:
            return selector(*args, **kwargs)
        question = (selector, args, tuple(sorted(kwargs.items())))
        if question not in answers:
            answers[question] = selector(*args, **kwargs)
        answer: T = answers[question]
        return answer

    return once


def answer_ahead(once: Callable[P, T], answer: T, *args: P.args, **kwargs: P.kwargs) -> None:
    """
    Give the answer to what a selector has not been asked yet, read together with others' answers. Nothing wraps the
    selector but `read_once`.
    """
    answers = _answers.get()
    if answers is not None:
        answers[(unwrap(once), args, tuple(sorted(kwargs.items())))] = answer


class _BegunByItself(transaction.Atomic):
    """
    A transaction whose first statement has to be its own BEGIN, of whichever kind, and is sent together with others.

    psycopg would send one in a trip of its own, also where statements are sent together. So it stays in autocommit, and
    only Django knows of the transaction, which it ends as any other.
    """

    def __enter__(self) -> None:
        connection.ensure_connection()
        connection.commit_on_exit, connection.needs_rollback = True, False
        connection.autocommit, connection.in_atomic_block = False, True
        connection.atomic_blocks.append(self)


@contextmanager
def snapshot(*first: tuple[str, Sequence[Any]]) -> Iterator[list[tuple[Any, ...]]]:
    """
    Have everything that is read be of one moment, whatever is written meanwhile; not inside another transaction.

    Yield the row of each of the `first` statements (text, values), which are sent along with what makes it a snapshot.
    """
    # Only tests stand in one: what is read then is of that transaction.
    nested = connection.in_atomic_block
    begun = transaction.atomic(savepoint=False) if nested else _BegunByItself(None, savepoint=False, durable=False)
    with begun, ExitStack() as cursors:
        with nullcontext() if nested else sent_together():
            sent = [cursors.enter_context(connection.cursor()) for _ in first]
            if not nested:
                cursors.enter_context(connection.cursor()).execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            for cursor, (text, values) in zip(sent, first, strict=True):
                cursor.execute(text, values)
        yield [cursor.fetchone() for cursor in sent]


@contextmanager
def reading_once() -> Iterator[None]:
    """Keep answers for as long as one snapshot is read, or what is to be one state of the room; write nothing in it."""
    token = _answers.set({})
    try:
        yield
    finally:
        _answers.reset(token)
