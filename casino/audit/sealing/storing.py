"""
What of the seals is in the store, and the thread that puts them there.

The sealer never waits for a store: it hands over what is due, and goes on. A store that hangs holds this thread alone,
and that until the answer's end.
"""

import logging
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain, islice, zip_longest
from pathlib import Path

import msgspec

from casino.audit.models import Seal, SealKey
from casino.audit.sealing.copies import NotStored
from casino.audit.sealing.key import make_folder
from casino.audit.sealing.store import SealStore
from casino.embedded.home import write_private

FILE = "in-store.json"

# What was put after the account was written is put once more by a process that comes after a crash.
NOTE_EVERY = 10

_log = logging.getLogger(__name__)


class _Account(msgspec.Struct):
    """
    Which seals should be at one place, and which of them are not there yet.

    By room `ends` has the number of the newest seal, and `missing` ranges of numbers, (first, last), ascending.
    """

    place: str
    ends: dict[int, int] = {}
    missing: dict[int, list[tuple[int, int]]] = {}
    keys: list[str] = []

    def expect(self, room_id: int, number: int) -> int:
        """Note that the room's seals up to this one are to be there; return the first number that is now due."""
        ranges = self.missing.get(room_id, [])
        first = self.ends.get(room_id, number - 1) + 1
        if first > number:
            # The database ended before: its seals from here on are others.
            ranges = [(low, min(high, number - 1)) for low, high in ranges if low < number]
            first = number
        if ranges and ranges[-1][1] == first - 1:
            ranges, first_missing = ranges[:-1], ranges[-1][0]
        else:
            first_missing = first
        self.missing[room_id] = [*ranges, (first_missing, number)]
        self.ends[room_id] = number
        return first

    def done(self, room_id: int, number: int) -> None:
        """Note that seal `number` is stored there, or never will be."""
        kept = []
        for low, high in self.missing.get(room_id, []):
            kept += (
                [(low, min(high, number - 1)), (max(low, number + 1), high)] if low <= number <= high else [(low, high)]
            )
        self.missing[room_id] = [(low, high) for low, high in kept if low <= high]

    def behind(self) -> int:
        """Return how many seals are not there yet."""
        return sum(high - low + 1 for ranges in self.missing.values() for low, high in ranges)


