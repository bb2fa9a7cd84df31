"""What does not hold about a room's seals: among themselves, against the log, and against a copy from elsewhere."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import DataError, connection, transaction
from django.utils.translation import gettext_noop

from casino.audit.breaks import Break
from casino.audit.hashes import GENESIS
from casino.audit.models import Seal, SealKey
from casino.audit.sealing.copies import record_in
from casino.audit.sealing.key import is_signed
from casino.audit.sealing.text import code_of, hash_of, mac_of, text_of, text_of_key

CHUNK = 2000

# Each head that a seal names is an event, with that hash.
_UNKNOWN_HEADS = """
    SELECT DISTINCT head.key, (head.value ->> 0)::bigint FROM audit_seal seal
    CROSS JOIN LATERAL jsonb_each(seal.heads::jsonb) head
    WHERE seal.room_id = %s AND seal.id > %s AND NOT EXISTS (
        SELECT FROM audit_event event WHERE event.room_id = seal.room_id AND event.chain = head.key
            AND event.number = (head.value ->> 0)::bigint AND event.hash = head.value ->> 1
    )
    ORDER BY 1, 2
"""


def seal_breaks(room_id: int, *, since: datetime | None = None) -> Iterator[Break]:
    """
    Yield each seal of the room that does not hold, then each event that a seal knows otherwise.

    With `since`, of the seals after the last that was made before that moment.
    """
    keys = dict(SealKey.objects.values_list("version", "public"))
    previous, number, key_version, last_id = GENESIS, 0, 0, 0
    seals = Seal.objects.filter(room_id=room_id).order_by("id")
    if since and (before := seals.filter(at__lt=since).last()):
        previous, last_id = hash_of(before), before.pk
        number, key_version = before.number or 0, before.key_version or 0
    # In chunks: the seals of years are never in memory together.
    for seal in seals.filter(id__gt=last_id).iterator(chunk_size=CHUNK):
        if seal.number is None:
            if number or mac_of(seal) != seal.mac:
                yield Break("seal", seal.pk, gettext_noop("the seal's own hash does not agree"))
        else:
            if seal.number != number + 1:
                yield Break("seal", number + 1, gettext_noop("a seal is missing"))
            elif seal.previous != previous:
                yield Break("seal", seal.number, gettext_noop("the seal before it was another"))
            public = keys.get(seal.key_version or 0, "")
            if not public or not is_signed(text_of(seal), seal.signature, public=public):
                yield Break("seal", seal.number, gettext_noop("the sealer did not sign this"))
            elif (seal.key_version or 0) < key_version:
                yield Break("seal", seal.number, gettext_noop("it is signed with a key that had been turned over"))
            number, key_version = seal.number, max(key_version, seal.key_version or 0)
        previous = hash_of(seal)
    try:
        # A savepoint: inside a caller's transaction the error below would end that one too.
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_UNKNOWN_HEADS, [room_id, last_id])
            unknown = cursor.fetchall()
    # Heads that are no JSON, or name no number, are a break to be told, not an error of the proof.
    except DataError:
        yield Break("seal", 0, gettext_noop("the seals cannot be read"))
        return
    for chain, at in unknown:
        yield Break(chain, at, gettext_noop("a seal knows another event here"))


def key_breaks() -> Iterator[Break]:
    """Yield each public key that the one before it did not sign, though it came after it by its own word."""
    publics = dict(SealKey.objects.values_list("version", "public"))
    for key in SealKey.objects.exclude(signature="").order_by("version"):
        by = publics.get(key.version - 1, "")
        if not is_signed(text_of_key(key.version, key.public), key.signature, public=by):
            yield Break("key", key.version, "the key before it did not sign it")


def keys_that_began_anew() -> list[SealKey]:
    """Return keys that no other introduced, but for the first: those of a house that was restored, if it was."""
    return list(SealKey.objects.filter(signature="", version__gt=1).order_by("version"))


@dataclass
class Copy:
    """
    A copy from elsewhere, as it was read against the database.

    `breaks` are (room id, break), `ends` by room the number of the last seal in it; both grow while it is read. A store
    says too where it has several seals of one number: `rivals` are (room id, number, when each was put there).
    """

    breaks: list[tuple[int | None, Break]] = field(default_factory=list)
    ends: dict[int, int] = field(default_factory=dict)
    rivals: list[tuple[int, int, list[datetime]]] = field(default_factory=list)


def compare(lines: Iterable[str]) -> Copy:
    """Read a copy of the seals, in any order and among other lines, and hold the database against it."""
    copy, chunk = Copy(), []
    publics = dict(SealKey.objects.values_list("version", "public"))
    for record in filter(None, map(record_in, lines)):
        if "public" in record:
            if publics.get(record["key"]) != record["public"]:
                copy.breaks.append((None, Break("key", record["key"], "the copy has another key")))
        elif isinstance(record.get("room"), int) and isinstance(record.get("number"), int):
            chunk.append(record)
            if len(chunk) == CHUNK:
                _compare(chunk, copy)
                chunk = []
    _compare(chunk, copy)
    return copy


def _compare(chunk: list[dict[str, Any]], copy: Copy) -> None:
    rooms = {record["room"] for record in chunk}
    numbers = [record["number"] for record in chunk]
    kept = {(seal.room_id, seal.number): seal for seal in Seal.objects.filter(room_id__in=rooms, number__in=numbers)}
    for record in chunk:
        room_id, number = record["room"], record["number"]
        seal = kept.get((room_id, number))
        if seal is None:
            copy.breaks.append((room_id, Break("seal", number, "the copy has a seal that is not here")))
        elif seal.signature != record["signature"]:
            copy.breaks.append((room_id, Break("seal", number, "the copy has another seal here")))
        copy.ends[room_id] = max(number, copy.ends.get(room_id, 0))


def has_code(room_id: int, number: int, code: str) -> bool:
    """Say whether the room's seal of this number has the code that was printed, however it was typed."""
    seal = Seal.objects.filter(room_id=room_id, number=number).first()
    typed = "".join(filter(str.isalnum, code)).upper()
    return seal is not None and code_of(seal).replace("-", "") == typed


def signed_since(room_id: int) -> datetime | None:
    """Return when the room's first signed seal was made; those before have a keyed hash, which who serves can make."""
    return Seal.objects.filter(room_id=room_id, number=1).values_list("at", flat=True).first()
