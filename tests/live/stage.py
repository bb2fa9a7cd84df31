"""
Made-up audiences, visitors and pages for a real web process. Its authenticator believes the cookie `who`.

What it did stands in Redis under "<prefix>:stage:": `renders:<audience>:<language>` counts renders,
`taps` lists the command ids that arrived. Tests set there `broken`, or `broken:<audience>`: its renders fail;
`held:<audience>`: a render that has begun, and read, goes on once that is empty; `held:tap`: so does a tap's answer.
"""

import os
from dataclasses import replace
from datetime import timedelta

import redis
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import path
from django.utils.translation import get_language

from casino import clock
from casino.health import healthz
from casino.live import audiences, hub
from casino.live.audiences import Audience, Scope, Visitor, cookies_of
from casino.live.render import fragment
from casino.rooms.models import Room
from tests.support.patience import wait_until

ALL = frozenset({"audience.board", "audience.dealer", "audience.floor", "audience.lobby"})
VISITORS = {
    "floor": Visitor(room_id=0, may=ALL, staff_id=7),
    "table": Visitor(room_id=0, may=frozenset({"audience.dealer"}), place=("table", 4), device_id=4),
    "display": Visitor(room_id=0, may=frozenset({"audience.lobby"}), place=("display", 1), device_id=9),
    "stranger": Visitor(room_id=0),
}
# The tests' own Redis, which stays up when a test restarts the process's.
notes = redis.Redis.from_url(os.environ.get("STAGE_NOTES_URL", settings.REDIS_URL), decode_responses=True)


def note(name: str) -> str:
    return f"{settings.REDIS_PREFIX}:stage:{name}"


def shown(name: str):
    """Return a render function that counts itself, waits where it is held, and shows the room's name."""

    def made(*, room_id: int, number: int = 0) -> str:
        room = Room.objects.get(id=room_id)
        notes.incr(note(f"renders:{name}:{get_language()}"))
        if notes.get(note("broken")) or notes.get(note(f"broken:{name}")):
            raise RuntimeError("asked for")
        # The database ends a transaction in which it is asked nothing for ten seconds.
        wait_until(
            lambda: Room.objects.filter(id=room_id).exists() and not notes.get(note(f"held:{name}")), "held for ever"
        )
        size = int(notes.get(note("size")) or 0)
        return render_to_string(
            "fragment.html",
            {"room": room, "number": number, "name": name, "padding": "x" * size, "seats": range(1, 31)},
        )

    return made


for name, pattern in (("board", "board"), ("dealer", "table.{number}.dealer"), ("floor", "floor"), ("lobby", "lobby")):
    audiences.register(Audience(name=name, pattern=pattern, render=shown(name)))


def authenticator(scope: Scope) -> Visitor | None:
    who = cookies_of(scope).get("who", "")
    if who not in VISITORS or notes.sismember(note("shown out"), who):
        return None
    return replace(VISITORS[who], room_id=Room.objects.get(slug="stage").pk)


audiences.set_authenticator(authenticator)
assert hub._reader is not None, "the house sets the outbox when it starts"


def page(request: HttpRequest) -> HttpResponse:
    """Show the stage, or another of its templates (`?page=sample.html&theme=dark`)."""
    shown_page = {
        "room": Room.objects.get(slug="stage"),
        "theme": request.GET.get("theme", "auto"),
        "since": (clock.now() - timedelta(minutes=12, seconds=40)).isoformat(),
        "deadline": (clock.now() + timedelta(minutes=2, seconds=41)).isoformat(),
    }
    response = render(request, request.GET.get("page", "stage.html"), shown_page)
    response.set_cookie("who", "floor")
    return response


def tap(request: HttpRequest) -> HttpResponse:
    """Answer as the field `answer` says, and note the command id."""
    notes.rpush(note("taps"), request.headers["Idempotency-Key"])
    notes.rpush(note("moments"), request.headers["X-Tapped-At"])
    notes.rpush(note("sign-ins"), request.headers.get("X-Sign-In", ""))
    answer = notes.get(note("answer")) or request.POST.get("answer", "done")
    if answer == "done" and request.content_type == "application/json":
        # A tap of the queue is a call.
        return JsonResponse({})
    if answer == "done":
        room = Room.objects.get(slug="stage")
        shown_now = fragment(room.pk, "board", "en")
        body = render_to_string("live/swap.html", {"audience": "board", "fragment": shown_now})
        return HttpResponse(body, headers={"HX-Trigger": "brush:done"})
    if answer == "slow":
        wait_until(lambda: not notes.get(note("held:tap")), "held for ever")
        return HttpResponse("", headers={"HX-Trigger": "brush:done"})
    if answer == "foreign":
        return HttpResponse("<h1>Welcome to our hotel</h1>")
    if answer == "500":
        raise RuntimeError("asked for")
    sentence = "H2.14: A new player waits for the big blind or posts it."
    return render(request, "refusal.html", {"code": "seat_taken", "sentence": sentence}, status=int(answer))


urlpatterns = [path("", page), path("tap/", tap), path("healthz", healthz)]
