"""Every route against what browsers of other sites, scanners and broken programs send."""

import json
import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client

from casino import clock
from casino.audit.models import Event
from casino.people.middleware import DEVICE_COOKIE
from casino.people.models import Staff
from casino.people.permissions import MAY, Role
from casino.people.socket_visitors import visitor_of
from tests.api.test_bad_input import AT_A_DOOR, Calls
from tests.cast import TONIGHT, Cast, demo_person, make_cast
from tests.doors.routes import Route, all_routes
from tests.hostile import planted
from tests.hostile.planted import Planted, filled, plant
from tests.taps import at_desktop

ROUTES = [route for route in all_routes() if route.pattern not in ("healthz", "readyz")]
FOREIGN = ("http://evil.example", "null")
METHODS = ("GET", "POST", "PUT", "DELETE", "TRACE", "OPTIONS")
TOKEN = "c" * 32


@pytest.fixture
def here(db: None) -> Iterator[Planted]:
    room = plant(slug="demo")
    with clock.frozen(TONIGHT + timedelta(minutes=30)):
        yield room


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast(with_secrets=True)


def address(route: Route, here: Planted) -> str:
    return "/" + filled(route.pattern, {"number": 1, "seat_number": 1} | here.at_first)


def writing(routes: list[Route]) -> list[Route]:
    return [route for route in routes if route.api_view is None or "POST" in route.methods]


def cookies_of(here: Planted, door: str) -> Client:
    """Return a browser that checks nothing away: a manager's desktop, or a tablet where the floor is signed in."""
    by = here.house.cast.mari if door == "desktop" else None
    client = at_desktop(by, enforce_csrf_checks=True, raise_request_exception=False)
    if by is None:
        tablet, _ = planted.signed_in_at(here.room, "floor", 1, here.house.cast.mari)
        client.cookies[DEVICE_COOKIE] = tablet.cookies[DEVICE_COOKIE].value
    client.cookies["csrftoken"] = TOKEN
    return client


def forged(kind: str) -> dict[str, str]:
    """Return the headers of another site's form, in one of the ways in which one may be sent."""
    return {
        "no token": {},
        "a wrong token": {"X-CSRFToken": "d" * 32},
        **{origin: {"Origin": origin, "X-CSRFToken": TOKEN} for origin in FOREIGN},
    }[kind]


@pytest.mark.slow
@pytest.mark.parametrize("door", ["desktop", "tablet"])
@pytest.mark.parametrize("kind", ["no token", "a wrong token", *FOREIGN])
def test_another_sites_form_changes_nothing_on_any_route(here: Planted, door: str, kind: str):
    client, wrong, before = cookies_of(here, door), [], Event.objects.count()
    for route in writing(ROUTES):
        headers = {"Idempotency-Key": str(uuid.uuid4()), "HX-Request": "true", "If-Match": '"1"'} | forged(kind)
        with transaction.atomic():
            if route.api_view is not None:
                answer: Any = client.post(address(route, here), "{}", content_type="application/json", headers=headers)
            else:
                answer = client.post(address(route, here), planted.FORM, headers=headers)
            transaction.set_rollback(True)
        content = planted.read(answer)
        # The API's own description takes no POST from anybody.
        if content.what != (403, "form_too_old") and content.status != 405:
            wrong.append(f"{route}: {content.what}")

    assert wrong == []
    assert Event.objects.count() == before


# The quick run asks every sixth route, by one method in turn.
@pytest.mark.parametrize(
    ("methods", "each"),
    [
        (METHODS, 6),
        *(pytest.param((method,), 1, id=method, marks=pytest.mark.slow) for method in METHODS),
    ],
)
def test_no_route_answers_a_method_that_it_does_not_know(here: Planted, methods: tuple[str, ...], each: int):
    """Nobody is told that their role or their form is wrong; and who has no sign-in is told the same."""
    manager, stranger = (Client(raise_request_exception=False, enforce_csrf_checks=True) for _ in range(2))
    manager.force_login(here.house.cast.mari)
    wrong = []
    for number, route in enumerate(ROUTES[::each]):
        method, client = methods[number % len(methods)], (manager, stranger)[number // len(methods) % 2]
        # Django's choice of a language leads back, and chooses by POST alone; OPTIONS only describes a call.
        if route.pattern == "i18n/setlang/" or (method == "OPTIONS" and route.api_view is not None):
            continue
        if method in (route.methods if route.api_view is not None else route.view.methods):
            continue
        with transaction.atomic():
            headers = {"HX-Request": "true", "Idempotency-Key": str(uuid.uuid4())}
            answer = client.generic(method, address(route, here), headers=headers)
            transaction.set_rollback(True)
        if planted.read(answer).what != (405, "method_or_format") or method in answer["Allow"]:
            wrong.append(f"{method} {route}: {answer.status_code}")

    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml", ""],
)
def test_a_call_reads_json_and_nothing_that_a_form_can_send(here: Planted, kind: str):
    # A desktop: much of it no program may. Who manages writes no compliance note.
    client, calls, wrong, mari = Client(raise_request_exception=False), Calls(), [], here.house.cast.mari
    Staff.objects.filter(pk=mari.pk).update(roles=[*mari.roles, "compliance"])
    client.force_login(mari)
    for path, method, operation in calls:
        if calls.form(operation) is None or operation["operationId"] in AT_A_DOOR:
            continue
        headers = {"If-Match": '"0"', "Idempotency-Key": str(uuid.uuid4())}
        answer = client.generic(
            method.upper(), filled(path, {"number": 1, "seat_number": 1} | here.at_first), b"x=1", kind, headers=headers
        )
        if answer.status_code != 415:
            wrong.append(f"{path}: {answer.status_code}")

    assert wrong == []


