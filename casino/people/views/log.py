"""The log's pages, by the door: `casino.audit` says what they show, and knows nobody who reads."""

from datetime import timedelta

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from casino import clock
from casino.audit.selectors import breaks
from casino.audit.sentences import Reader
from casino.audit.shown import FIELDS, log_shown
from casino.commands.methods import require_safe
from casino.errors import Malformed
from casino.health import what_is_late
from casino.people.http import DoorRequest, actor_of, page

PROVEN = timedelta(days=3)


@page("page.audit")
@never_cache
@require_safe
def log_view(request: DoorRequest) -> HttpResponse:
    """Show what was done and refused, newest first, in sentences, and who did it from where."""
    assert request.room is not None, "whoever may see this page belongs to a room"
    room = request.room
    query = {key: request.GET.get(key, "").strip()[:60] for key in FIELDS}
    reader = Reader(room.pk, room.currency, room.locale, actor_of(request).may)
    shown = log_shown(query, reader, before=_before(request))
    return render(request, "audit/log.html", {**shown, "is_late": bool(what_is_late())})


@page("page.audit")
@never_cache
@require_safe
def prove_view(request: DoorRequest) -> HttpResponse:
    """
    Prove the last days of the room's log, or name the first broken link of each chain.

    A year of it takes minutes, which no page waits for: all of it is `manage.py audit verify`'s.
    """
    assert request.room is not None, "whoever may see this page belongs to a room"
    since = clock.now() - PROVEN
    context = {"breaks": list(breaks(request.room.pk, since=since)), "since": since}
    return render(request, "audit/proof.html", context)


def _before(request: DoorRequest) -> int | None:
    text = request.GET.get("before", "")
    if not text:
        return None
    if not text.isdecimal() or len(text) > 18:
        raise Malformed(field="before")
    return int(text)
