"""
Seals in a bucket with object lock (S3): until its time nobody changes or deletes one there, whoever has this house.

Only the sealer loads this, and only where a store is named. Each seal is an object, kept in the mode COMPLIANCE; the
key that the sealer has may put objects and nothing else. The name of an object says all that `audit verify` compares,
so that a list of the bucket is the copy.
"""

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from io import BytesIO
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from minio import Minio
from minio.commonconfig import COMPLIANCE
from minio.error import InvalidResponseError, S3Error, ServerError
from minio.helpers import check_bucket_name
from minio.retention import Retention

from casino.audit.breaks import Break
from casino.audit.hashes import canonical
from casino.audit.models import Seal, SealKey
from casino.audit.sealing.bounded import Bounded
from casino.audit.sealing.copies import NoStore, NotStored, line_of, line_of_key

DAYS = 3653
"""How long a seal is kept unless the address says: ten years, as books are."""

# A hundred years: no store promises more.
DAYS_MAX = 36500
# How many seals of a room, beside its oldest and its newest, are asked for their locks.
SAMPLE = 20
REGION = "us-east-1"
EXAMPLE = f"https://s3.eu-north-1.amazonaws.com/bucket/folder?days={DAYS}"
PROBLEM_CHARACTERS_MAX = 200

# No more digits than the ids that they stand for can have: names in a store are anybody's.
_SEAL = re.compile(r"([1-9][0-9]{0,17})/([0-9]{12})\.([1-9][0-9]{0,8})\.([0-9a-f]+)")
_KEY = re.compile(r"keys/([1-9][0-9]{0,8})\.([0-9a-f]+)\.([0-9a-f]*)")
_REGION = re.compile(r"[a-z0-9-]{1,63}")
_AMAZON = re.compile(r"(?:^|.*\.)amazonaws\.com(?:\.cn)?")
_AMAZON_REGION = re.compile(r"(?:^|.*[.-])([a-z]{2}(?:-[a-z]+)+-[0-9])\.amazonaws\.com(?:\.cn)?")


@dataclass(frozen=True)
class _Address:
    """What a store's address says; `region` is never empty, for who puts may not ask for it."""

    netloc: str
    is_secure: bool
    region: str
    bucket: str
    folder: str
    days: int


@dataclass
class _Sample:
    """The objects of a room whose locks are looked at: the first and last by number, and any between."""

    oldest: "_StoredSeal"
    newest: "_StoredSeal"
    between: "list[_StoredSeal]" = field(default_factory=list)
    seen: int = 0

    def add(self, seal: "_StoredSeal") -> None:
        """Consider one more: each has the same chance to be in the sample, and nobody knows which will be."""
        if seal.number <= self.oldest.number:
            self.oldest, seal = seal, self.oldest
        elif seal.number >= self.newest.number:
            self.newest, seal = seal, self.newest
        if seal in (self.oldest, self.newest):
            # The very first is both, until another comes.
            return
        self.seen += 1
        if len(self.between) < SAMPLE:
            self.between.append(seal)
        elif (place := secrets.randbelow(self.seen)) < SAMPLE:
            self.between[place] = seal

    def all(self) -> "list[_StoredSeal]":
        """Return the sample's seals, each once, by number."""
        return sorted({self.oldest, *self.between, self.newest}, key=lambda seal: seal.number)


@dataclass(frozen=True)
class _StoredSeal:
    """One version of a seal's object; `put_at` is the store's own word."""

    number: int
    signature: str
    name: str
    version: str | None
    put_at: datetime | None


class SealStore:
    """
    A bucket: "https://s3.eu-north-1.amazonaws.com/bucket/folder?days=3653", and "ID:SECRET" as its key.

    `region` in the address is for stores that have one and do not say it in their host's name.
    """

    def __init__(self, address: str, key: str) -> None:
        """
        Ask nobody yet.

        :raises NoStore: this is no such address, or no key; neither is repeated.
        """
        user, _, secret = key.partition(":")
        if not user or not secret:
            raise NoStore("BRUSH_SEALS_S3_KEY says no key of the store: ID:SECRET.")
        where = _read(address)
        self._kept_for = timedelta(days=where.days)
        self._bucket, self._folder = where.bucket, where.folder
        try:
            self._client = Minio(
                where.netloc, user, secret, secure=where.is_secure, region=where.region, http_client=Bounded()
            )
        except (ValueError, TypeError):
            raise NoStore(f"{where.netloc} is no address of a store: {EXAMPLE}.") from None
        self.place = f"{where.netloc}/{self._bucket}/{self._folder}"
        # Of what was listed, by room.
        self._samples: dict[int, _Sample] = {}
        self.rivals: list[tuple[int, int, list[datetime]]] = []
        """Of what was listed: room id, number, and when each was put, where several seals have one number."""

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
        # A list is sorted by name, so that those of one number come one after the other.
        same: tuple[int, list[_StoredSeal]] = 0, []
        with _in_few_words():
            for listed in self._client.list_objects(
                self._bucket, prefix=self._folder, recursive=True, include_version=True
            ):
                name = str(listed.object_name)
                record = None if listed.is_delete_marker else _record(name.removeprefix(self._folder))
                if record is None:
                    continue
                if "number" in record:
                    seal = _StoredSeal(
                        record["number"], record["signature"], name, listed.version_id, listed.last_modified
                    )
                    self._add_to_sample(record["room"], seal)
                    if (same[0], same[1][0].number if same[1] else 0) != (record["room"], seal.number):
                        self._note_rivals(*same)
                        same = record["room"], []
                    same[1].append(seal)
                yield canonical(record)
        self._note_rivals(*same)

    def unlocked(
        self, made_at: Callable[[int, int, str], datetime | None], *, now: datetime
    ) -> Iterator[tuple[int, Break]]:
        """
        Yield (room id, break) for what was listed and no lock keeps for as long as the address says.

        The oldest of each room, the newest, and a sample between. `made_at` says when the seal of a room id, a number
        and a signature was made, None where it is not known: then the store's own word is taken.

        :raises NotStored: that cannot be asked.
        """
        for room_id, sample in sorted(self._samples.items()):
            for seal in sample.all():
                with _in_few_words():
                    kept = self._client.get_object_retention(self._bucket, seal.name, version_id=seal.version)
                made = made_at(room_id, seal.number, seal.signature) or seal.put_at or now
                if kept is None or kept.mode != COMPLIANCE:
                    yield room_id, Break("seal", seal.number, "no lock keeps it in the store")
                elif kept.retain_until_date <= now:
                    yield room_id, Break("seal", seal.number, f"its lock ended {_shown(kept.retain_until_date)}")
                elif kept.retain_until_date < (made + self._kept_for).replace(microsecond=0):
                    problem = f"its lock ends {_shown(kept.retain_until_date)}, before its {self._kept_for.days} days"
                    yield room_id, Break("seal", seal.number, problem)

    def _add_to_sample(self, room_id: int, seal: _StoredSeal) -> None:
        if sample := self._samples.get(room_id):
            sample.add(seal)
        else:
            self._samples[room_id] = _Sample(seal, seal)

    def _note_rivals(self, room_id: int, same: list[_StoredSeal]) -> None:
        if len({seal.name for seal in same}) > 1:
            put_at = sorted(seal.put_at for seal in same if seal.put_at)
            self.rivals.append((room_id, same[0].number, put_at))

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


