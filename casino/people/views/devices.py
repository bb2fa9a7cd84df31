"""The people page: tablets, the codes that enrol them, and tokens for programs."""

from datetime import datetime
from typing import Any

import segno
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from casino import clock
from casino.commands.methods import require_POST, require_safe
from casino.people import services
from casino.people.api import EnrolmentCodes, Tokens
from casino.people.http import ActorRequest, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.people.permissions import STAFF_ROLES
from casino.people.selectors import api_tokens_of, devices_of, naming_room, open_codes, staff_of
from casino.people.services.tokens import DAYS_MAX
from casino.people.words import PLACE_NAMES, ROLE_NAMES, place_name
from casino.reach import address_for_devices


@page("page.devices")
@never_cache
@require_safe
def devices_page(request: ActorRequest) -> HttpResponse:
    """Show which devices stand where, and who is signed in on them."""
    return render(request, "people/devices.html", _shown(request))


def _shown(request: ActorRequest, **revealed: Any) -> dict[str, Any]:
    assert request.room is not None, "whoever may see this page belongs to a room"
    room_id = request.room.pk
    return {
        "tab": "devices",
        "devices": [{"device": each, "place": place_name(each.place)} for each in devices_of(room_id)],
        "codes": [{"code": each, "place": place_name(each.place)} for each in open_codes(room_id, at=clock.now())],
        "tokens": api_tokens_of(room_id, at=clock.now()),
        "token_days_max": DAYS_MAX,
        "staff_list": [staff for staff in staff_of(room_id) if staff.is_active],
        "kinds": PLACE_NAMES.items(),
        "roles": [(role.value, ROLE_NAMES[role]) for role in STAFF_ROLES],
        "enrol_at": _enrol_at(request) or request.build_absolute_uri(naming_room(reverse("enrol"), request.room)),
        **revealed,
    }


def _enrol_at(request: ActorRequest) -> str:
    """Return where another device enrols, "" where none reaches this house."""
    here = f"{request.scheme}://{request.get_host()}"
    names, phone_url = settings.ALLOWED_HOSTS, settings.PHONE_URL
    address = address_for_devices(here, phone_url=phone_url, names=names, is_https=settings.HTTPS)
    return naming_room(f"{address}{reverse('enrol')}", request.room) if address else ""


def _fresh(request: ActorRequest, **revealed: Any) -> HttpResponse:
    return done(request, content=render_to_string("people/devices_list.html", _shown(request, **revealed), request))


@page("page.devices")
@require_POST
def make_code_view(request: ActorRequest) -> HttpResponse:
    """Make a code that enrols one device, and show it this once."""
    answer = services.make_enrolment_code(command_for(request), **arguments_of_form(request, EnrolmentCodes))
    until = datetime.fromisoformat(answer.data["expires_at"])
    code, address = answer.data.get("code"), _enrol_at(request)
    # The code stands behind the #, which no browser sends: no proxy's log has it.
    qr = segno.make(f"{address}#{code}", error="m", micro=False).svg_data_uri(border=2) if code and address else ""
    return _fresh(request, new_code=code, new_code_until=until, new_code_qr=qr)


@page("page.devices")
@require_POST
def revoke_device_view(request: ActorRequest, device_id: int) -> HttpResponse:
    """Shut a device out at once."""
    services.revoke_device(command_for(request), device_id=device_id)
    return _fresh(request)


@page("page.devices")
@sensitive_post_parameters("pin")
@require_POST
def issue_token_view(request: ActorRequest) -> HttpResponse:
    """Issue a token for the REST interface, and show it this once."""
    answer = services.issue_token(command_for(request), **arguments_of_form(request, Tokens))
    return _fresh(request, new_token=answer.data.get("token"))


@page("page.devices")
@require_POST
def revoke_token_view(request: ActorRequest, api_token_id: int) -> HttpResponse:
    """End a token at once."""
    services.revoke_api_token(command_for(request), api_token_id=api_token_id)
    return _fresh(request)