class StoreCopy:
    """
    The store as a copy of the seals: the sealer, who may read nothing there, keeps account of it beside its key.

    The first seal that is put there is the newest: each names the one before, so that it holds all of them.
    """

    def __init__(self, store: SealStore, folder: Path) -> None:
        self._store = store
        self._file = folder / FILE
        self._account = _read(self._file, store.place)
        # Of the account and of what follows.
        self._changed = threading.Condition()
        self._due: deque[Seal | SealKey] = deque()
        self._in_hand: Seal | SealKey | None = None
        self._at: datetime | None = None
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self._put_since_noted = 0
        # The next round begins with the room after it.
        self._last_room = 0
        # What stands in the way is said once, not each minute anew.
        self._reported: set[str] = set()
        self._reporting: set[str] = set()
        self._is_behind = False

    def expect(self, seal: Seal, *, most: int) -> list[int]:
        """Note that a new seal is due; return the numbers of those before it that are too, the first `most`."""
        room_id, number = seal.room_id, seal.number or 0
        with self._changed:
            before = self._account.ends.get(room_id)
            first = self._account.expect(room_id, number)
            if before is None:
                _log.warning("The seals of room %s go into the store from number %s on.", room_id, first)
            elif before >= number:
                _log.error(
                    "seals are missing: the store knows number %d, and the database ended before %d; see audit verify",
                    before, number, extra={"room": room_id},
                )  # fmt: skip
            numbers = chain.from_iterable(range(low, high + 1) for low, high in self._account.missing[room_id])
            return list(islice((each for each in numbers if each != number), most))

    def give_up(self, room_id: int, numbers: Iterable[int]) -> None:
        """Expect seals no more that the database has lost."""
        with self._changed:
            for number in numbers:
                self._account.done(room_id, number)
                _log.error(
                    "seal %d is missing in the database before the store got it; see audit verify",
                    number, extra={"room": room_id},
                )  # fmt: skip

    def give(
        self, newest: Sequence[Seal], missed: Iterable[Sequence[Seal]], keys: Iterable[SealKey], *, at: datetime
    ) -> None:
        """
        Hand over what is due, in the place of what was handed over before, and wait for nothing.

        Keys first, then the newest seal of each room, then what was missed, the rooms in turns.

        :raises OSError: what is due cannot be noted, so that nothing was handed over.
        """
        if not newest:
            return
        with self._changed:
            self._note()
            self._say_whether_behind(self._account.behind() - len(newest))
            due: list[Seal | SealKey] = [key for key in keys if key.public not in self._account.keys]
            due += self._turned(newest)
            due += [each for turn in zip_longest(*missed) for each in self._turned([s for s in turn if s])]
            # What is being put just now is tried again only if that fails.
            self._due = deque(each for each in due if each != self._in_hand)
            self._at = at
            self._reported, self._reporting = self._reporting, set()
            self._changed.notify_all()
            if self._thread is None or not self._thread.is_alive():
                self._in_hand = None
                # A daemon: a store that hangs does not keep the sealer from ending.
                self._thread = threading.Thread(target=self._work, name="seals-to-store", daemon=True)
                self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait until all that was handed over was tried, no longer than this; say whether it was."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._due and self._in_hand is None, seconds)

    def close(self) -> None:
        """Put nothing more, and wait for no answer: what is not known to be there is due again."""
        with self._changed:
            self._is_closed = True
            self._due.clear()
            self._changed.notify_all()
            if self._put_since_noted:
                # What is not noted is due again, and put once more.
                with suppress(OSError):
                    self._note()

    def _turned(self, seals: Sequence[Seal]) -> list[Seal]:
        """Return them so that the room after the one that came last is the first: none waits for ever."""
        return sorted(seals, key=lambda seal: (seal.room_id <= self._last_room, seal.room_id))

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._due or self._is_closed)
                if self._is_closed:
                    return
                due, at = self._due, self._at
                self._in_hand = due.popleft()
            problem = ""
            try:
                assert at is not None
                if isinstance(self._in_hand, Seal):
                    self._store.put(self._in_hand, at=at)
                else:
                    self._store.put_key(self._in_hand, at=at)
            except NotStored as why:
                problem = str(why)
            with self._changed:
                if problem and isinstance(self._in_hand, Seal):
                    # The rest of this room waits for the next round, unless that has begun.
                    rest = [each for each in due if getattr(each, "room_id", 0) != self._in_hand.room_id]
                    due.clear()
                    due.extend(rest)
                self._note_outcome(self._in_hand, problem)
                self._in_hand = None
                self._changed.notify_all()

    def _note_outcome(self, each: Seal | SealKey, problem: str) -> None:
        if isinstance(each, SealKey) and not problem:
            self._account.keys.append(each.public)
        elif isinstance(each, Seal) and not problem:
            self._last_room = each.room_id
            self._account.done(each.room_id, each.number or 0)
        self._put_since_noted += 1
        try:
            if problem or not self._due or self._put_since_noted >= NOTE_EVERY:
                self._note()
        except OSError as why:
            problem = problem or str(why)
        if problem:
            if problem not in self._reported | self._reporting:
                _log.warning("The seals cannot be put into the store: %s", problem)
            self._reporting.add(problem)

    def _note(self) -> None:
        make_folder(self._file.parent)
        write_private(self._file, msgspec.json.encode(self._account).decode())
        self._put_since_noted = 0

    def _say_whether_behind(self, behind: int) -> None:
        if behind and not self._is_behind:
            _log.warning("The store is %d seals behind.", behind)
        elif not behind and self._is_behind:
            _log.warning("The store has all seals again.")
        self._is_behind = bool(behind)


def _read(file: Path, place: str) -> _Account:
    try:
        kept = msgspec.json.decode(file.read_bytes(), type=_Account)
    except (OSError, msgspec.MsgspecError):
        # As with a new store: the newest seal is put first, and holds all before it.
        return _Account(place)
    return kept if kept.place == place else _Account(place)
