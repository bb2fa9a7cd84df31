"""
Who calls the REST interface: the same permissions as everywhere, commands out of headers.

Two ways to be known: a token for programs, and the device's cookie (or a desktop's session) for the house's own
pages, whose taps may have waited on the tablet.

A view declares `needs = "tables.seat_player"`, or one name per method: `{"GET": "read.tables", "POST": …}`; and as
`steps` the further commands that it carries out on the way (`("people.sign_second",)`).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from rest_framework.authentication import BaseAuthentication, CSRFCheck, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from casino import clock
from casino.commands.carrying_out import Actor, Answer, Command
from casino.errors import Malformed
from casino.people.earlier import EarlierTap, actor_of_earlier, anothers_tap, earlier_tap
from casino.people.errors import (
    FormTooOld,
    NotSignedIn,
    PreconditionMissing,
    SecretToBeChanged,
    SignInEnded,
    TokenRests,
)
from casino.people.http import check_same_person, earlier_sign_in_of, named_moment, sign_in_of, tapped_at_of
from casino.people.models import ApiToken, Device
from casino.people.permissions import MAY, NEVER_BY_TOKEN, QUEUED, Role, may_of, must_change_password
from casino.people.selectors import actor_of_token, actor_on_device, anyone_in, api_token
from casino.people.services import note_use
from casino.rest import answered
from casino.rooms.models import Place
from casino.text import id_from_text

if TYPE_CHECKING:
    # DRF's views read the settings that name this module: importing them here would go in a circle.
    from rest_framework.views import APIView

    from casino.people.http import ActorRequest


class DeviceTokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`. Sets `actor` and `room` on the request; one query, and once a minute a write."""

    def authenticate(self, request: Request) -> tuple[Any, ApiToken] | None:
        words = get_authorization_header(request).decode("latin-1").split()
        if not words or words[0].lower() != "bearer":
            return None
        at = clock.now()
        token = api_token(words[1], at=at) if len(words) == 2 else None
        if token is None:
            raise AuthenticationFailed
        note_use(token, at=at)
        http = cast("ActorRequest", request._request)
        http.actor, http.room = actor_of_token(token), token.room
        return token.staff, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="brush"'


def _no_view(request: HttpRequest) -> HttpResponse:
    raise AssertionError("asked for its CSRF token alone")


class CookieAuthentication(BaseAuthentication):
    """
    How the house's own pages are known: an enrolled device's cookie, or a desktop's session, with the CSRF header.

    `X-Sign-In` names the sign-in under which a tap was made, and `X-Tap-Proof` its secret: what waited on the tablet
    is that person's, whoever is signed in there now, or nobody (`casino.people.earlier`). At a desktop it names whose
    page a call comes from; somebody else's is refused, but for a fact at a table, which is nobody's.
    """

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        # Not above: the middleware's own refusals come through DRF's views, which read the settings that name this.
        from casino.people.middleware import look

        http = cast("ActorRequest", request._request)
        look(http)
        if http.device is None and http.staff is None:
            return None
        check = CSRFCheck(_no_view)
        check.process_request(http)
        if check.process_view(http, _no_view, (), {}):
            raise FormTooOld
        http.earlier = _earlier(http) if http.device is not None else _anothers(http, request)
        if http.earlier is None:
            check_same_person(http)
        elif http.device is not None:
            http.actor = actor_of_earlier(http.device, http.earlier)
        elif http.room is not None and http.staff is not None:
            http.actor = replace(anyone_in(http.room), sent_by_id=http.staff.pk)
        return http.staff, http.device


def _anothers(http: "ActorRequest", request: Request) -> EarlierTap | None:
    named, view = http.headers.get("X-Sign-In", ""), (request.parser_context or {})["view"]
    if http.room is None or not named or named == sign_in_of(http):
        return None
    command, tapped_at = needed(view, http.method or "GET") or "", tapped_at_of(http, at=clock.now())
    return anothers_tap(http.room, named, command=command, tapped_at=tapped_at)


def _earlier(http: "ActorRequest") -> EarlierTap | None:
    sign_in_id, named_at = earlier_sign_in_of(http), named_moment(http)
    if sign_in_id is None or http.device is None:
        return None
    at = clock.now()
    proof = http.headers.get("X-Tap-Proof", "")
    return earlier_tap(http.device, sign_in_id, proof=proof, tapped_at=min(named_at or at, at), at=at)


