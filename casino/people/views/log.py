"""The log's pages, by the door: `casino.audit.shown` says what they show, and knows nobody who reads."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from casino.audit.sentences import Reader
from casino.audit.shown import log_shown, proof_shown
from casino.commands.methods import require_safe
from casino.health import what_is_late
from casino.people.http import ActorRequest, actor_of, page


@page("page.audit")
@never_cache
@require_safe
def log_view(request: ActorRequest) -> HttpResponse:
    """Show what was done and refused, newest first, in sentences, and who did it from where."""
    assert request.room is not None, "whoever may see this page belongs to a room"
    room = request.room
    reader = Reader(room.pk, room.currency, room.locale, actor_of(request).may)
    context = log_shown(request.GET.dict(), reader)
    return render(request, "audit/log.html", {**context, "is_late": bool(what_is_late())})


@page("page.audit")
@never_cache
@require_safe
def prove_view(request: ActorRequest) -> HttpResponse:
    """Prove the last days of the room's log; all of it is `manage.py audit verify`'s."""
    assert request.room is not None, "whoever may see this page belongs to a room"
    return render(request, "audit/proof.html", proof_shown(request.room.pk))
