"""
Questions that several fragments ask of one snapshot of the database, and that are answered once.

A snapshot does not change, so the second answer would be the first one. Outside of one nothing is kept.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import connection, transaction

P = ParamSpec("P")
T = TypeVar("T")

_answers: ContextVar[dict[tuple[Any, ...], Any] | None] = ContextVar("answers", default=None)


def read_once(selector: Callable[P, T]) -> Callable[P, T]:
    """
    Have a selector ask once for what it is asked several times in one snapshot, under the same arguments.

    All who ask are given the same object: they must not change it. It may say nothing in the active language.
    """

    @wraps(selector)
    def asked(*args: P.args, **kwargs: P.kwargs) -> T:
        answers = _answers.get()
        if answers is None:
            return selector(*args, **kwargs)
        question = (selector, args, tuple(sorted(kwargs.items())))
        if question not in answers:
            answers[question] = selector(*args, **kwargs)
        found: T = answers[question]
        return found

    return asked


@contextmanager
def snapshot() -> Iterator[None]:
    """Have everything that is read be of one moment, whatever is written meanwhile; not inside another transaction."""
    nested = connection.in_atomic_block
    with transaction.atomic(savepoint=False):
        if not nested:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield


@contextmanager
def reading_once() -> Iterator[None]:
    """Keep answers for as long as one snapshot is read."""
    token = _answers.set({})
    try:
        yield
    finally:
        _answers.reset(token)
