"""
Seals in a bucket with object lock (S3): until its time nobody changes or deletes one there, whoever has this house.

Only the sealer loads this, and only where a store is named. Each seal is an object, kept in the mode COMPLIANCE; the
key that the sealer has may put objects and nothing else. The name of an object says all that `audit verify` compares,
so that a list of the bucket is the copy.
"""

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec
import urllib3
from minio import Minio
from minio.commonconfig import COMPLIANCE
from minio.error import S3Error
from minio.retention import Retention

from casino.audit.breaks import Break
from casino.audit.models import Seal, SealKey
from casino.audit.sealing.copies import NoStore, NotStored, line_of, line_of_key
from casino.audit.services import canonical
from casino.embedded.home import write_private

DAYS = 3653
"""How long a seal is kept unless the address says: ten years, as books are."""

# How long a store may take to answer one question, and what is due in one round: the next seals come within the minute.
ANSWER_SECONDS_MAX = 5
ROUND_SECONDS_MAX = 20
REGION = "us-east-1"
FILE = "in-store.json"

_SEAL = re.compile(r"([0-9]{1,18})/([0-9]{1,18})\.([0-9]{1,9})\.([0-9a-f]+)")
_KEY = re.compile(r"keys/([0-9]{1,9})\.([0-9a-f]+)\.([0-9a-f]*)")


class SealStore:
    """
    A bucket: "https://s3.eu-north-1.amazonaws.com/bucket/folder?days=3653", and "ID:SECRET" as its key.

    `region` in the address is for stores that have one and do not say it in their host's name.
    """

    def __init__(self, address: str, key: str) -> None:
        """
        Ask nobody yet.

        :raises NoStore: this is no such address, or no key.
        """
        user, _, secret = key.partition(":")
        if not user or not secret:
            raise NoStore("BRUSH_SEALS_S3_KEY says no key of the store: ID:SECRET.")
        self._http = urllib3.PoolManager(timeout=urllib3.Timeout(total=ANSWER_SECONDS_MAX), retries=False)
        try:
            parts = urlsplit(address)
            said = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
            region, self._kept_for = said.pop("region", ""), timedelta(days=int(said.pop("days", DAYS)))
            self._bucket, _, folder = parts.path.strip("/").partition("/")
            is_one = parts.scheme in ("http", "https") and self._bucket and not parts.username and not said
            if not is_one or self._kept_for < timedelta(days=1):
                raise ValueError(address)
            if not region and not (parts.hostname or "").endswith(".amazonaws.com"):
                region = REGION
            self._client = Minio(
                parts.netloc,
                user,
                secret,
                secure=parts.scheme == "https",
                region=region or None,
                http_client=self._http,
            )
        except (ValueError, OverflowError):
            raise NoStore(
                f"{address} is no address of a store: https://s3.eu-north-1.amazonaws.com/bucket/folder?days={DAYS}."
            ) from None
        self._folder = f"{folder}/" if folder else ""
        self.place = f"{parts.netloc}/{self._bucket}/{self._folder}"
        # By room its newest seal, of those that were listed: its number, the object and that object's version.
        self._newest: dict[int, tuple[int, str, str | None]] = {}

    def put(self, seal: Seal, *, at: datetime) -> None:
        """Put a seal there, kept from `at` on. :raises NotStored: it is not there, as far as anybody knows."""
        self._put(f"{seal.room_id}/{seal.number:012}.{seal.key_version}.{seal.signature}", line_of(seal), at)

    def put_key(self, key: SealKey, *, at: datetime) -> None:
        """Put a public key there. :raises NotStored: as `put`."""
        self._put(f"keys/{key.version}.{key.public}.{key.signature}", line_of_key(key), at)

    def lines(self) -> Iterator[str]:
        """
        Yield what lies there as the lines of a copy, each version of it: what is put over a seal hides none.

        :raises NotStored: it cannot be listed.
        """
        with _in_few_words():
            for found in self._client.list_objects(
                self._bucket, prefix=self._folder, recursive=True, include_version=True
            ):
                name = str(found.object_name)
                record = None if found.is_delete_marker else _record(name.removeprefix(self._folder))
                if record is None:
                    continue
                if record.get("number", 0) > self._newest.get(record.get("room", 0), (0,))[0]:
                    self._newest[record["room"]] = (record["number"], name, found.version_id)
                yield canonical(record)

    def unlocked(self) -> Iterator[tuple[int, Break]]:
        """
        Yield (room id, break) for each room whose newest seal, of those that were listed, is not kept by a lock.

        :raises NotStored: that cannot be asked.
        """
        for room_id, (number, name, version) in sorted(self._newest.items()):
            with _in_few_words():
                kept = self._client.get_object_retention(self._bucket, name, version_id=version)
            if kept is None or kept.mode != COMPLIANCE:
                yield room_id, Break("seal", number, "no lock keeps it in the store")

    def close(self) -> None:
        """Let go of the connections."""
        self._http.clear()

    def _put(self, name: str, line: str, at: datetime) -> None:
        body = line.encode()
        with _in_few_words():
            self._client.put_object(
                self._bucket,
                f"{self._folder}{name}",
                BytesIO(body),
                len(body),
                content_type="application/json",
                retention=Retention(COMPLIANCE, at + self._kept_for),
            )


