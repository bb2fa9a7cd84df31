"""
What is looked at, and its renders: all that stirred at about the same time is rendered from one snapshot.

A tap changes several audiences, each perhaps in several languages, and most of what their fragments read is the
same. So what stirred together runs in one thread, one after another, and is read once (`casino.reading`). A house that
is tapped faster than it renders has screens that come later, not taps that do.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from django.db import connections

from casino.live.mailbox import Frame, Socket
from casino.live.render import Fragment, Stamp, one_snapshot

T = TypeVar("T")
RETRY_SECONDS = 1.0
# After a gap in Redis all that is looked at is rendered: not all of it from a snapshot that grows old meanwhile.
ONE_SNAPSHOT_MAX = 8
# One screen that takes long never has all others wait for it.
SNAPSHOTS_AT_ONCE = 2
# While more waits already, the place of a snapshot that has been read stays empty, for so many times as long as it had
# the processor: what is tapped comes first, and what stirs again meanwhile is rendered once. A heavy one (a process's
# first are many times as heavy as all others) delays the next by no more than REST_SECONDS_MAX, so that after a gap in
# Redis, when all is due at once, it is there a second later at worst.
REST_PER_PROCESSOR_SECOND = 3.0
REST_SECONDS_MAX = 0.15

logger = logging.getLogger(__name__)


def alone(function: Callable[..., T], *args: object) -> T:
    """Call a function in this thread, and give the database connection back to the pool after it."""
    try:
        return function(*args)
    finally:
        connections.close_all()


class Watch:
    """One audience in one language, for as long as somebody here looks at it. Event loop only."""

    def __init__(self, audience: str, language: str, renderer: "Renderer") -> None:
        self.audience, self.language = audience, language
        self.sockets: set[Socket] = set()
        self.frame: Frame | None = None
        self._renderer = renderer
        self._stamp: Stamp | None = None
        self._is_rendering = False
        self._again = False
        self._is_failing = False
        self._unsure: list[int] = []

    def show(self) -> None:
        """Render for the first who look; whoever comes while that runs is served by it too."""
        if not self._is_rendering:
            self._renderer.put(self)

    def stir(self) -> None:
        """Something changed, or may have: render soon, or once more after the render that runs."""
        if self._is_rendering:
            self._again = True
        else:
            self._renderer.put(self)

    def stir_for(self, transaction_id: int) -> None:
        """Render unless what is shown, or is being rendered, has seen this transaction."""
        if self._is_rendering:
            self._unsure.append(transaction_id)
        elif self._stamp is None or not self._stamp.has_seen(transaction_id):
            self._renderer.put(self)

    def begins(self) -> None:
        """The render begins now: it will see all that was heard so far."""
        self._is_rendering, self._again, self._unsure = True, False, []

    def made(self, fragment: Fragment) -> None:
        """Hand what was rendered to whoever looks, and stir again for what came meanwhile."""
        self._is_rendering = self._is_failing = False
        self._stamp = fragment.stamp
        self.frame = Frame(fragment.frame())
        for socket in self.sockets:
            socket.mailbox.put(self.audience, self.frame)
        # Judged once: the next render begins after these were read, so it is sure to see them.
        if self._again or any(not self._stamp.has_seen(number) for number in self._unsure):
            self._renderer.put(self)

    def failed(self, error: Exception) -> None:
        """Log the error of a render, once in a row: it is tried again each second while somebody looks."""
        if not self._is_failing:
            logger.error("a fragment could not be rendered", extra={"audience": self.audience}, exc_info=error)
        self._is_failing = True
        # It counts as rendering until then: what stirs meanwhile waits, and does not have it fail again with each tap.
        asyncio.get_running_loop().call_later(RETRY_SECONDS, self._try_again)

    def _try_again(self) -> None:
        self._is_rendering = False
        self._renderer.put(self)


class Renderer:
    """Renders one room's watches, which rest by themselves, whatever other rooms do. Event loop only."""

    def __init__(self, room_id: int, threads: ThreadPoolExecutor) -> None:
        self._room_id, self._threads = room_id, threads
        self._loop = asyncio.get_running_loop()
        # In the order in which they stirred.
        self._due: dict[Watch, None] = {}
        self._is_gathering = False
        # Snapshots that are being read or rested from; a rest holds a place, and no thread.
        self._running = 0

    def put(self, watch: Watch) -> None:
        """Have this watch rendered; several times before that are once."""
        self._due[watch] = None
        self._gather()

    def _gather(self) -> None:
        if self._due and not self._is_gathering and self._running < SNAPSHOTS_AT_ONCE:
            self._is_gathering = True
            # Once all that is being stirred has been: a notice names everything that its tap changed.
            self._loop.call_soon(self._run)

    def _run(self) -> None:
        self._is_gathering = False
        waiting = [watch for watch in self._due if watch.sockets]
        due, later = waiting[:ONE_SNAPSHOT_MAX], waiting[ONE_SNAPSHOT_MAX:]
        self._due = dict.fromkeys(later)
        if due:
            self._running += 1
            for watch in due:
                watch.begins()
            self._threads.submit(alone, self._render, due)
        self._gather()

    def _ran(self, processor_seconds: float) -> None:
        if self._due:
            self._loop.call_later(min(REST_PER_PROCESSOR_SECOND * processor_seconds, REST_SECONDS_MAX), self._rested)
        else:
            self._rested()

    def _rested(self) -> None:
        self._running -= 1
        self._gather()

    def _render(self, due: list[Watch]) -> None:
        """Render in this thread; each fragment is handed out as soon as it is there."""
        begun = time.thread_time()
        try:
            self._render_all(due)
        finally:
            self._in_loop(self._ran, time.thread_time() - begun)

    def _render_all(self, due: list[Watch]) -> None:
        are_together = True
        while due:
            is_open = False
            try:
                audiences = [watch.audience for watch in (due if are_together else due[:1])]
                with one_snapshot(self._room_id, from_kept=True, audiences=audiences) as fragment_of:
                    is_open = True
                    while due:
                        made = fragment_of(due[0].audience, due[0].language)
                        self._in_loop(due.pop(0).made, made)
            except Exception as error:
                if not is_open and are_together and len(due) > 1:
                    # What is read for all of them may fail for one: each reads for itself now, and fails alone.
                    are_together = False
                    continue
                # Where no snapshot is to be had there is none for any of them.
                unmade = 1 if is_open else len(due)
                for watch in due[:unmade]:
                    self._in_loop(watch.failed, error)
                del due[:unmade]

    def _in_loop(self, call: Callable[..., None], *args: object) -> None:
        # Nobody looks any more once the loop is closed.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call, *args)