def test_open_doors_take_no_form_of_another_site(cast: Cast):
    """Signing in and enrolling ask for no token over REST: what a foreign form can send is not read there."""
    secret = {"username": "mari", "password": demo_person("mari").password, "code": "RW4K-9XTD"}
    for path in ("/api/v1/sign-in", "/api/v1/enrol"):
        for kind in ("text/plain", "application/x-www-form-urlencoded"):
            answer = Client(enforce_csrf_checks=True).post(
                path, json.dumps(secret), content_type=kind, headers={"Idempotency-Key": str(uuid.uuid4())}
            )
            assert answer.status_code == 415, path
            assert not answer.cookies


NULS = '"' + r"\000" * 16 + '"'
TO_NOBODY = {"/": 302, "/lobby/": 200, "/floor/": 401, "/api/v1/tables": 401, "/api/v1/door": 401}


@pytest.mark.parametrize(
    "name", [settings.SESSION_COOKIE_NAME, DEVICE_COOKIE, "csrftoken", settings.LANGUAGE_COOKIE_NAME]
)
@pytest.mark.parametrize("value", [NULS, '"\\377\\376"', "x" * 20_000, '"', "a=b=c"])
def test_a_cookie_of_anything_is_nobodys(cast: Cast, name: str, value: str):
    headers = {"Cookie": f"{name}={value}", "HX-Request": "true"}
    client = Client(raise_request_exception=False)

    statuses = {path: client.get(path, headers=headers).status_code for path in TO_NOBODY}
    assert statuses == (dict.fromkeys(TO_NOBODY, 400) if value == NULS else TO_NOBODY)
    who = visitor_of({"headers": [(b"cookie", headers["Cookie"].encode("latin-1"))]})

    assert who is not None
    assert (who.staff_id, who.device_id) == (None, None)


ELSEWHERE = [
    "https://evil.example/", "//evil.example/", "///evil.example", "/\\evil.example", "http:evil.example",
    "javascript:alert(1)", "\thttps://evil.example", " //evil.example", "https:///evil.example", "/%09/evil.example",
    "//evil.example\\@testserver/", "https://testserver@evil.example/", "/people/\r\nLocation: https://evil.example",
]  # fmt: skip


@pytest.mark.parametrize("target", ELSEWHERE)
def test_no_door_leads_out_of_the_house(cast: Cast, target: str):
    mari = demo_person("mari")
    body = {"username": "mari", "password": mari.password, "next": target, "command_id": str(uuid.uuid4())}

    answers = [
        Client().post("/sign-in/", body),
        Client().post("/i18n/setlang/", {"language": "fi", "next": target}),
        Client().post("/i18n/setlang/", {"language": "fi"}, headers={"Referer": target.strip()}),
    ]

    for answer in answers:
        leads = answer["Location"]
        assert leads.startswith("/"), leads
        assert not leads.startswith(("//", "/\\")), leads
        assert "\n" not in leads


def test_every_open_route_is_open_on_purpose():
    """Whoever declares a route for anybody writes it here too."""
    open_to_all = {
        str(route)
        for route in ROUTES
        for method in (route.methods if route.api_view else ["GET"])
        if Role.ANYONE in MAY.get(route.needs(method) or "", ())
    }

    assert open_to_all == {
        "/", "/sign-in/", "/theme/", "/enrol/", "/lobby/", "/api/v1/enrol", "/api/v1/sign-in", "/api/schema/",
        "/api/docs/", "/api/docs/problems/", "/api/v1/<path:rest>",
        # What the house charges, and a phone's page, which asks for a pass of its own.
        "/posted/", "/posted/<int:number>/", "/my/", "/my/<int:waiting_id>/on-the-way/", "/my/<int:waiting_id>/more/",
        "/my/<int:waiting_id>/drop/",
        # What a jackpot asks for and pays is announced.
        "/jackpot/rules/",
        # So is its sum, with every change of it; nobody is named there.
        "/jackpot/sums/<slug:code>/",
        "/jackpot/sums/<slug:code>/history.csv",
        # What a promotion pays for what, who leads by table and seat, and what lies in its fund.
        "/promotions/shown/<slug:promotion>/",
    }  # fmt: skip
