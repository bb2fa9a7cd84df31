"""
The sealer: a process of its own, whose role alone adds seals and whose key nobody else can read.

Once a minute it signs the heads of all chains of each room, those that have moved since its seal before; its first one
after a start has all. It asks for nothing but the database: no Redis, no worker, no timer of beat.
"""

import logging
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from django.db import DatabaseError, IntegrityError, InterfaceError, connection, connections
from psycopg_pool import PoolTimeout

from casino import clock
from casino.audit.hashes import GENESIS, canonical
from casino.audit.models import Chain, Seal, SealKey
from casino.audit.sealing.copies import SealFile, SealLog, line_of, line_of_key
from casino.audit.sealing.key import Key, NoKey, begin_key, put_aside, read_key
from casino.audit.sealing.text import hash_of, text_of
from casino.rooms.models import Room

if TYPE_CHECKING:
    # Loaded only where a store is named: it brings a client of its own.
    from casino.audit.sealing.storing import StoreCopy

SECONDS = 60
"""How often each room is sealed."""

TRY_AGAIN_SECONDS = 2

# How many seals of a room that a store has missed are handed over in one round.
DUE_MAX = 500

_log = logging.getLogger(__name__)


class Sealer:
    """Seals every room; keeps in memory what it sealed last."""

    def __init__(self, folder: Path, *, file: Path, syslog: str = "", store: "StoreCopy | None" = None) -> None:
        self._folder = folder
        self._file = SealFile(file)
        self._syslog = SealLog(syslog) if syslog else None
        self._store = store
        self._keys: list[SealKey] = []
        # By room the number of the seal that was made last, and all heads as it and those before it say.
        self._last: dict[int, tuple[int, dict[str, tuple[int, str]]]] = {}
        # What stands in the way is said once, not each minute anew.
        self._reported: set[str] = set()
        self._reporting: set[str] = set()
        # What this round made, for the log host and the store; and what the store has missed, by room.
        self._lines: list[str] = []
        self._newest: list[Seal] = []
        self._missed: list[list[Seal]] = []

    def seal_rooms(self) -> bool:
        """
        Seal each room now and carry the seals elsewhere; return False when the database was not there to ask.

        All rooms are sealed, and are in the file, before anything is sent: no other host keeps a seal waiting.
        """
        self._reporting, self._lines, self._newest, self._missed = set(), [], [], []
        try:
            # A house without a room has no key: it may become that of a backup, which brings keys of its own.
            if rooms := list(Room.objects.order_by("id").values_list("id", flat=True)):
                key = self._key()
                for room_id in rooms:
                    self._seal(key, room_id, at=clock.now())
        except (DatabaseError, InterfaceError, PoolTimeout) as problem:
            self._say(f"The log cannot be sealed now: {problem}")
            return False
        except NoKey as problem:
            self._say(str(problem))
            return True
        finally:
            if not connection.in_atomic_block:
                connections.close_all()
            self._send()
            self._reported = self._reporting
        return True

    def close(self) -> None:
        """Let go of the log host and the store."""
        if self._syslog is not None:
            self._syslog.close()
        if self._store is not None:
            self._store.close()

    def _key(self) -> Key:
        known = {kept.version: kept for kept in SealKey.objects.all()}
        newest = max(known, default=0)
        # Read each time: it may have been turned over.
        key = read_key(self._folder)
        if key and _is_of_another_house(key, known.values()):
            self._say(f"A key of another house was put aside as {put_aside(self._folder, key)}: a new one seals.")
            key = None
        key = key or begin_key(self._folder, version=newest + 1)
        for each in key.introductions:
            if each.version not in known:
                known[each.version] = SealKey.objects.create(
                    version=each.version, public=each.public, signature=each.signature, at=clock.now()
                )
                self._lines.append(line_of_key(known[each.version]))
        if newest > key.version:
            raise NoKey(f"The key in {self._folder} is an old one: {key.version}, and {newest} has sealed since.")
        self._keys = [known[version] for version in sorted(known)]
        return key

    def _seal(self, key: Key, room_id: int, *, at: datetime) -> None:
        before = Seal.objects.filter(room_id=room_id).order_by("-id").first()
        number = (before.number or 0) + 1 if before else 1
        heads = _heads(room_id)
        last, known = self._last.get(room_id, (0, {}))
        if last != number - 1:
            # Another sealed meanwhile: what that one knew is not known here.
            known = {}
        moved = {name: head for name, head in heads.items() if known.get(name) != head}
        seal = Seal(room_id=room_id, number=number, at=at, heads=canonical(moved), key_version=key.version)
        seal.previous = hash_of(before) if before else GENESIS
        seal.signature = key.sign(text_of(seal))
        try:
            seal.save(force_insert=True)
        except IntegrityError:
            self._say("Another sealer seals this house: one is enough.")
            return
        self._last[room_id] = (number, heads)
        self._copy(seal)

    def _copy(self, seal: Seal) -> None:
        """Carry a seal elsewhere, with those that file and store missed while they could not be written."""
        self._lines.append(line_of(seal))
        try:
            end = self._file.end(seal.room_id)
            self._file.add(self._after(end, seal, by=str(self._file.path)), self._keys)
        except OSError as problem:
            self._say(f"The seals' copy cannot be written: {problem}")
        if self._store is not None:
            numbers = self._store.expect(seal, most=DUE_MAX)
            missed = list(Seal.objects.filter(room_id=seal.room_id, number__in=numbers).order_by("number"))
            self._store.give_up(seal.room_id, set(numbers) - {each.number for each in missed})
            self._newest.append(seal)
            self._missed.append(missed)

    def _after(self, end: int, seal: Seal, *, by: str) -> list[Seal]:
        """Return the seals, up to this one, that a copy has not got which ends with number `end`."""
        assert seal.number is not None
        if end >= seal.number:
            _log.error(
                "seals are missing: %s knows number %d, and the database ended before %d; see audit verify",
                by, end, seal.number, extra={"room": seal.room_id},
            )  # fmt: skip
            end = seal.number - 1
        missed = Seal.objects.filter(room_id=seal.room_id, number__gt=end, number__lte=seal.number)
        return list(missed.order_by("number"))

    def _send(self) -> None:
        if self._syslog is not None:
            try:
                self._syslog.send(self._lines)
            except OSError as problem:
                self._say(f"The seals cannot be sent: {problem}")
        if self._store is not None:
            try:
                self._store.give(self._newest, self._missed, self._keys, at=clock.now())
            except OSError as problem:
                self._say(f"What is due in the store cannot be noted: {problem}")

    def _say(self, sentence: str) -> None:
        if sentence not in self._reported | self._reporting:
            _log.warning(sentence)
        self._reporting.add(sentence)


def _is_of_another_house(key: Key, known: Iterable[SealKey]) -> bool:
    publics = {kept.version: kept.public for kept in known}
    return any(publics.get(each.version, each.public) != each.public for each in key.introductions)


def _heads(room_id: int) -> dict[str, tuple[int, str]]:
    chains = Chain.objects.filter(room_id=room_id).values_list("name", "number", "hash")
    return {name: (number, head) for name, number, head in chains}
