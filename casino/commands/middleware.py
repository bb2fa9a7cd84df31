"""Refusals at the edge: the sentence where the tap was, a clear page, or problem details for machines."""

import logging
from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from psycopg import errors as database_errors
from psycopg_pool import PoolTimeout

from casino import clock
from casino.commands.errors import Away
from casino.commands.problems import problem_of
from casino.errors import Busy, DiskFull, NotFound, NotPermitted, Refusal
from casino.rooms.selectors import rule_book_in_force

logger = logging.getLogger(__name__)
_GONE = (database_errors.AdminShutdown, database_errors.CrashShutdown, database_errors.CannotConnectNow)


class RefusalMiddleware:
    """Turns a refusal that a view raised into the answer that its asker can read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        refusal = as_refusal(exception)
        return refused(request, refusal) if refusal else None


def as_refusal(exception: Exception) -> Refusal | None:
    """
    Return the refusal that an exception amounts to, or None: then the code is wrong.

    A lock that was not to be had, a lost connection, an empty pool and a full disk all come as OperationalError.
    """
    if isinstance(exception, Refusal):
        return exception
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
    return cause.sqlstate is None or isinstance(cause, _GONE)


def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """
    Answer with a refusal: problem details under /api/, the partial for a tap, else a page of its own.

    `wait_seconds` in the refusal's data, and a busy room, travel as Retry-After.
    """
    if request.path.startswith("/api/"):
        response: HttpResponse = problem_of(refusal)
    else:
        template = "refusal.html" if request.headers.get("HX-Request") else "refused.html"
        response = render(request, template, said(request, refusal), status=refusal.status)
    wait = refusal.data.get("wait_seconds", 1 if refusal.status == 503 else None)
    if wait is not None:
        response["Retry-After"] = str(wait)
    return response


def said(request: HttpRequest, refusal: Refusal) -> dict[str, object]:
    """Return what a template needs to say a refusal: the sentence in the room's money and the reader's language."""
    told = room_of_reader(request, refusal)
    return {
        "refusal": refusal,
        "code": refusal.code,
        "clause": refusal.clause_at(told.get("book")),
        "sentence": refusal.text(**told),
        "status": refusal.status,
    }


def room_of_reader(request: object, refusal: Refusal) -> dict[str, Any]:
    """Return what `Refusal.text` takes of the room of whoever reads it: its money, and its book in force."""
    room = getattr(request, "room", None)
    if room is None:
        return {}
    # Only where a rule may be what refuses: the database may be the very thing that is away.
    book = rule_book_in_force(room.pk, at=clock.now())[1] if refusal.status in {409, 422} else None
    return {"currency": room.currency, "locale": room.locale, "book": book}
