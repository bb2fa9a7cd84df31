"""
Seals where the application cannot reach them: a file, and another host's log.

A line is JSON: what was signed, and the signature. It is some 400 bytes, fits a datagram, and holds no heads: the
hash of these is in what was signed.
"""

import json
import logging
import logging.handlers
import os
import select
import socket
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from casino.audit.hashes import canonical
from casino.audit.models import Seal, SealKey
from casino.audit.sealing.key import make_folder
from casino.audit.sealing.text import text_of

# What waits for a log host that cannot be reached: more than a day of a room.
UNSENT_MAX = 2000
SYSLOG_PORT = 514
# How long a log host may take to answer or to take a line: the next seals are due within the minute.
SYSLOG_SECONDS_MAX = 5


class NoLogHost(Exception):
    """Why an address names no log, in a sentence for whoever runs the house."""


class NoStore(Exception):
    """Why an address names no store, in a sentence for whoever runs the house."""


class NotStored(Exception):
    """Why a store was not written or read, in a few words."""


def line_of(seal: Seal) -> str:
    """Return a seal as it is written elsewhere."""
    return canonical({**json.loads(text_of(seal)), "signature": seal.signature})


def line_of_key(key: SealKey) -> str:
    """Return a public key as it is written elsewhere."""
    return canonical({"key": key.version, "public": key.public, "signature": key.signature})


def record_in(line: str) -> dict[str, Any] | None:
    """Return what a line of a copy says, whatever a log put before it; None for any other line."""
    try:
        record = json.loads(line[line.index("{") :])
    except ValueError:
        return None
    is_one = (
        isinstance(record, dict) and isinstance(record.get("key"), int) and isinstance(record.get("signature"), str)
    )
    return record if is_one else None


class SealFile:
    """A file to which each seal is added, in the sealer's own folder or in a volume of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # What is in the file: by room the number of its last seal, and public keys.
        self._ends: dict[int, int] = {}
        self._keys: set[str] = set()
        self._was_read = False

    def end(self, room_id: int) -> int:
        """Return the number of the room's last seal in the file, 0 where there is none. :raises OSError: not read."""
        if not self._was_read:
            if self.path.exists():
                with self.path.open(errors="replace") as lines:
                    for record in filter(None, map(record_in, lines)):
                        if "public" in record:
                            self._keys.add(str(record["public"]))
                        elif isinstance(record.get("room"), int) and isinstance(record.get("number"), int):
                            self._ends[record["room"]] = record["number"]
            self._was_read = True
        return self._ends.get(room_id, 0)

    def add(self, seals: Sequence[Seal], keys: Iterable[SealKey]) -> None:
        """Add seals of one room, and what of the keys is not there yet. :raises OSError: they are not on the disk."""
        new = [key for key in keys if key.public not in self._keys]
        self._write([*map(line_of_key, new), *map(line_of, seals)])
        self._keys.update(key.public for key in new)
        self._ends[seals[-1].room_id] = seals[-1].number or 0

    def _write(self, lines: Iterable[str]) -> None:
        make_folder(self.path.parent)
        # No link is followed: whoever could leave one in the volume would have the sealer write where they choose.
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
        with os.fdopen(os.open(self.path, flags, 0o600), "r+b") as file:
            # A line that was broken off by a power cut must not spoil the next one.
            is_broken = file.seek(0, os.SEEK_END) and (file.seek(-1, os.SEEK_END), file.read(1))[1] != b"\n"
            file.write((b"\n" if is_broken else b"") + "".join(f"{line}\n" for line in lines).encode())
            # On the disk before it is noted as written: what a power cut took would not be written again.
            file.flush()
            os.fsync(file.fileno())


class SealLog:
    """
    The syslog of another host: "udp://logs.example:514", "tcp://...", or "/dev/log" for this one's.

    What cannot be sent waits for the next time. Of a datagram nobody learns whether it came.
    """

    def __init__(self, address: str) -> None:
        """
        Connect to nobody yet.

        :raises NoLogHost: this is no such address.
        """
        self._address = _read(address)
        self._handler: _Loud | None = None
        self._unsent: deque[str] = deque(maxlen=UNSENT_MAX)

    def send(self, lines: Iterable[str]) -> None:
        """Send lines, those that waited first. :raises OSError: they wait on."""
        self._unsent.extend(lines)
        try:
            if self._handler and self._handler.is_closed_there():
                self.close()
            self._handler = self._handler or _Loud(self._address)
            while self._unsent:
                self._handler.handle(logging.makeLogRecord({"msg": self._unsent[0], "level": logging.INFO}))
                # Only now: a line whose sending raised is the first of the next time.
                self._unsent.popleft()
        except OSError:
            # Whatever is wrong with this socket, the next time begins with another.
            self.close()
            raise

    def close(self) -> None:
        """Let go of the socket."""
        if self._handler:
            self._handler.close()
        self._handler = None


@dataclass(frozen=True)
class _Address:
    """Where a log is: a socket of this machine, or a host by one of two protocols."""

    where: str | tuple[str, int]
    kind: socket.SocketKind | None


def _read(address: str) -> _Address:
    if address.startswith("/"):
        return _Address(address, None)
    try:
        parts = urlsplit(address if "://" in address else f"udp://{address}")
        host, port = parts.hostname or "", parts.port or SYSLOG_PORT
        # What no name can be is an error of another kind once it is looked up.
        host.encode("idna")
    except ValueError:
        host, port = "", 0
    if not host or parts.scheme not in ("udp", "tcp") or parts.path not in ("", "/"):
        # The library would print the error and go on, and the line would count as sent.
        raise NoLogHost(f"{address} is no address of a log: udp://logs.example:514, tcp://logs.example:514, /dev/log.")
    return _Address((host, port), socket.SOCK_STREAM if parts.scheme == "tcp" else socket.SOCK_DGRAM)


class _Loud(logging.handlers.SysLogHandler):
    """The library's, that says when it fails, and waits for nobody for long."""

    def __init__(self, address: _Address) -> None:
        self.ident = "brush-seal: "
        # By TCP a line ends where the next begins (RFC 6587); the library's zero byte is a datagram's.
        self.append_nul = address.kind != socket.SOCK_STREAM
        super().__init__(address.where, facility="authpriv", socktype=address.kind)
        self.formatter = logging.Formatter("%(message)s" if self.append_nul else "%(message)s\n")

    def createSocket(self) -> None:
        """Connect, by TCP within the time; what is sent has as much."""
        if self.socktype == socket.SOCK_STREAM and not isinstance(self.address, str):
            self.unixsocket = False
            self.socket = socket.create_connection(self.address, timeout=SYSLOG_SECONDS_MAX)
        else:
            super().createSocket()
            if self.socket:
                self.socket.settimeout(SYSLOG_SECONDS_MAX)

    def is_closed_there(self) -> bool:
        """Say whether the other end has hung up: what is sent all the same would be lost without a word."""
        if self.unixsocket or self.socktype != socket.SOCK_STREAM or not self.socket:
            return False
        has_news, _, _ = select.select([self.socket], [], [], 0)
        try:
            return bool(has_news) and not self.socket.recv(4096)
        except ConnectionError:
            return True

    def handleError(self, record: logging.LogRecord) -> None:
        raise
