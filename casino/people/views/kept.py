"""What is kept about people: each kind, for how long, what time removed; and what an inquiry holds."""

import base64
import json
import uuid
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from casino import clock
from casino.commands.methods import require_POST, require_safe
from casino.errors import NotFound, NotPermitted
from casino.people import services
from casino.people.api_kept import (
    GiveData,
    GiveStaffData,
    LiftInquiry,
    OpenInquiry,
    OpenStaffInquiry,
    give_data_by_two,
    give_staff_data_by_two,
    lift_inquiry_by_two,
)
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.identity import DOCUMENTS
from casino.people.inputs import arguments_of_form, form_int
from casino.people.inquiries import inquiries_of
from casino.people.kept_shown import kept_data
from casino.people.models import Staff
from casino.people.person_file import PersonFile
from casino.people.selectors import find_players, staff_of
from casino.people.services.giving_data import NEEDS_TO_GIVE
from casino.people.services.inquiries import NEEDS_TO_LIFT_INQUIRY
from casino.people.standing import kept_record_of, may_sign

FOUND = 8


@page("page.kept_data")
@never_cache
@require_safe
def kept_page(request: ActorRequest) -> HttpResponse:
    """Show every kind of data about people, and the inquiries; how much there is where that is asked."""
    assert request.room is not None, "whoever may see this page belongs to a room"
    kept = kept_data(request.room.pk, at=clock.now(), counts="count" in request.GET)
    return render(request, "people/kept.html", {"tab": "kept", "kept": kept, **_inquiries_shown(request)})


@page("page.kept_data")
@never_cache
@require_safe
def kept_found(request: ActorRequest) -> HttpResponse:
    """Return players while a nickname is being typed."""
    text = request.GET.get("q", "").strip()[:30]
    others = find_players(actor_of(request).room_id, text, limit=FOUND) if text else []
    return render(request, "people/player_others.html", {"others": others, "text": text})


def _inquiries_shown(request: ActorRequest) -> dict[str, Any]:
    actor, room, at = actor_of(request), request.room, clock.now()
    assert room is not None, "whoever may see this page belongs to a room"
    zone = ZoneInfo(room.time_zone)
    return {
        "inquiries": inquiries_of(room.pk, zone=zone, at=at, shown_to=actor.staff_id),
        "colleagues": [each for each in staff_of(room.pk) if each.pk != actor.staff_id],
        "signers": may_sign(room.pk, needs=NEEDS_TO_LIFT_INQUIRY, without={actor.staff_id}),
        "today": at.astimezone(zone).date().isoformat(),
    }


def _fresh(request: ActorRequest) -> HttpResponse:
    context = _inquiries_shown(request)
    return done(request, content=render_to_string("people/inquiries.html", context, request))


@page("page.people")
@never_cache
@sensitive_post_parameters("pin")
@require_POST
def give_data_view(request: ActorRequest, player_id: int) -> HttpResponse:
    """
    Give a player what is kept about them: a page to print, in their language, with the same as a file of JSON.

    Sent again it gives nothing, and leads to the player's page, which says so; to the players, who was erased since.
    """
    actor = actor_of(request)
    if "people.give_data" not in actor.may:
        raise NotPermitted
    fields = arguments_of_form(request, GiveData)
    answer = give_data_by_two(command_for(request), player_id=player_id, **fields)
    if answer.is_replay:
        kept = kept_record_of(actor.room_id, player_id)
        return done(request, to=f"{reverse('player', args=[kept.pk])}?given" if kept else reverse("players"))
    return _file_given(request, answer.data["file"], fields["language"], back=reverse("player", args=[player_id]))


def _file_given(request: ActorRequest, file: PersonFile, language: str, *, back: str) -> HttpResponse:
    with translation.override(language):
        as_json = base64.b64encode(json.dumps(file.as_data(), ensure_ascii=False, indent=1).encode()).decode()
        return render(
            request, "people/data.html", {"file": file, "as_json": as_json, "back": back, "language": language}
        )


def giving_shown() -> dict[str, Any]:
    """Return what the form that gives somebody their data needs, but for who may sign."""
    return {
        "command_id": uuid.uuid4(),
        "documents": DOCUMENTS.items(),
        "languages": settings.LANGUAGES,
        "speaks": get_language(),
    }


@page("page.staff_data")
@never_cache
@require_safe
def staff_data_page(request: ActorRequest, staff_id: int) -> HttpResponse:
    """Show what may be done with what is kept about somebody who works here or did: given to them, or erased."""
    actor, person = actor_of(request), _colleague(request, staff_id)
    if person is None:
        raise NotFound(what="person")
    context = {
        "tab": "staff",
        "person": person,
        "is_me": person.pk == actor.staff_id,
        "was_given": "given" in request.GET,
        "givers": may_sign(actor.room_id, needs=NEEDS_TO_GIVE, without={actor.staff_id, person.pk}),
        **giving_shown(),
    }
    return render(request, "people/staff_data.html", context)


def _colleague(request: ActorRequest, staff_id: int) -> Staff | None:
    """Return somebody who works here or did; None for nobody of this room, and who is erased."""
    return Staff.objects.filter(pk=staff_id, room_id=actor_of(request).room_id, erased_at=None).first()


@page("page.staff_data")
@never_cache
@sensitive_post_parameters("pin")
@require_POST
def give_staff_data_view(request: ActorRequest, staff_id: int) -> HttpResponse:
    """Give somebody who works here or did what is kept about them, as `give_data_view` does a player."""
    fields, back = arguments_of_form(request, GiveStaffData), reverse("staff_data", args=[staff_id])
    answer = give_staff_data_by_two(command_for(request), staff_id=staff_id, **fields)
    if answer.is_replay:
        return done(request, to=f"{back}?given" if _colleague(request, staff_id) else reverse("people"))
    return _file_given(request, answer.data["file"], fields["language"], back=back)


@page("page.staff_data")
@require_POST
def erase_staff_view(request: ActorRequest, staff_id: int) -> HttpResponse:
    """Forget who somebody was who worked here."""
    services.erase_staff(command_for(request), staff_id=staff_id)
    return done(request, to=reverse("people"))


@page("page.kept_data")
@require_POST
def open_staff_inquiry_view(request: ActorRequest) -> HttpResponse:
    """Hold what is kept about somebody who works here or did."""
    staff_id, arguments = form_int(request, "staff_id", least=1), arguments_of_form(request, OpenStaffInquiry)
    services.open_staff_inquiry(command_for(request), staff_id=staff_id, **arguments)
    return _fresh(request)


@page("page.kept_data")
@require_POST
def open_inquiry_view(request: ActorRequest) -> HttpResponse:
    """Hold what is kept about a player."""
    player_id, arguments = form_int(request, "other_id", least=1), arguments_of_form(request, OpenInquiry)
    services.open_inquiry(command_for(request), player_id=player_id, **arguments)
    return _fresh(request)


@page("page.kept_data")
@sensitive_post_parameters("pin")
@require_POST
def lift_inquiry_view(request: ActorRequest, inquiry_id: int) -> HttpResponse:
    """Let go what an inquiry holds, signed by a second person with their own PIN."""
    lift_inquiry_by_two(command_for(request), inquiry_id=inquiry_id, **arguments_of_form(request, LiftInquiry))
    return _fresh(request)
