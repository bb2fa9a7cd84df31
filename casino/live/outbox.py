"""
What happened without a notice being heard: the log of commands read again every second.

`live` and `audit` do not know each other, so the reader is handed in. Event ids are given before
commits: an event may appear below one that was read long ago, so each reading overlaps the last ones.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple


class Touched(NamedTuple):
    """One event: its id, its room, the audiences it touched, and the transaction that wrote it (32 bits)."""

    id: int
    room_id: int
    audiences: Sequence[str]
    transaction_id: int


Newest = Callable[[], int]
Since = Callable[[int], Iterable[tuple[int, int, Sequence[str], int]]]

# Longer than any transaction may dawdle between taking its event's id and its commit (a lock is waited for three
# seconds, an idle transaction ends after ten).
OVERLAP_SECONDS = 20.0
# What may still have been open when this process began to listen.
OVERLAP_AT_START = 200


class Outbox:
    """
    Reads events that this process has not seen. One thread at a time.

    :param newest: the id of the newest event, 0 when there is none.
    :param since: the events with a greater id, in order of id, as `Touched`'s columns.
    """

    def __init__(self, newest: Newest, since: Since) -> None:
        self._newest, self._since = newest, since
        self._floor: int | None = None
        self._marks: deque[tuple[float, int]] = deque()
        self._seen: set[int] = set()

    def read(self) -> list[Touched]:
        """Return the events that appeared since the last reading. One query (two the first time)."""
        if self._floor is None:
            self._floor = max(0, self._newest() - OVERLAP_AT_START)
        events = [Touched(*row) for row in self._since(self._floor)]
        fresh = [event for event in events if event.id not in self._seen]
        self._move_on(events)
        return fresh

    def _move_on(self, events: list[Touched]) -> None:
        moment = time.monotonic()
        if events and (not self._marks or events[-1].id > self._marks[-1][1]):
            self._marks.append((moment, events[-1].id))
        while self._marks and self._marks[0][0] < moment - OVERLAP_SECONDS:
            self._floor = self._marks.popleft()[1]
        self._seen = {event.id for event in events if self._floor is None or event.id > self._floor}