def _read(address: str) -> _Address:
    """:raises NoStore: it is none, in a sentence that repeats no more than host and path, where no key can be."""
    if "@" in address:
        # Nothing of it is repeated: a secret may have slashes, and looks like a path then.
        raise NoStore("There is a key in what should be an address of a store: it belongs in BRUSH_SEALS_S3_KEY.")
    try:
        parts = urlsplit(address)
        parameters = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
        host, _ = parts.hostname or "", parts.port
        is_web = parts.scheme in ("http", "https") and bool(host)
    except ValueError:
        is_web = False
    if not is_web:
        raise NoStore(f"This is no address of a store: {EXAMPLE}.")
    region, days = parameters.pop("region", ""), parameters.pop("days", str(DAYS))
    bucket, _, folder = parts.path.strip("/").partition("/")
    where = f"{host}{parts.path} is no address of a store"
    if parameters:
        raise NoStore(f"{where}: it says only days and region ({EXAMPLE}).")
    if not (days.isascii() and days.isdecimal() and len(days) <= len(str(DAYS_MAX)) and 1 <= int(days) <= DAYS_MAX):
        raise NoStore(f"{where}: days is a number from 1 to {DAYS_MAX}.")
    if parts.scheme == "http" and not _is_this_machine(host):
        raise NoStore(f"{where}: http:// is for this machine alone, another is reached by https://.")
    if region and not _REGION.fullmatch(region):
        raise NoStore(f"{where}: a region is a word such as {REGION}.")
    if _AMAZON.fullmatch(host) and not region:
        region_match = _AMAZON_REGION.fullmatch(host)
        if not region_match:
            raise NoStore(f"{where}: Amazon's needs &region=, or a host that names it ({EXAMPLE}).")
        region = region_match[1]
    try:
        check_bucket_name(bucket, strict=True, s3_check=True)
    except ValueError:
        raise NoStore(
            f"{where}: a bucket's name has 3 to 63 small letters, digits, dots and hyphens ({EXAMPLE})."
        ) from None
    if folder and (len(folder) > 200 or {"", ".", ".."} & set(folder.split("/"))):
        raise NoStore(f"{where}: its folder is none ({EXAMPLE}).")
    folder = f"{folder}/" if folder else ""
    return _Address(parts.netloc, parts.scheme == "https", region or REGION, bucket, folder, int(days))


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _shown(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"


@contextmanager
def _in_few_words() -> Iterator[None]:
    """Turn what a store or the way to it says into a short sentence that is the same each time."""
    try:
        yield
    except S3Error as problem:
        raise _not_stored(f"{problem.response.status} {problem.code}") from problem
    except ServerError as problem:
        raise _not_stored(f"{problem.status_code} ServerError") from problem
    except InvalidResponseError as problem:
        # Its sentence is the whole page that a proxy answered with.
        raise _not_stored(f"{problem._code} InvalidResponse") from problem
    except Exception as problem:
        # Whatever a store answers, and whatever its client makes of that, keeps no seal waiting.
        raise _not_stored(f"{type(problem).__name__}: {problem}") from problem


def _not_stored(problem: str) -> NotStored:
    words = " ".join("".join(each if each.isprintable() else " " for each in problem).split())
    return NotStored(words[:PROBLEM_CHARACTERS_MAX])


def _record(name: str) -> dict[str, Any] | None:
    """Return what an object's name says, as a line of the file says it; None of any other object."""
    if match := _SEAL.fullmatch(name):
        room_id, number, key = map(int, match.groups()[:3])
        return {"room": room_id, "number": number, "key": key, "signature": match[4]}
    if match := _KEY.fullmatch(name):
        return {"key": int(match[1]), "public": match[2], "signature": match[3]}
    return None