class _Account(msgspec.Struct):
    """What was put where: by room the number of its last seal, and public keys."""

    place: str
    ends: dict[int, int] = {}
    keys: list[str] = []


class StoreCopy:
    """
    What of the seals is in the store: the sealer, who may read nothing there, keeps account of it beside its key.

    The first seal that is put there is the newest: each names the one before, so that it holds all of them.
    """

    def __init__(self, store: SealStore, folder: Path) -> None:
        self._store = store
        self._file = folder / FILE
        self._account = _Account(store.place)
        try:
            kept = msgspec.json.decode(self._file.read_bytes(), type=_Account)
        except (OSError, msgspec.MsgspecError):
            return
        if kept.place == store.place:
            self._account = kept

    def end(self, room_id: int) -> int | None:
        """Return the number of the room's last seal in the store, None where there is none."""
        return self._account.ends.get(room_id)

    def add(self, seals: Sequence[Seal], keys: Iterable[SealKey], *, at: datetime) -> None:
        """
        Put keys and seals there, in their order, as many as a round has time for.

        :raises NotStored: the one that failed and what comes after it are not there, and are due again.
        """
        ends = time.monotonic() + ROUND_SECONDS_MAX
        try:
            for key in keys:
                if key.public not in self._account.keys:
                    self._store.put_key(key, at=at)
                    self._account.keys.append(key.public)
            for seal in seals:
                if time.monotonic() > ends:
                    return
                self._store.put(seal, at=at)
                self._account.ends[seal.room_id] = seal.number or 0
        finally:
            write_private(self._file, msgspec.json.encode(self._account).decode())

    def close(self) -> None:
        """Let go of the connections."""
        self._store.close()


@contextmanager
def _in_few_words() -> Iterator[None]:
    """Turn what a store or the way to it says into a sentence that is the same each time."""
    try:
        yield
    except S3Error as problem:
        raise NotStored(f"{problem.code}: {problem.message}") from problem
    except Exception as problem:
        # Whatever a store answers, and whatever its client makes of that, keeps no seal waiting.
        raise NotStored(f"{type(problem).__name__}: {problem}") from problem


def _record(name: str) -> dict[str, Any] | None:
    """Return what an object's name says, as a line of the file says it; None of any other object."""
    if found := _SEAL.fullmatch(name):
        room_id, number, key = map(int, found.groups()[:3])
        return {"room": room_id, "number": number, "key": key, "signature": found[4]}
    if found := _KEY.fullmatch(name):
        return {"key": int(found[1]), "public": found[2], "signature": found[3]}
    return None
