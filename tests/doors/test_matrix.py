"""
Every route, socket audience and service against everybody who may stand at a door.

A new route, audience or service needs no row here: it needs its name in its app's `allows.py`.
What nobody declares fails, and so does a name that nothing asks for.
The declaration itself is read here and believed: `test_who_may.py` says what was meant.
"""

import sys
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client

from casino.commands.carrying_out import Actor, services
from casino.errors import NotPermitted
from casino.live.audiences import all_audiences, find, may_join
from casino.people.middleware import DEVICE_COOKIE
from casino.people.models import ApiToken, Device, Staff
from casino.people.permissions import MAY, NEVER_BY_TOKEN, STAFF_ROLES, Role, may_of
from casino.people.secrets import digest
from casino.people.selectors import actor_at_desktop, actor_on_device, anyone_in
from casino.people.socket_visitors import visitor_of
from tests.cast import LATER_THAN_ANY_TEST, TONIGHT, Cast, command, enrolled, make_cast
from tests.doors.routes import all_routes, import_all_services
from tests.taps import at_desktop, on_device

# Open to everybody, and no business of the room's: health checks, and the choice of a language.
OPEN = {"/healthz", "/readyz", "/i18n/setlang/"}
# Asked of the second person under a command, or for one field of an answer.
NEEDED_INSIDE = {
    "cage.approve_fill", "cage.approve_payout", "cage.approve_reversal", "cage.count_drawer", "read.full_names",
    "ledger.approve_vault", "people.approve_lifting", "people.approve_lifting_inquiry",
    "people.approve_giving_data", "people.approve_merge", "people.approve_compliance",
    "read.reasons", "people.unlock_manager",
    "jackpot.sign_claim", "jackpot.sign_pool", "jackpot.countersign_report",
    "boxes.sign_count", "cage.sign_counts", "promotions.sign_fund", "promotions.sign_period",
    "promotions.sign_splash", "tables.sign_rack", "tables.sign_tips", "tables.sign_payroll",
    "cage.carry_fill", "cage.carry_money", "cage.count_fill", "cage.receive_at_vault", "cage.receive_at_drawer",
    "tables.receive_fill", "cage.hold_bank", "cage.give_back_money",
    "paper.sign_catch_up", "paper.sign_catch_up_lists", "cage.approve_voucher", "cage.approve_kept",
    "cage.approve_unclaimed", "cage.approve_exchange", "cage.sign_vault",
}  # fmt: skip

import_all_services()

ROUTES = [route for route in all_routes() if str(route) not in OPEN]
PAGES = [route for route in ROUTES if route.api_view is None]
CALLS = [route for route in ROUTES if route.api_view is not None]


@dataclass(frozen=True)
class Visitor:
    """Somebody at a door: a person of one role or nobody, at a desktop or on a device at a place."""

    role: Role | None
    kind: str | None = None

    def __str__(self) -> str:
        return f"{self.role or 'nobody'} at {self.kind or 'a desktop'}"

    @property
    def may(self) -> frozenset[str]:
        """Return what this one may, read from the declaration and not from the request."""
        if self.kind is None:
            held = {Role.ANYONE} | ({self.role} if self.role else set())
            return frozenset(name for name, roles in MAY.items() if roles & held)
        return may_of([self.role] if self.role else [], self.kind)


VISITORS = [Visitor(None), *(Visitor(role) for role in STAFF_ROLES)]
VISITORS += [Visitor(None, kind) for kind in ("table", "floor", "cage", "display")]
VISITORS += [Visitor(Role.DEALER, "table"), Visitor(Role.FLOOR, "table"), Visitor(Role.MANAGER, "table")]
VISITORS += [Visitor(Role.FLOOR, "floor"), Visitor(Role.DEALER, "floor"), Visitor(Role.CASHIER, "cage")]
# Tokens know no other doors than these; the other places are walked as pages.
BY_TOKEN = [each for each in VISITORS if each.kind in (None, "table", "display")]
everybody = pytest.mark.parametrize("visitor", VISITORS, ids=str)


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture
def staff_of(cast: Cast) -> Callable[[Visitor], Staff | None]:
    def find_staff(visitor: Visitor) -> Staff | None:
        if visitor.role is None:
            return None
        return Staff.objects.create(
            room=cast.room,
            username=f"only-{visitor.role}",
            display_name="Only",
            roles=[visitor.role.value],
            # Off shift a token of theirs rests.
            is_on_shift=True,
            created_at=TONIGHT,
        )

    return find_staff


