"""My sign-in: one's own PIN and password, at a desktop; and one's PIN at a tablet's door."""

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from casino.commands.methods import require_POST, require_safe
from casino.people import services
from casino.people.api_signing_in import ChangeOwnPassword, ChangeOwnPin, ChangePinAtDoor
from casino.people.errors import NotTheSameTwice
from casino.people.http import ActorRequest, actor_of, anonymous_command, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.people.keys import begin_session
from casino.people.models import Staff
from casino.people.permissions import must_change_password


@page("page.my_sign_in")
@never_cache
@require_safe
def my_sign_in_page(request: ActorRequest) -> HttpResponse:
    """Show the two forms: a new PIN, a new password."""
    return render(
        request, "people/my_sign_in.html", {"must_change_password": must_change_password(actor_of(request).may)}
    )


def _fresh(request: ActorRequest, *, changed: str) -> HttpResponse:
    return done(request, content=render_to_string("people/my_sign_in_forms.html", {"changed": changed}, request))


@page("page.my_sign_in")
@never_cache
@sensitive_post_parameters("password", "new_pin", "again")
@require_POST
def own_pin_view(request: ActorRequest) -> HttpResponse:
    """Take another PIN, by the password."""
    fields = arguments_of_form(request, ChangeOwnPin)
    _check_twice(request, fields["new_pin"])
    services.change_own_pin(command_for(request), **fields)
    return _fresh(request, changed="pin")


@page("page.my_sign_in")
@never_cache
@sensitive_post_parameters("password", "new_password", "again")
@require_POST
def own_password_view(request: ActorRequest) -> HttpResponse:
    """Take another password, by the old one. It ends the other sessions of this person, and not this one."""
    fields = arguments_of_form(request, ChangeOwnPassword)
    _check_twice(request, fields["new_password"])
    services.change_own_password(command_for(request), **fields)
    if request.device is None and request.staff is not None:
        # Sessions end with the password by which they began, this one too: it begins anew.
        begin_session(request, Staff.objects.get(pk=request.staff.pk))
    if must_change_password(actor_of(request).may):
        return done(request, to=reverse("home"))
    return _fresh(request, changed="password")


@page("page.door")
@never_cache
@sensitive_post_parameters("pin", "new_pin")
@require_POST
def door_pin_view(request: ActorRequest) -> HttpResponse:
    """Change one's own PIN on the pad, by the old one; the pad asks for the new one twice. It signs nobody in."""
    services.change_pin_at_door(anonymous_command(request), **arguments_of_form(request, ChangePinAtDoor))
    return done(request)


def _check_twice(request: ActorRequest, secret: str) -> None:
    if request.POST.get("again", "") != secret:
        raise NotTheSameTwice
