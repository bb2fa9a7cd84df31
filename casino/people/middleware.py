"""Who asks for a page: the enrolled device, who is signed in on it, or the person at a desktop."""

from collections.abc import Callable
from typing import cast

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

from casino.commands.middleware import refused
from casino.commands.refusals import as_refusal
from casino.errors import Malformed
from casino.people.http import ActorRequest, check_whose
from casino.people.models import Staff
from casino.people.selectors import actor_at_desktop, actor_on_device, device_by_token, the_room

DEVICE_COOKIE = "brush_device"
# Nobody has a sign-in here: health checks come every few seconds, and static files by the dozen.
_WITHOUT_SIGN_IN = ("/healthz", "/readyz", "/static/", "/api/")


class SignedInMiddleware:
    """
    Set `request.actor`, `.room`, `.device` and `.staff` (each may be None).

    An enrolled device needs one query; a desktop the session's two. The REST interface knows its
    callers by itself (`casino.people.api_auth`).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request = cast(ActorRequest, request)
        request.actor = request.room = request.device = request.staff = request.earlier = None
        # No form or cookie of ours holds a NUL, and PostgreSQL takes it for no text's. (A quoted cookie may spell it.)
        if "%00" in request.META.get("QUERY_STRING", ""):
            return refused(request, Malformed(field="?"))
        if any("\0" in value for value in request.COOKIES.values()):
            return refused(request, Malformed(field="Cookie"))
        if request.path.startswith(_WITHOUT_SIGN_IN):
            return self.get_response(request)
        try:
            gone = look(request)
            if request.method == "POST":
                check_whose(request)
        except Exception as problem:
            # Middleware outside RefusalMiddleware answers for itself: a busy database is a 503 here too.
            refusal = as_refusal(problem)
            if refusal is None:
                raise
            return refused(request, refusal)
        if request.room is not None and not _asks_for_a_language(request):
            translation.activate(request.room.language)
            request.LANGUAGE_CODE = request.room.language
        response = self.get_response(request)
        if gone:
            response.delete_cookie(DEVICE_COOKIE)
        return response


def _asks_for_a_language(request: HttpRequest) -> bool:
    """Whether the device has chosen one, or asks for one that Brush speaks; the room's is for the others."""
    accepted = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    spoken = {code.partition("-")[0] for code, _ in accepted} & dict(settings.LANGUAGES).keys()
    return bool(spoken) or settings.LANGUAGE_COOKIE_NAME in request.COOKIES


def look(request: ActorRequest) -> bool:
    """Fill in who asks; True when the device's token no longer opens anything."""
    request.actor = request.room = request.device = request.staff = request.earlier = None
    token = request.COOKIES.get(DEVICE_COOKIE)
    device = device_by_token(token) if token else None
    if device is not None:
        request.device, request.room = device, device.room
        request.staff = device.signed_in if device.signed_in and device.signed_in.is_active else None
        request.actor = actor_on_device(device, staff=request.staff)
        return False
    user = request.user
    if isinstance(user, AnonymousUser) or not isinstance(user, Staff):
        # `request.user` is a lazy object: isinstance looks through it, and so it is loaded here, once.
        request.room = the_room(request.GET.get("room", ""))
    else:
        request.staff, request.room, request.actor = user, user.room, actor_at_desktop(user)
    return token is not None