@pytest.fixture
def device_of(cast: Cast) -> Callable[[Visitor, Staff | None], Device | None]:
    def make_device(visitor: Visitor, staff: Staff | None) -> Device | None:
        if visitor.kind is None:
            return None
        device = enrolled(cast.room, visitor.kind, 1)
        if staff is not None:
            Device.objects.filter(pk=device.pk).update(signed_in=staff, signed_in_at=TONIGHT, sign_in_id=uuid.uuid4())
        return Device.objects.select_related("place", "signed_in").get(pk=device.pk)

    return make_device


def browser_of(visitor: Visitor, staff: Staff | None) -> Client:
    if visitor.kind is None:
        return at_desktop(staff, raise_request_exception=False)
    return on_device(f"token-{visitor.kind}-1", raise_request_exception=False)


def ask(client: Client, method: str, path: str, **headers: str) -> tuple[int, str]:
    """Ask, and take back whatever was done; return the status and where it leads."""
    with transaction.atomic():
        sent = {"Idempotency-Key": str(uuid.uuid4()), **headers}
        body: Any = {} if method == "GET" else {"content_type": "application/json", "data": "{}"}
        if "/api/" not in path:
            # As a tap, unless it is a page: the answer is a small one.
            sent, body = sent | ({"HX-Request": "true"} if method == "POST" else {}), {}
        answer = client.generic(method, path, headers=sent, **body)
        transaction.set_rollback(True)
    return answer.status_code, answer.headers.get("Location", "")


def turned_away(status: int, location: str, name: str | None) -> bool:
    led_away = status == 302 and location.startswith(("/sign-in/?", "/door/"))
    # The way in leads everybody somewhere: to the door, for a tablet.
    return status in (401, 403) or (led_away and Role.ANYONE not in MAY[name or ""])


# ---- everything is listed


def test_every_route_asks_for_a_permission_that_is_listed():
    needed = [
        (route, method, route.needs(method))
        for route in ROUTES
        for method in (route.methods if route.api_view else ["GET"])
    ]

    # Who asks for nothing lacks @page(...) or needs = ...
    assert [f"{method} {route}: {name}" for route, method, name in needed if name not in MAY] == []
    assert len(needed) > 300


def test_every_service_and_every_audience_is_listed():
    needed = {name: name for name in services()} | {name: each.permission for name, each in all_audiences().items()}

    assert sorted(name for name, permission in needed.items() if permission not in MAY) == []
    assert len(needed) > 100


def test_nothing_is_listed_that_nobody_asks_for():
    needed = {route.needs(method) for route in CALLS for method in route.methods} | {
        page.needs("GET") for page in PAGES
    }
    needed |= set(services()) | {audience.permission for audience in all_audiences().values()} | NEEDED_INSIDE

    assert sorted(set(MAY) - needed) == []


def test_every_name_is_somebodys():
    assert [name for name, roles in MAY.items() if not roles] == []


# ---- and everybody is held to it


@pytest.mark.slow
@everybody
def test_pages_open_to_those_who_may_and_to_nobody_else(visitor: Visitor, staff_of, device_of):
    staff = staff_of(visitor)
    device_of(visitor, staff)
    wrong = []
    for route in PAGES:
        may = route.needs("GET") in visitor.may
        status, location = ask(browser_of(visitor, staff), "GET", route.path)
        away = turned_away(status, location, route.needs("GET"))
        if status == 405:
            # A tap: who may not is told so before anything is read; who may can still be refused by the service.
            status, location = ask(browser_of(visitor, staff), "POST", route.path)
            away = status in (401, 403) if not may else False
        if away == may or status >= 500:
            wrong.append(f"{route}: {status} {location}, and may is {may}")

    assert wrong == []


# The quick run asks each visitor for a sixth of the pages, the neighbours for the others.
@pytest.mark.parametrize("turn", [0, *(pytest.param(turn, marks=pytest.mark.slow) for turn in range(1, 6))])
@everybody
def test_taps_on_pages_are_refused_to_those_who_may_not(visitor: Visitor, staff_of, device_of, turn: int):
    staff = staff_of(visitor)
    device_of(visitor, staff)
    pages = PAGES[(VISITORS.index(visitor) + turn) % 6 :: 6]
    closed = [route for route in pages if route.needs("POST") not in visitor.may]
    # One for all: what is refused leaves no trace, not even in the session.
    browser = browser_of(visitor, staff)

    answers = {route: ask(browser, "POST", route.path)[0] for route in closed}

    refused = {route: (401, 403) if "POST" in route.view.methods else (405,) for route in closed}
    assert {str(route): status for route, status in answers.items() if status not in refused[route]} == {}


