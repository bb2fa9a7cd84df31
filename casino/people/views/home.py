"""The way in, and the pages that say no."""

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from casino.commands.methods import require_safe
from casino.commands.middleware import refused
from casino.commands.problems import WentWrong, problem_of
from casino.errors import Malformed, NotFound, NotPermitted
from casino.people.desks import home_of
from casino.people.errors import FormTooOld, HostUnknown
from casino.people.http import ActorRequest, page


@page("page.home")
@never_cache
@require_safe
def home(request: ActorRequest) -> HttpResponse:
    """Send everybody to their own screen: a tablet by its place, a person by their roles."""
    return HttpResponseRedirect(home_of(request.actor))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Refuse what Django itself cannot read, and whoever asks under a name that is not the room's."""
    return refused(request, HostUnknown() if isinstance(exception, DisallowedHost) else Malformed(field="?"))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Refuse a form that did not come from a page of ours, or from one that is too old."""
    return refused(request, FormTooOld())


def not_permitted(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Refuse what Django itself does not permit."""
    return refused(request, NotPermitted())


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Say that there is no such page."""
    return refused(request, NotFound(what="page"))


def went_wrong(request: HttpRequest) -> HttpResponse:
    """Say that the code is wrong. Nothing is asked of the database here: it may be what went wrong."""
    if request.path.startswith("/api/"):
        return problem_of(WentWrong())
    return render(request, "500.html", status=500)
