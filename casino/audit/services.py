"""Writing the log: events, one after the other in their chain."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from django.db import connection
from django.db.backends.utils import CursorWrapper

from casino.audit.hashes import GENESIS, canonical, link


def append(
    *,
    room_id: int,
    chain: str,
    name: str,
    result: str,
    command_id: UUID,
    staff_id: int | None,
    device_id: int | None,
    at: datetime,
    audiences: Sequence[str],
    content: Mapping[str, Any],
) -> None:
    """
    Append one event to a chain, inside the caller's transaction. Two statements.

    The chain's head row stays locked until commit, which costs nothing: the caller holds the lock of
    the row that the chain belongs to.
    """
    with connection.cursor() as cursor:
        last, previous_hash = _head(cursor, room_id, chain)
        number = last + 1
        text = canonical(
            {
                **content,
                "room": room_id,
                "chain": chain,
                "number": number,
                "name": name,
                "result": result,
                "command": command_id,
                "staff": staff_id,
                "device": device_id,
                "at": at,
            }
        )
        own_hash = link(previous_hash, text)
        cursor.execute(
            "WITH event AS (INSERT INTO audit_event (room_id, chain, number, previous_hash, hash, text, name, result,"
            " command_id, staff_id, device_id, at, audiences)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s::varchar[]))"
            " UPDATE audit_chain SET number = %s, hash = %s WHERE room_id = %s AND name = %s",
            [
                room_id,
                chain,
                number,
                previous_hash,
                own_hash,
                text,
                name,
                result,
                command_id,
                staff_id,
                device_id,
                at,
                list(audiences),
                number,
                own_hash,
                room_id,
                chain,
            ],
        )


def _head(cursor: CursorWrapper, room_id: int, chain: str) -> tuple[int, str]:
    """Lock a chain's head, made now if nothing was ever logged there; return its number and hash. One statement."""
    find = "SELECT number, hash FROM audit_chain WHERE room_id = %s AND name = %s FOR NO KEY UPDATE"
    cursor.execute(find, [room_id, chain])
    if head := cursor.fetchone():
        return cast(tuple[int, str], head)
    # Two first commands may come at once: one makes the head, the other waits for it and finds what that one left.
    cursor.execute(
        "INSERT INTO audit_chain (room_id, name, number, hash) VALUES (%s, %s, 0, %s)"
        " ON CONFLICT (room_id, name) DO UPDATE SET number = audit_chain.number RETURNING number, hash",
        [room_id, chain, GENESIS],
    )
    return cast(tuple[int, str], cursor.fetchone())
