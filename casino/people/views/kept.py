"""What is kept about people: each kind, for how long, what time removed; and what an inquiry holds."""

import base64
import json
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from casino import clock
from casino.commands.methods import require_POST, require_safe
from casino.errors import NotPermitted
from casino.people import services
from casino.people.api_kept import GiveData, LiftInquiry, OpenInquiry, give_data_by_two, lift_inquiry_by_two
from casino.people.http import DoorRequest, actor_of, command_for, done, page
from casino.people.inputs import form_int, told_by_form
from casino.people.inquiries import inquiries_of
from casino.people.kept_shown import kept_data
from casino.people.selectors import find_players
from casino.people.services.inquiries import NEEDS_TO_LIFT_INQUIRY
from casino.people.standing import may_sign, player_of

FOUND = 8


@page("page.kept_data")
@never_cache
@require_safe
def kept_page(request: DoorRequest) -> HttpResponse:
    """Show every kind of data about people, and the inquiries; how much there is where that is asked."""
    assert request.room is not None, "whoever may see this page belongs to a room"
    kept = kept_data(request.room.pk, at=clock.now(), counts="count" in request.GET)
    return render(request, "people/kept.html", {"tab": "kept", "kept": kept, **_inquiries_shown(request)})


@page("page.kept_data")
@never_cache
@require_safe
def kept_found(request: DoorRequest) -> HttpResponse:
    """Return players while a nickname is being typed."""
    text = request.GET.get("q", "").strip()[:30]
    others = find_players(actor_of(request).room_id, text, limit=FOUND) if text else []
    return render(request, "people/player_others.html", {"others": others, "text": text})


def _inquiries_shown(request: DoorRequest) -> dict[str, Any]:
    actor, room, at = actor_of(request), request.room, clock.now()
    assert room is not None, "whoever may see this page belongs to a room"
    zone = ZoneInfo(room.time_zone)
    return {
        "inquiries": inquiries_of(room.pk, zone=zone, at=at),
        "signers": may_sign(room.pk, needs=NEEDS_TO_LIFT_INQUIRY, without={actor.staff_id}),
        "today": at.astimezone(zone).date().isoformat(),
    }


def _fresh(request: DoorRequest) -> HttpResponse:
    shown = _inquiries_shown(request)
    return done(request, content=render_to_string("people/inquiries.html", shown, request))


@page("page.people")
@never_cache
@sensitive_post_parameters("pin")
@require_POST
def give_data_view(request: DoorRequest, player_id: int) -> HttpResponse:
    """
    Give a player what is kept about them: a page to print, in their language, with the same as a file of JSON.

    Sent again it gives nothing, and leads to the player's page, which says so.
    """
    actor = actor_of(request)
    if "people.give_data" not in actor.may:
        raise NotPermitted
    player, fields = player_of(actor.room_id, player_id), told_by_form(request, GiveData)
    answer = give_data_by_two(command_for(request), player_id=player.pk, **fields)
    if answer.is_replay:
        return done(request, to=f"{reverse('player', args=[player.pk])}?given")
    found, language = answer.data["file"], fields["language"]
    with translation.override(language):
        as_json = base64.b64encode(json.dumps(found.as_data(), ensure_ascii=False, indent=1).encode()).decode()
        shown = {"file": found, "as_json": as_json, "player": player, "language": language}
        return render(request, "people/data.html", shown)


@page("page.kept_data")
@require_POST
def open_inquiry_view(request: DoorRequest) -> HttpResponse:
    """Hold what is kept about a player."""
    player = player_of(actor_of(request).room_id, form_int(request, "other_id", least=1))
    services.open_inquiry(command_for(request), player_id=player.pk, **told_by_form(request, OpenInquiry))
    return _fresh(request)


@page("page.kept_data")
@sensitive_post_parameters("pin")
@require_POST
def lift_inquiry_view(request: DoorRequest, inquiry_id: int) -> HttpResponse:
    """Let go what an inquiry holds, signed by a second person with their own PIN."""
    lift_inquiry_by_two(command_for(request), inquiry_id=inquiry_id, **told_by_form(request, LiftInquiry))
    return _fresh(request)
