"""The people page: who works here, their roles, PINs and shifts."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from casino.commands.methods import require_POST, require_safe
from casino.people import services
from casino.people.api_staff import ChangeRoles, SetPassword, SetPin, StaffList, change_roles_by_two
from casino.people.http import ActorRequest, command_for, done, done_there, page
from casino.people.inputs import arguments_of_form, form_flag
from casino.people.models import Staff
from casino.people.permissions import STAFF_ROLES, Role
from casino.people.selectors import staff_of
from casino.people.services.staff import NEEDS_FOR_COMPLIANCE
from casino.people.standing import leading, may_sign
from casino.people.words import ROLE_NAMES


@page("page.people")
@never_cache
@require_safe
def staff_page(request: ActorRequest) -> HttpResponse:
    """Show everybody who works here; the floor starts shifts and unlocks, a manager does the rest."""
    return render(request, "people/staff.html", _shown(request))


def _shown(request: ActorRequest) -> dict[str, Any]:
    assert request.room is not None, "whoever may see this page belongs to a room"
    assert request.actor is not None, "and has come through a door"
    leads, me = leading(request.room.pk), request.actor.staff_id
    signers = may_sign(request.room.pk, needs=NEEDS_FOR_COMPLIANCE, without={me})
    everybody = [
        {
            "person": staff,
            "roles": [ROLE_NAMES[Role(role)] for role in staff.roles],
            "is_me": staff == request.staff,
            "may_unlock": _unlocking(staff) in request.actor.may,
            "signers": [one for one in signers if one != staff and leads.takes(one.pk, without=[me, staff.pk])],
        }
        for staff in staff_of(request.room.pk)
    ]
    roles = [(role.value, ROLE_NAMES[role]) for role in STAFF_ROLES]
    return {
        "tab": "staff",
        "everybody": everybody,
        "roles": roles,
        # Nobody is given compliance by one.
        "roles_to_begin_with": [each for each in roles if each[0] != Role.COMPLIANCE],
    }


def _unlocking(staff: Staff) -> str:
    return "people.unlock_manager" if Role.MANAGER in staff.roles else "people.unlock_person"


def _fresh(request: ActorRequest) -> HttpResponse:
    return done(request, content=render_to_string("people/staff_list.html", _shown(request), request))


@page("page.people")
@sensitive_post_parameters("pin", "password")
@require_POST
def add_staff_view(request: ActorRequest) -> HttpResponse:
    """Add a person."""
    services.add_staff(command_for(request), **arguments_of_form(request, StaffList))
    return _fresh(request)


@page("page.people")
@sensitive_post_parameters("pin")
@require_POST
def roles_view(request: ActorRequest, staff_id: int) -> HttpResponse:
    """Give a person exactly the ticked roles; signed by two where compliance is among what changes."""
    change_roles_by_two(command_for(request), staff_id=staff_id, **arguments_of_form(request, ChangeRoles))
    return _fresh(request)


@page("page.people")
@sensitive_post_parameters("pin")
@require_POST
def pin_view(request: ActorRequest, staff_id: int) -> HttpResponse:
    """Give a person a new PIN."""
    services.set_pin(command_for(request), staff_id=staff_id, **arguments_of_form(request, SetPin))
    return _fresh(request)


@page("page.people")
@sensitive_post_parameters("password")
@require_POST
def password_view(request: ActorRequest, staff_id: int) -> HttpResponse:
    """Give a person a new password."""
    services.set_password(command_for(request), staff_id=staff_id, **arguments_of_form(request, SetPassword))
    return _fresh(request)


@page("page.people")
@require_POST
def shift_view(request: ActorRequest, staff_id: int) -> HttpResponse:
    """Start or end a person's shift."""
    change = services.start_shift if form_flag(request, "on_shift") else services.end_shift
    change(command_for(request), staff_id=staff_id)
    return _fresh(request)


@page("page.people")
@require_POST
def unlock_view(request: ActorRequest, staff_id: int) -> HttpResponse:
    """Let a person try their PIN again: one tap."""
    services.unlock_person(command_for(request), staff_id=staff_id)
    return done_there(request) if "on" in request.POST else _fresh(request)


@page("page.people")
@require_POST
def deactivate_view(request: ActorRequest, staff_id: int) -> HttpResponse:
    """Close every door to a person who no longer works here."""
    services.deactivate_staff(command_for(request), staff_id=staff_id)
    return _fresh(request)
