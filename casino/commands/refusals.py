"""What went wrong, as a refusal that can be read aloud, whichever door it is told at."""

import logging
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import Http404
from psycopg import errors as database_errors
from psycopg_pool import PoolTimeout

from casino import clock
from casino.commands.errors import Away
from casino.errors import Busy, DiskFull, NotFound, NotPermitted, Refusal
from casino.money import NO_ROOM
from casino.rooms.selectors import rule_book_in_force

logger = logging.getLogger(__name__)
_GONE = (database_errors.AdminShutdown, database_errors.CrashShutdown, database_errors.CannotConnectNow)


def as_refusal(exception: Exception) -> Refusal | None:
    """
    Return the refusal that an exception amounts to, or None: then the code is wrong.

    A lock that was not to be had, a lost connection, an empty pool and a full disk all come as OperationalError.
    """
    if isinstance(exception, Refusal):
        return exception
    # Before what is away or busy, which it looks like: there a tablet sends again at once, here somebody has to act.
    if isinstance(exception.__cause__, database_errors.DiskFull):
        logger.error("the database's disk is full", exc_info=exception)
        return DiskFull()
    if _lost_connection(exception):
        logger.warning("the database went away", exc_info=exception)
        return Away()
    if isinstance(exception, (OperationalError, InterfaceError, PoolTimeout)):
        logger.warning("the database was busy or away", exc_info=exception)
        return Busy()
    if isinstance(exception, PermissionDenied):
        return NotPermitted()
    if isinstance(exception, Http404):
        return NotFound(what="page")
    return None


def _lost_connection(exception: Exception) -> bool:
    """Say whether the connection broke, be it under a COMMIT: nobody knows then whether that was carried out."""
    cause = exception.__cause__
    if not isinstance(cause, (database_errors.OperationalError, database_errors.InterfaceError)):
        return False
    # Without a code nobody at the other end said anything: the line itself broke.
    return cause.sqlstate is None or isinstance(cause, _GONE)


def seconds_to_wait(refusal: Refusal) -> int | None:
    """Return after how many seconds it is worth asking again: as the refusal's data say, one where the room is busy."""
    return refusal.data.get("wait_seconds", 1 if refusal.status == 503 else None)


def room_of_reader(request: object, refusal: Refusal) -> dict[str, Any]:
    """Return what `Refusal.text` takes of the room of whoever reads it: `money`, and its `book` in force."""
    room = getattr(request, "room", None)
    if room is None:
        return {"money": NO_ROOM, "book": None}
    # Only where a rule may be what refuses: the database may be the very thing that is away.
    book = rule_book_in_force(room.pk, at=clock.now())[1] if refusal.status in {409, 422} else None
    return {"money": room.money_format, "book": book}
