"""Signing in: password at a desktop, enrolment of a tablet, PIN pad and hand-over."""

import uuid
from typing import cast

from django.contrib.auth import logout
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from casino.commands.methods import require_http_methods, require_POST, require_safe
from casino.commands.middleware import refusal_context
from casino.errors import Refusal
from casino.people.api_signing_in import Enrol, SignIn, SignInOnDevice
from casino.people.desks import home_at, home_of
from casino.people.http import (
    ActorRequest,
    address_of,
    anonymous_command,
    command_for,
    done,
    page,
    safe_next,
)
from casino.people.inputs import arguments_of_form
from casino.people.keys import begin_session, set_device_cookie
from casino.people.middleware import DEVICE_COOKIE
from casino.people.models import Staff
from casino.people.selectors import actor_at_desktop, naming_room, people_to_sign_in
from casino.people.services import enrol_with_code, sign_in_at_desktop, sign_in_with_pin, sign_out, sign_out_of_device
from casino.people.services.addresses import password_tried


@page("page.sign_in")
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_page(request: ActorRequest) -> HttpResponse:
    """Sign in at a desktop by name and password. A tablet has its own door."""
    if request.device is not None:
        return HttpResponseRedirect("/door/")
    onward = request.POST.get("next") or request.GET.get("next", "")
    if request.method != "POST":
        return _sign_in_form(request, onward)
    try:
        staff = _signed_in(request)
        begin_session(request, staff)
    except Refusal as refusal:
        return _sign_in_form(request, onward, refusal)
    return HttpResponseRedirect(safe_next(request, onward) or home_of(actor_at_desktop(staff)))


def _signed_in(request: ActorRequest) -> Staff:
    fields = arguments_of_form(request, SignIn)
    with password_tried(address_of(request)):
        answer = sign_in_at_desktop(anonymous_command(request), **fields)
    return Staff.objects.get(pk=answer.data["staff_id"])


def _sign_in_form(request: ActorRequest, onward: str, refusal: Refusal | None = None) -> HttpResponse:
    context = {"next": onward, "command_id": uuid.uuid4(), "username": request.POST.get("username", "")}
    if refusal is not None:
        context |= refusal_context(request, refusal)
    return render(request, "people/sign_in.html", context, status=refusal.status if refusal else 200)


@page("page.sign_out")
@never_cache
@require_POST
def sign_out_view(request: ActorRequest) -> HttpResponse:
    """Sign out at a desktop."""
    sign_out(command_for(request))
    logout(request)
    return done(request, to=naming_room(reverse("sign_in"), request.room))


@page("page.enrol")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enrol_page(request: ActorRequest) -> HttpResponse:
    """Enrol this device: whoever holds it types the code that a manager was shown."""
    if request.method != "POST":
        return render(request, "people/enrol.html", {"command_id": uuid.uuid4()})
    try:
        token = _enrolled(request)
    except Refusal as refusal:
        context = {"command_id": uuid.uuid4(), **refusal_context(request, refusal)}
        return render(request, "people/enrol.html", context, status=refusal.status)
    # Who was signed in by password while enrolling it does not stay so on a tablet that goes to a table.
    logout(request)
    response = HttpResponseRedirect("/")
    set_device_cookie(response, token)
    return response


def _enrolled(request: ActorRequest) -> str:
    answer = enrol_with_code(command_for(request), **arguments_of_form(request, Enrol), address=address_of(request))
    return cast(str, answer.data["token"])


@page("page.door")
@never_cache
@require_safe
def door_page(request: ActorRequest) -> HttpResponse:
    """Show the door of a tablet: who may sign in here now, and the PIN pad."""
    assert request.device is not None, "only devices have the permission"
    context = {"people": people_to_sign_in(request.device), "home": home_of(request.actor)}
    response = render(request, "people/door.html", context)
    # Anew each time: the cookie of a tablet that is used never expires.
    set_device_cookie(response, request.COOKIES[DEVICE_COOKIE])
    return response


@page("page.door")
@never_cache
@sensitive_post_parameters("pin")
@require_POST
def hand_over(request: ActorRequest) -> HttpResponse:
    """Sign a person in on this tablet by PIN, over whoever is signed in: that is the hand-over."""
    assert request.device is not None, "only devices have the permission"
    sign_in_with_pin(anonymous_command(request), **arguments_of_form(request, SignInOnDevice))
    place = request.device.place
    return done(request, to=home_at(place.kind, place.number, is_signed_in=True))


@page("page.door")
@never_cache
@require_POST
def leave_door(request: ActorRequest) -> HttpResponse:
    """Sign out of this tablet; its place goes on without anybody."""
    # The device's own: sent again after a lost answer it is the same command, though nobody is signed in by then.
    sign_out_of_device(anonymous_command(request))
    return done(request, to="/")
