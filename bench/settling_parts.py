"""Where the time of a settled hand goes, seen from inside the service."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

# Functions by the part that they are, as the modules know them that call them.
PARTS = {
    "rules": ("tables.rules.settling.charge_pots", "tables.services.dealing.next_hand_at"),
    "log's text and hash": ("casino.audit.services.canonical", "casino.audit.services.link"),
    "notice to the screens": ("casino.commands.carrying_out.publish",),
}


class Stopwatch:
    """Seconds by part, and how many statements there were."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.statements = 0

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function, timed as this part."""

        def run(*args: Any, **kwargs: Any) -> Any:
            began = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self.seconds[part] = self.seconds.get(part, 0.0) + time.perf_counter() - began

        return run

    def statement(self, execute: Callable[..., Any], *args: Any) -> Any:
        """Time one statement, as Django's `execute_wrapper` wants it."""
        self.statements += 1
        return self.timed("statements", execute)(*args)


def parts_of(work: Callable[[], float], *, hands: int) -> dict[str, float]:
    """
    Return milliseconds a hand by part while `work` settles so many, and the number of statements a hand.

    What is none of the parts is the service's own Python, the ORM's among it. `work` returns its seconds.
    """
    watch = Stopwatch()
    with ExitStack() as stack:
        stack.enter_context(connection.execute_wrapper(watch.statement))
        commit = BaseDatabaseWrapper._commit  # type: ignore[attr-defined]  # Django's own, the one place before COMMIT
        stack.enter_context(patch.object(BaseDatabaseWrapper, "_commit", watch.timed("commit", commit)))
        stack.enter_context(_functions_timed(watch))
        whole = work()
    watch.seconds["service and ORM"] = whole - sum(watch.seconds.values())
    return {part: 1000 * seconds / hands for part, seconds in watch.seconds.items()} | {
        "number of statements": watch.statements / hands
    }


@contextmanager
def _functions_timed(watch: Stopwatch) -> Iterator[None]:
    with ExitStack() as stack:
        for part, names in PARTS.items():
            for name in names:
                stack.enter_context(patch(name, _timed_by_name(watch, part, name)))
        yield


def _timed_by_name(watch: Stopwatch, part: str, name: str) -> Callable[..., Any]:
    module, _, function = name.rpartition(".")
    return watch.timed(part, getattr(__import__(module, fromlist=[function]), function))
