"""HTTP at the edge of the house: who asks, what the form says, and the answer that the tap gets."""

import functools
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlencode, urlsplit
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language

from casino import clock
from casino.commands.carrying_out import Actor, Command
from casino.commands.refusals import room_of_reader
from casino.errors import Malformed, NotPermitted, Refusal
from casino.live.audiences import Visitor, may_join
from casino.live.render import fragment
from casino.people.errors import NotSignedIn, SecretToBeChanged, SignedInAsAnother, SignInEnded
from casino.people.permissions import MAY, Role, must_change_password
from casino.people.selectors import actor_on_device, anyone_in

if TYPE_CHECKING:
    from casino.people.earlier import EarlierTap
    from casino.people.models import Device, Staff
    from casino.rooms.models import Room

    class ActorRequest(HttpRequest):
        """A request after `SignedInMiddleware`."""

        actor: Actor | None
        room: Room | None
        device: Device | None
        staff: Staff | None
        earlier: EarlierTap | None
else:
    ActorRequest = HttpRequest

View = Callable[..., HttpResponse]

# How long ago whoever is no device may say that something was done; before that it counts as done now.
TAP_AGE_MAX = timedelta(minutes=5)


def page(name: str) -> Callable[[View], View]:
    """
    Let a view be used by whoever may use `name` ("page.people"), as its app's `allows.py` declares it.

    Somebody who is not signed in is led to the sign-in (a tablet's PIN pad, or the desktop's), and whose password
    another set to the page where it is changed.

    :raises NotSignedIn: a tap without a sign-in; there is no page to lead away from.
    :raises SecretToBeChanged: a tap by somebody whose password another set.
    :raises NotPermitted: the person is known and may not.
    """
    assert name in MAY, f"nobody may use {name}: declare it in its app's allows.py"

    def wrap(view: View) -> View:
        @functools.wraps(view)
        def run(request: ActorRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if Role.ANYONE not in MAY[name] and (request.actor is None or name not in request.actor.may):
                return _turned_away(request)
            return view(request, *args, **kwargs)

        cast(Any, run).page_name = name
        return run

    return wrap


def check_whose(request: ActorRequest) -> None:
    """
    Let a tap pass that comes from a page of the sign-in that there is now, or names none.

    A page's tap never waited: only the tablet's queue does, over the REST interface.

    :raises SignInEnded: it comes from a page of an earlier sign-in on this device.
    :raises SignedInAsAnother: as `check_same_person`.
    """
    if earlier_sign_in_of(request) is not None:
        raise SignInEnded
    check_same_person(request)


def sign_in_of(request: ActorRequest) -> str:
    """Return what X-Sign-In names: the device's sign-in, at a desktop the person ("staff.3"), "" for nobody."""
    if request.device is not None:
        return str(request.device.sign_in_id or "")
    return f"staff.{request.staff.pk}" if request.staff is not None else ""


def check_same_person(request: ActorRequest) -> None:
    """
    Let a desktop's tap pass that comes from a page of whoever is signed in, or names nobody.

    :raises SignedInAsAnother: it comes from somebody else's page, whose browser this is no more.
    """
    named = request.headers.get("X-Sign-In")
    if request.device is None and request.staff is not None and named and named != sign_in_of(request):
        raise SignedInAsAnother


def _turned_away(request: ActorRequest) -> HttpResponse:
    is_page = request.method == "GET" and not request.headers.get("HX-Request")
    if request.actor is not None and must_change_password(request.actor.may):
        if is_page:
            return HttpResponseRedirect(reverse("my_sign_in"))
        raise SecretToBeChanged
    if request.actor is not None and request.actor.staff_id is not None:
        raise NotPermitted
    if not is_page:
        raise NotSignedIn
    if request.device is not None and request.device.place.kind == "display":
        raise NotPermitted
    if request.device is not None:
        return HttpResponseRedirect(reverse("door"))
    return HttpResponseRedirect(f"{reverse('sign_in')}?{urlencode({'next': request.get_full_path()})}")


def actor_of(request: HttpRequest) -> Actor:
    """
    Return who acts: the device and who is signed in there, or the person at the desktop.

    :raises NotSignedIn: neither.
    """
    actor = cast(ActorRequest, request).actor
    if actor is None:
        raise NotSignedIn
    return actor


def command_for(request: HttpRequest) -> Command:
    """
    Build the command of a tap from its headers and whoever is signed in.

    `Idempotency-Key` is the command id (forms without script send it as the field `command_id`), `X-Tapped-At` the
    moment of the tap by the server's clock as the tablet knows it.

    :raises NotSignedIn: nobody is signed in and the room is unknown.
    :raises Malformed: no command id, or a header that cannot be read.
    """
    at = clock.now()
    tapped_at = tapped_at_of(request, at=at)
    return Command(id=_command_id(request), by=_tapper(request), tapped_at=tapped_at, at=at)


def anonymous_command(request: HttpRequest) -> Command:
    """
    Build the command of a tap where nobody is known yet, as signing in is: the device's own, else anybody's.

    Whoever is signed in there now does not count: a sign-in whose answer was lost is the same command when it
    is sent again, and by then somebody is.

    :raises Malformed: as `command_for`.
    :raises NotSignedIn: there is no room yet.
    """
    at = clock.now()
    return Command(id=_command_id(request), by=anonymous_actor(request), tapped_at=tapped_at_of(request, at=at), at=at)


def anonymous_actor(request: HttpRequest) -> Actor:
    """Return the actor of who has not signed in yet. :raises NotSignedIn: there is no room yet."""
    request = cast(ActorRequest, request)
    if request.device is not None:
        return actor_on_device(request.device, staff=None)
    if request.room is None:
        raise NotSignedIn
    return anyone_in(request.room)


def address_of(request: HttpRequest) -> str:
    """
    Return the network address of who asks: what the web server says, "" where it knows none.

    Behind a proxy it is what that says, and a proxy is believed only where one is configured (`deploy/README.md`).
    """
    return str(request.META.get("REMOTE_ADDR") or "")


def tapped_at_of(request: HttpRequest, *, at: datetime) -> datetime:
    """
    Return when it was tapped: never later than `at`, nor before the sign-in began that the device has now.

    A tablet's clock may be wrong by hours. A tap under an earlier sign-in has its own bounds. A tablet's taps may wait
    long, and prove whose they are; a desktop and a program have nothing to remember for more than `TAP_AGE_MAX`.

    :raises Malformed: the header cannot be read.
    """
    earlier = getattr(request, "earlier", None)
    if earlier is not None:
        return cast(datetime, earlier.tapped_at)
    tapped_at = named_moment(request) or at
    device = getattr(request, "device", None)
    if (
        device is not None
        and device.signed_in_at
        and request.headers.get("X-Sign-In") in {None, str(device.sign_in_id)}
    ):
        tapped_at = max(tapped_at, device.signed_in_at)
    if device is None and at - tapped_at > TAP_AGE_MAX:
        return at
    return min(tapped_at, at)


def _command_id(request: HttpRequest) -> UUID:
    text = request.headers.get("Idempotency-Key") or request.POST.get("command_id", "")
    try:
        return UUID(text)
    except ValueError:
        raise Malformed(field="Idempotency-Key") from None


def earlier_sign_in_of(request: HttpRequest) -> UUID | None:
    """Return the sign-in that a tap names, where it is not the device's present one. :raises Malformed: no UUID."""
    device = getattr(request, "device", None)
    named = request.headers.get("X-Sign-In")
    return _uuid(named, "X-Sign-In") if device is not None and named and named != str(device.sign_in_id) else None


def _tapper(request: HttpRequest) -> Actor:
    request = cast(ActorRequest, request)
    if request.actor is None and request.room is not None:
        return anyone_in(request.room)
    return actor_of(request)


def named_moment(request: HttpRequest) -> datetime | None:
    """Return when a tap says it was made, None where it does not. :raises Malformed: the header cannot be read."""
    text = request.headers.get("X-Tapped-At")
    return moment(text, "X-Tapped-At") if text is not None else None


def moment(text: str, field: str) -> datetime:
    """Return a moment in ISO 8601 with its time zone. :raises Malformed: it is none, or of another century."""
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    # Year 1 in a zone east of Greenwich is a moment that PostgreSQL takes and Python cannot read back.
    if moment is None or moment.tzinfo is None or not 2000 <= moment.year < 2100:
        raise Malformed(field=field)
    return moment


def queried_day(request: HttpRequest, field: str, default: date) -> date:
    """Return the day that an address names, ISO 8601. :raises Malformed: it is none, or of another century."""
    text = request.GET.get(field, "")
    if not text:
        return default
    try:
        day = parse_date(text)
    except ValueError:
        day = None
    if day is None or not 2000 <= day.year < 2100:
        raise Malformed(field=field)
    return day


def queried_span(request: HttpRequest) -> tuple[date | None, date | None]:
    """Return the dates `from` and `to` of an address, None where it names none. :raises Malformed: as `queried_day`."""
    first, last = (queried_day(request, name, date.min) if request.GET.get(name) else None for name in ("from", "to"))
    return first, last


def without_days(
    request: HttpRequest, template: str, context: dict[str, Any], wrong: Refusal, *, names_days: bool
) -> HttpResponse:
    """
    Return the page of a report that lacks its days, with the sentence that says why, as `lacks`.

    Who named no days (`names_days`: they did) did nothing wrong: a house that has opened none yet has no report.
    """
    context["lacks"] = wrong.text(**room_of_reader(request, wrong))
    return render(request, template, context, status=wrong.status if names_days else 200)


def queried_offset(request: HttpRequest) -> int:
    """Return from where on a list is shown, as an address says it in `offset`. :raises Malformed: it is no number."""
    text = request.GET.get("offset", "0")
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise Malformed(field="offset")
    return int(text)


def _uuid(text: str, field: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Malformed(field=field) from None


def done(
    request: HttpRequest, *, audience: str | None = None, to: str | None = None, content: str = ""
) -> HttpResponse:
    """
    Answer a tap that was carried out: 200, `HX-Trigger: brush:done`, and the fresh state.

    With `audience` ("table.4.dealer") that fragment comes along as an out-of-band swap of `#live`; with `to` the
    browser goes to that page; `content` is HTML for where the tap was.
    """
    if to is not None and not request.headers.get("HX-Request"):
        return HttpResponseRedirect(to)
    body = content
    if audience is not None:
        fresh = fragment(actor_of(request).room_id, audience, get_language() or "en", from_kept=True)
        body += render_to_string("live/swap.html", {"audience": audience, "fragment": fresh})
    response = HttpResponse(body)
    response["HX-Trigger"] = "brush:done"
    if to is not None:
        response["HX-Redirect"] = to
    return response


def printed_paper(request: HttpRequest, paper: str, context: Mapping[str, object]) -> str:
    """Return what answers the print of a paper, by its template: the paper as it is printed, and the button's word."""
    return render_to_string("includes/printed.html", {**context, "paper": paper}, request)


def safe_next(request: HttpRequest, url: str) -> str:
    """Return a page of ours to go on to, "" for another site's, or for one that leads out again."""
    is_ours = url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())
    return url if is_ours and urlsplit(url).path not in {"/sign-in/", "/sign-out/"} else ""


def done_there(request: HttpRequest) -> HttpResponse:
    """
    Answer a tap as `done` does, with the screen on which it was made, whichever it is.

    The page names its audience with each tap (commands.js), a line of the to-do in its form's `on`.
    """
    on = request.headers.get("X-Shown-On") or request.POST.get("on", "")
    return done(request, audience=on if may_see(request, on) else None)


def may_see(request: HttpRequest, audience: str) -> bool:
    """Say whether who asks may see this screen; nobody sees one that is called otherwise."""
    actor = actor_of(request)
    return may_join(Visitor(room_id=actor.room_id, may=actor.may, place=actor.place), audience)