class MayCall(BasePermission):
    """Asks `MAY` for the name that the view declares in `needs`; a view that declares none is closed."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        name = needed(view, request.method or "GET")
        if name is None:
            return request.method in {"OPTIONS", "HEAD"} and request.auth is not None
        if earlier_of(request) is not None:
            place = api_actor(request).place
            is_at_table = place is not None and place[0] == Place.Kind.TABLE
            if name not in QUEUED or (device_of(request) is not None and not is_at_table):
                raise SignInEnded
            return True
        if Role.ANYONE in MAY.get(name, ()):
            return True
        actor: Actor | None = getattr(request, "actor", None)
        if actor is None or name in actor.may:
            return actor is not None
        if must_change_password(actor.may):
            raise SecretToBeChanged
        if actor.staff_id is None and actor.place is not None and actor.place[0] != Place.Kind.DISPLAY:
            # A device by itself: whoever signs in there may be somebody who may.
            raise NotSignedIn
        if _rests(request.auth, name):
            raise TokenRests
        return False


def _rests(opened: Any, name: str) -> bool:
    """Tell whether a person's token would open this during their shift."""
    staff = opened.staff if isinstance(opened, ApiToken) else None
    return (
        staff is not None
        and not staff.is_on_shift
        and name in may_of(set(staff.roles) & set(opened.roles)) - NEVER_BY_TOKEN
    )


def earlier_of(request: Request) -> EarlierTap | None:
    """Return what is known of a tap under a sign-in that has ended, None for every other call."""
    return getattr(request._request, "earlier", None)


def needed(view: Any, method: str) -> str | None:
    """Return the name that a view asks for under a method, or None where it declares none."""
    needs = getattr(view, "needs", None)
    if isinstance(needs, dict):
        return needs.get("GET" if method == "HEAD" else method)
    return needs


def api_actor(request: Request) -> Actor:
    """Return who acts. :raises NotSignedIn: nobody is known."""
    actor = getattr(request, "actor", None)
    if not isinstance(actor, Actor):
        raise NotSignedIn
    return actor


def api_command(request: Request) -> Command:
    """
    Build the command of a REST call: `Idempotency-Key` is its id, `X-Tapped-At` the moment (default: now).

    :raises Malformed: no UUID as command id, or a moment that cannot be read.
    :raises NotSignedIn: a device by itself, with nobody signed in on it.
    """
    actor = api_actor(request)
    if actor.staff_id is None:
        raise NotSignedIn
    return _command(request, actor)


def anonymous_command(request: Request) -> Command:
    """
    Build the command of a call where nobody is known yet, as signing in is: the device's own, else anybody's.

    Whoever is signed in there now does not count: a sign-in whose answer was lost is the same command when it
    is sent again, and by then somebody is.

    :raises Malformed: as `api_command`.
    :raises NotSignedIn: there is no room yet.
    """
    device, room = device_of(request), cast("ActorRequest", request._request).room
    if device is not None:
        return _command(request, actor_on_device(device, staff=None))
    if room is None:
        raise NotSignedIn
    return _command(request, anyone_in(room))


def device_of(request: Request) -> Device | None:
    """Return the device that asks, by its cookie or by a token of its own, with its place."""
    opened: Any = request.auth
    device: Device | None = opened.device if isinstance(opened, ApiToken) else opened
    return device


def _command(request: Request, actor: Actor) -> Command:
    at = clock.now()
    try:
        command_id = UUID(request.headers.get("Idempotency-Key", ""))
    except ValueError:
        raise Malformed(field="Idempotency-Key") from None
    return Command(id=command_id, by=actor, tapped_at=tapped_at_of(request._request, at=at), at=at)


def carried_out(request: Request, service: Callable[..., Answer], **arguments: Any) -> Response:
    """Have a service carry the call's command out, and answer with what became of it. :raises Refusal: it would not."""
    return answer_of(service(api_command(request), **arguments))


def answer_of(answer: Answer) -> Response:
    """Return the 200 of a command that was carried out."""
    return answered(data=answer.data, version=answer.version, is_replay=answer.is_replay)


def if_match(request: Request) -> int:
    """
    Return the version that the call decides on, from `If-Match: "17"`.

    :raises PreconditionMissing: 428, there is none. (A version that has passed answers 409 `stale`.)
    :raises Malformed: it is no version.
    """
    version = if_match_or_none(request)
    if version is None:
        raise PreconditionMissing
    return version


def if_match_or_none(request: Request) -> int | None:
    """Return the version from If-Match, or None for a fact, which is never stale. :raises Malformed: no version."""
    header = request.headers.get("If-Match")
    if header is None:
        return None
    version = id_from_text(header.strip().removeprefix("W/").strip('"'))
    if version is None:
        raise Malformed(field="If-Match")
    return version