@pytest.mark.slow
@pytest.mark.parametrize("visitor", BY_TOKEN, ids=str)
def test_calls_are_answered_to_those_who_may_and_to_nobody_else(visitor: Visitor, staff_of, device_of):
    staff = staff_of(visitor)
    device = device_of(visitor, staff)
    headers = {}
    if staff or device:
        headers = {"Authorization": f"Bearer {token_of(staff, device)}"}
    wrong = []
    for route in CALLS:
        for method in route.methods:
            may = route.needs(method) in visitor.may - NEVER_BY_TOKEN
            status, _ = ask(Client(raise_request_exception=False), method, route.path, **headers)
            # A device's token while nobody is signed in there: it may read, and a command needs a person.
            away = status == 403 or (status == 401 and not (may and staff is None))
            if away == may or status >= 500:
                wrong.append(f"{method} {route}: {status}, and may is {may}")

    assert wrong == []


def token_of(staff: Staff | None, device: Device | None) -> str:
    holder = device or staff
    assert holder is not None
    # A device's token lives no longer than its maker is a manager.
    maker = Staff.objects.filter(room_id=holder.room_id, roles__contains=[Role.MANAGER.value])[0]
    ApiToken.objects.create(
        room_id=holder.room_id,
        name="matrix",
        roles=list(STAFF_ROLES),
        token_hash=digest("matrix-token"),
        staff=staff if device is None else None,
        device=device,
        made_by_id=maker.pk,
        ends_at=LATER_THAN_ANY_TEST,
        made_at=TONIGHT,
    )
    return "matrix-token"


@everybody
def test_services_are_carried_out_for_those_who_may_and_for_nobody_else(visitor: Visitor, cast, staff_of, device_of):
    staff = staff_of(visitor)
    device = device_of(visitor, staff)
    if device:
        actor = actor_on_device(device, staff=staff)
    else:
        actor = actor_at_desktop(staff) if staff else anyone_in(cast.room)
    wrong = []
    for name, each in services().items():
        with transaction.atomic():
            refused = is_refused(name, actor)
            transaction.set_rollback(True)
        if refused == (name in visitor.may):
            wrong.append(name)
        assert each.name == name

    assert wrong == []


def is_refused(name: str, actor: Actor) -> bool:
    """Call a service without its arguments: who may not is refused before anybody notices that they are missing."""
    try:
        callers()[name](command(actor))
    except NotPermitted:
        return True
    except Exception:
        return False
    return False


def callers() -> dict[str, Callable[..., object]]:
    """Return the wrapped services by name, found where they are defined."""
    found = {}
    for name, each in services().items():
        module = sys.modules[each.function.__module__]
        found[name] = getattr(module, each.function.__name__)
    return found


@everybody
def test_sockets_hear_what_they_may_and_only_of_their_own_place(visitor: Visitor, cast, staff_of, device_of):
    staff = staff_of(visitor)
    device_of(visitor, staff)
    client = browser_of(visitor, staff)
    cookies = {DEVICE_COOKIE: f"token-{visitor.kind}-1"} if visitor.kind else {}
    if staff and not visitor.kind:
        cookies = {settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value}
    header = "; ".join(f"{key}={value}" for key, value in cookies.items()).encode()

    who = visitor_of({"headers": [(b"cookie", header)]})

    assert who is not None
    for audience in all_audiences().values():
        names = [audience.pattern.replace("{number}", number) for number in ("1", "2")]
        for name in dict.fromkeys(names):
            found = find(name)
            assert found is not None
            elsewhere = found.place is not None and found.place[0] == visitor.kind and found.place[1] != 1
            assert may_join(who, name) == (audience.permission in visitor.may and not elsewhere), name


def test_a_socket_with_forged_cookies_is_anybodys(cast):
    forged = b"sessionid=00000000000000000000000000000000; brush_device=made-up"

    who = visitor_of({"headers": [(b"cookie", forged)]})

    assert who is not None
    assert (who.staff_id, who.device_id, who.may) == (None, None, may_of(()))
