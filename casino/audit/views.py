"""
The log's pages, for who was let in: the log holds ids and knows nobody who reads.

Who may open them is declared and checked above (`casino/allows.py`, `casino/urls.py`), as it is of the log's calls.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from casino.audit.sentences import Reader
from casino.audit.shown import log_shown, proof_shown
from casino.health import what_is_late
from casino.rooms.models import Room


class ReaderRequest(HttpRequest):
    """A request of somebody who belongs to a room, with what they `may`."""

    room: Room
    actor: Any


@never_cache
def log_page(request: ReaderRequest) -> HttpResponse:
    """
    Show what was done and refused, newest first, in sentences, and who did it from where.

    :raises Malformed: as `log_shown`.
    """
    room = request.room
    reader = Reader(room.pk, room.currency, room.locale, request.actor.may)
    context = log_shown(request.GET.dict(), reader)
    return render(request, "audit/log.html", {**context, "is_late": bool(what_is_late())})


@never_cache
def proof_page(request: ReaderRequest) -> HttpResponse:
    """Prove the last days of the room's log; all of it is `manage.py audit verify`'s."""
    return render(request, "audit/proof.html", proof_shown(request.room.pk))
