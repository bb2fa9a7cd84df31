"""The player's phone: a page by a QR code, a link or a typed code; no account and nothing to install."""

import functools
from collections.abc import Callable

from django.conf import settings
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.commands.methods import require_http_methods, require_POST
from casino.commands.middleware import refusal_context
from casino.errors import Busy, Refusal
from casino.people.errors import PassEnded, PhonesOff, TooSoon
from casino.people.http import ActorRequest, address_of, command_for, done, page
from casino.people.models import PlayerPass
from casino.people.passes import (
    PASS_COOKIE,
    actor_of_pass,
    cookie_of,
    pass_by_code,
    pass_by_key,
    set_pass_cookie,
)
from casino.waiting.selectors.phones import phone
from casino.waiting.services.answers import ask_more_time, drop_by_phone, say_on_the_way


@page("page.phone")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def phone_page(request: ActorRequest) -> HttpResponse:
    """
    Show a player's own page to the phone that holds a pass; ask anybody else for the code.

    A link carries the pass as `?pass=`; the phone keeps it as a cookie, and the address is a clean one from then on.
    """
    if not settings.PHONE_URL:
        return _ask(request, PhonesOff())
    try:
        key = _key(request)
    except (PassEnded, TooSoon, Busy) as refusal:
        return _ask(request, refusal)
    if key:
        response = HttpResponseRedirect(reverse("phone"))
        set_pass_cookie(response, key)
        return response
    given = request.COOKIES.get(PASS_COOKIE, "")
    held = pass_by_key(given)
    if held is None:
        return _ask(request, PassEnded() if given or request.method == "POST" else None)
    _stand_in(request, held)
    return render(request, "waiting/phone.html", {"pass": held, "player": held.player, "room": held.room})


def _key(request: ActorRequest) -> str:
    """Return what opens the page from now on: of a link its token, of a code what stands for it; "" for neither."""
    if token := request.GET.get("pass", "")[:100]:
        if pass_by_key(token) is None:
            raise PassEnded
        return token
    if code := request.POST.get("code", "")[:20]:
        return cookie_of(pass_by_code(code, address=address_of(request), at=clock.now()))
    return ""


def _ask(request: ActorRequest, refusal: Refusal | None) -> HttpResponse:
    context = refusal_context(request, refusal) if refusal else {}
    is_off = isinstance(refusal, PhonesOff)
    status = refusal.status if refusal and request.method == "POST" else 200
    return render(request, "waiting/phone_code.html", {**context, "is_off": is_off}, status=status)


def _stand_in(request: ActorRequest, held: PlayerPass) -> None:
    """Let the request be the pass's, whoever else is signed in in this browser."""
    request.actor, request.room = actor_of_pass(held), held.room
    request.staff = request.device = None


def _answers(view: Callable[[ActorRequest, int], object]) -> Callable[..., HttpResponse]:
    """Make a view one of the phone's taps: the pass's own command, answered with the fresh page."""

    @functools.wraps(view)
    def run(request: ActorRequest, waiting_id: int) -> HttpResponse:
        held = pass_by_key(request.COOKIES.get(PASS_COOKIE, ""))
        if held is None:
            raise PassEnded
        _stand_in(request, held)
        view(request, waiting_id)
        return done(request, audience=held.audience)

    return page("page.phone")(require_POST(run))


@_answers
def on_the_way_tap(request: ActorRequest, waiting_id: int) -> None:
    """On my way."""
    say_on_the_way(command_for(request), waiting_id=waiting_id)


@_answers
def more_tap(request: ActorRequest, waiting_id: int) -> None:
    """A few more minutes, please."""
    ask_more_time(command_for(request), waiting_id=waiting_id)


@_answers
def drop_tap(request: ActorRequest, waiting_id: int) -> None:
    """Drop me."""
    drop_by_phone(command_for(request), waiting_id=waiting_id)


def render_phone(*, room_id: int, number: int) -> str:
    """Return the fragment of the phone that holds this pass; of a pass that has ended, that it has."""
    own_page = phone(room_id, number)
    return render_to_string("waiting/phone_card.html", {"phone": own_page, "room": own_page.room})
