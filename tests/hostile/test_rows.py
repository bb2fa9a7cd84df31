"""
Rows that are not the asker's: another room's, another table's, another window's.

Generated from the routes and the OpenAPI document. A route with a parameter that `planted.ROWS` does not
know fails `test_every_parameter_of_an_address_is_known`. The measure is that of whoever tries: the answer about
somebody else's row is the very answer about a row that nobody has.
"""

import random
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from casino import clock
from casino.live.audiences import all_audiences
from casino.live.render import fragment
from casino.people.models import Player, Staff
from tests.api.test_bad_input import Calls
from tests.cage.counting import lying
from tests.cast import TONIGHT, demo_person
from tests.doors.routes import all_routes
from tests.hostile import planted
from tests.hostile.planted import NOBODYS, NUMBERS, ROWS, Planted, browse, call, filled, parameters, plant, variants
from tests.support.owner import as_owner
from tests.taps import at_desktop

ELSEWHERE = "Elsewhere"
ACTS = "<script>struck()</script>"


@pytest.fixture
def here(db: None) -> Iterator[Planted]:
    room = plant(slug="demo")
    with clock.frozen(TONIGHT + timedelta(minutes=30)):
        yield room


@pytest.fixture
def elsewhere(here: Planted) -> Planted:
    return plant(slug="elsewhere", mark=ELSEWHERE)


def tried(ask: Callable[..., planted.Reply], *args: Any, **more: Any) -> planted.Reply:
    """Ask, and take back whatever was done."""
    with transaction.atomic():
        answer = ask(*args, **more)
        transaction.set_rollback(True)
    return answer


class Plain(random.Random):
    """Chooses amounts and seats that every form takes, so that a call fails for its row and for nothing else."""

    def choice(self, seq: Any) -> Any:
        return seq[1] if len(seq) > 3 else seq[0]


def commands(calls: Calls) -> Iterator[tuple[str, str, dict[str, Any], Any]]:
    calls.random = Plain()
    for path, method, operation in calls:
        form = calls.form(operation)
        yield path, method, operation, calls.body(form) if form else None


def alike(one: planted.Reply, other: planted.Reply) -> bool:
    """Say whether two answers are the same but for the ids that were asked for, and what proves a form ours."""
    texts = [re.sub(r'csrfmiddlewaretoken" value="\w+"|\d+', "", each.text) for each in (one, other)]
    return one.what == other.what and texts[0] == texts[1]


def test_every_parameter_of_an_address_is_known():
    names = {name for route in all_routes() for name in parameters(route.pattern)}

    assert names == ROWS | NUMBERS


# ---- two rooms in one database


@pytest.mark.slow
def test_pages_about_another_rooms_row_answer_as_about_none(here: Planted, elsewhere: Planted):
    mari, wrong, count = at_desktop(here.house.cast.mari, raise_request_exception=False), [], 0
    nobodys = dict.fromkeys(ROWS, NOBODYS)
    for route in planted.pages():
        if not ROWS & set(parameters(route.pattern)):
            continue
        for theirs in variants(elsewhere.at_first):
            own = {"number": 1, "seat_number": 1}
            for method in planted.methods_of(route, mari, own | here.at_first):
                about = [
                    tried(browse, mari, "/" + filled(route.pattern, own | ids), method) for ids in (theirs, nobodys)
                ]
                count += 1
                if not alike(*about) or ELSEWHERE in about[0].text or (method == "POST" and about[0].status < 400):
                    wrong.append(f"{method} {route}: {about[0].what}, of nobody's {about[1].what}")

    assert wrong == []
    assert count > 30


@pytest.mark.slow
def test_calls_about_another_rooms_row_answer_as_about_none(here: Planted, elsewhere: Planted):
    headers, wrong, count = planted.by_token(here.house.cast.mari), [], 0
    nobodys = dict.fromkeys(ROWS, NOBODYS)
    for path, method, _operation, body in commands(Calls()):
        if not ROWS & set(parameters(path)):
            continue
        for theirs in variants(elsewhere.at_first):
            own = {"number": 1, "seat_number": 1}
            about = [
                tried(call, Client(), filled(path, own | ids), method, body, **headers) for ids in (theirs, nobodys)
            ]
            count += 1
            if about[0].what != about[1].what or about[0].status < 400:
                wrong.append(f"{method} {path}: {about[0].what}, of nobody's {about[1].what}")

    assert wrong == []
    assert count > 30


def test_ids_of_another_room_in_a_body_are_nobodys(here: Planted, elsewhere: Planted):
    headers, wrong, count = planted.by_token(here.house.cast.mari), [], 0
    for path, method, operation, body in commands(Calls()):
        names = [name for name in body or {} if name in {**elsewhere.at_first, "staff_id": 0}]
        for name in names:
            about = [
                tried(
                    call,
                    Client(),
                    filled(path, {"number": 1, "seat_number": 9} | here.at_first),
                    method,
                    body | {name: id},
                    **headers,
                )
                for id in (elsewhere.at_first[name], NOBODYS)
            ]
            count += 1
            if about[0].what != about[1].what or about[0].status < 400:
                wrong.append(f"{operation['operationId']}.{name}: {about[0].what}, of nobody's {about[1].what}")

    assert wrong == []
    assert count >= 6


# The quick run opens every fifth page and list, and all fragments.
@pytest.mark.parametrize("each", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_no_page_list_or_fragment_tells_of_another_room_or_has_a_name_act(here: Planted, elsewhere: Planted, each: int):
    for player in Player.objects.filter(room=here.room):
        Player.objects.filter(pk=player.pk).update(nickname=f"{ACTS}{player.pk}", full_name=ACTS)
    with as_owner():
        Staff.objects.filter(room=here.room).update(display_name=ACTS)
    mari, headers = at_desktop(here.house.cast.mari), planted.by_token(here.house.cast.mari)
    own = {"number": 1, "seat_number": 9} | here.at_first
    leaks, acts = [], []
    for route in [route for route in planted.pages() if "GET" in getattr(route.view, "methods", ("GET",))][::each]:
        answer = browse(mari, "/" + filled(route.pattern, own), "GET", q=ELSEWHERE[1:])
        if ELSEWHERE in answer.text:
            leaks.append(str(route))
        if answer.is_html and ACTS in answer.text:
            acts.append(str(route))
    for path in [path for path, method, _operation in Calls() if method == "get"][::each]:
        answer = call(Client(), filled(path, own), "get", None, **headers)
        if ELSEWHERE in answer.text:
            leaks.append(path)
    for audience in all_audiences().values():
        html = fragment(here.room.pk, audience.pattern.replace("{number}", "1"), "en").html
        if ELSEWHERE in html:
            leaks.append(audience.name)
        if ACTS in html:
            acts.append(audience.name)

    assert (leaks, acts) == ([], [])
    # The mark is one that would be seen: the other room's own pages are full of it.
    theirs = at_desktop(elsewhere.house.cast.mari)
    assert all(ELSEWHERE in theirs.get(path).content.decode() for path in ("/people/", "/floor/tables/1/"))


# ---- a table's tablet


# Each call by one door in turn, with the rows that go on or those that are done; or by both doors, with all of them.
@pytest.mark.parametrize(
    ("doors", "share"),
    [(("cookie", "token"), 2), *(pytest.param((door,), 1, marks=pytest.mark.slow) for door in ("cookie", "token"))],
)
def test_the_tablet_of_one_table_touches_nothing_of_another(here: Planted, doors: tuple[str, ...], share: int):
    tablet, device = planted.signed_in_at(here.room, "table", 1, here.house.cast.mari)
    wrong, count = [], 0
    calls = [each for each in commands(Calls()) if "/tables/{number}" in each[0]]
    for turn, (path, method, _operation, body) in enumerate(calls):
        door = doors[turn // share % len(doors)]
        client, headers = (tablet, {}) if door == "cookie" else (Client(), planted.by_token(None, device))
        for theirs in variants(here.at_second)[turn % share :: share]:
            there = {"number": 2, "seat_number": 9} | theirs
            answer = tried(call, client, filled(path, there), method, body, **headers)
            count += 1
            if answer.what != (403, "not_permitted"):
                wrong.append(f"{method} {path} at table 2: {answer.what}")
            if not ROWS & set(parameters(path)):
                continue
            about = [
                tried(
                    call,
                    client,
                    filled(path, {"number": 1, "seat_number": 9} | ids),
                    method,
                    body,
                    **headers,
                )
                for ids in (theirs, dict.fromkeys(ROWS, NOBODYS))
            ]
            if about[0].what != about[1].what or about[0].status < 400:
                wrong.append(f"{method} {path} under table 1: {about[0].what}, of nobody's {about[1].what}")

    assert wrong == []
    assert count > 40


def test_a_slip_of_another_table_is_not_a_tablets_to_cancel(here: Planted):
    _tablet, device = planted.signed_in_at(here.room, "table", 1, here.house.cast.mari)
    headers = planted.by_token(None, device)

    theirs = call(Client(), f"/api/v1/cage/slips/{here.at_second['slip_id']}/cancel", "post", None, **headers)
    own = call(Client(), f"/api/v1/cage/slips/{here.at_first['slip_id']}/cancel", "post", None, **headers)

    assert theirs.what == (403, "not_permitted")
    assert own.status == 200, own.text


# The quick run tries half of the ways to each page, its neighbours the others.
@pytest.mark.parametrize("each", [2, pytest.param(1, marks=pytest.mark.slow)])
def test_a_tablets_browser_opens_its_own_table_and_no_page_of_the_floor(here: Planted, each: int):
    tablet, _device = planted.signed_in_at(here.room, "table", 1, here.house.cast.mari)
    opened = []
    routes = [route for route in planted.pages() if "number" in parameters(route.pattern)]
    ways = [(method, route, number) for route in routes for number in (1, 2) for method in ("GET", "POST")]
    # Of each four ways two, by either method and at either table, and of the next page the other two.
    tried_ways = [way for index, way in enumerate(ways) if (index + index // 2 + index // 4) % each == 0]
    for method, route, number in tried_ways:
        values = {"number": number, "seat_number": 1} | (here.at_first if number == 1 else here.at_second)
        answer = tried(browse, tablet, "/" + filled(route.pattern, values), method)
        if answer.status not in (403, 405):
            opened.append((method, str(route), number))

    # What the house charges at each table is for everybody to read.
    posted = [("GET", "/posted/<int:number>/", number) for number in (1, 2)]
    own = [("GET", "/cage/money/<int:number>/", 1), ("GET", "/tables/<int:number>/", 1)]
    # A receipt of tips has a number of its own, and here none is the asker's: not found.
    receipts = [("GET", "/tables/mine/tips/<int:number>/", number) for number in (1, 2)]
    tries = {(method, str(route), number) for method, route, number in tried_ways}
    assert sorted(opened) == sorted(tries.intersection([*posted, *own, *receipts]))


@pytest.mark.parametrize("share", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_the_floors_taps_at_one_table_do_not_reach_rows_of_another(here: Planted, share: int):
    floor, wrong = at_desktop(here.house.cast.frans), []
    pages = [page for page in planted.pages() if page.pattern.startswith("floor/tables/")]
    for turn, route in enumerate(page for page in pages if ROWS & set(parameters(page.pattern))):
        for theirs in variants(here.at_second)[turn % share :: share]:
            own = {"number": 1, "seat_number": 1}
            for method in planted.methods_of(route, floor, own | here.at_first):
                about = [
                    tried(browse, floor, "/" + filled(route.pattern, own | ids), method)
                    for ids in (theirs, dict.fromkeys(ROWS, NOBODYS))
                ]
                if not alike(*about):
                    wrong.append(f"{method} {route}: {about[0].what}, of nobody's {about[1].what}")

    assert wrong == []


# ---- a window of the cage


def test_a_window_pays_and_counts_from_its_own_drawer_alone(here: Planted):
    window, device = planted.signed_in_at(here.room, "cage", 1, here.house.cast.carla)
    headers, wrong, count = planted.by_token(None, device), [], 0
    for path, method, _operation, body in commands(Calls()):
        if "/drawers/{number}" not in path or method == "get":
            continue
        # A voucher is looked for before the drawer is, foreign notes pay no cash, and no named player is asked whose
        # the chips are.
        left_out = {"second", "voucher", "foreign", "unnamed"}
        body = {name: value for name, value in (body or {}).items() if name not in left_out}
        body |= {"amount_cents": 10_00, "chips_cents": 10_00}
        if path.endswith(("/open", "/open-bank", "/close")):
            body |= lying(10_00)
        if path.endswith(("/fills", "/credits", "/open", "/open-bank", "/close", "/found")):
            body["second"] = {"username": "frans", "pin": demo_person("frans").pin}
        if "player_id" in body:
            body["player_id"] = here.at_first["player_id"]
        for caller, sent in ((Client(), headers), (window, {})):
            answer = tried(call, caller, filled(path, {"number": 2}), method, body, **sent)
            count += 1
            # No program asks for a signature, whichever drawer it is.
            if answer.what not in {(403, "not_permitted"), (400, "malformed"), (422, "no_program_signs")}:
                wrong.append(f"{method} {path}: {answer.what}")
            if answer.what == (400, "malformed"):
                wrong.append(f"{method} {path} was not tried: {answer.text}")

    assert wrong == []
    assert count >= 12


def test_a_windows_pages_act_for_its_own_drawer_alone(here: Planted):
    window, _device = planted.signed_in_at(here.room, "cage", 1, here.house.cast.carla)
    other = here.house.drawer_id - 1
    money = {"drawer_id": other, "kind": "deposit", "method": "cash", "player_id": here.at_first["player_id"]}
    kinds = {"buy-in": "buy_in", "cash-out": "cash_out", "deposit": "deposit", "withdraw": "withdrawal"}
    wrong = []
    for route in planted.pages():
        if not route.pattern.startswith("cage/<int:number>/"):
            continue
        last = route.pattern.rstrip("/").rsplit("/", 1)[-1]
        fields: dict[str, Any] = money | {"kind": kinds.get(last, "buy_in"), "cash": "1", "chips": "1", "username": ""}
        if last == "take":
            fields["slip_id"] = here.at_first["slip_id"]
        if last == "vault":
            fields |= {"direction": "fill", "what": "cash", "amount": "1"}
        if last in {"vault", "open", "close"}:
            fields |= {"username": "frans", "pin": demo_person("frans").pin}
        for number in (1, 2):
            path = "/" + filled(route.pattern, {"number": number})
            answer = tried(browse, window, path, "POST", **fields)
            # The address alone names the drawer: under /cage/1/ it is the window's own, whatever the form says.
            if answer.status != 405 and number == 2 and answer.what != (403, "not_permitted"):
                wrong.append(f"POST {path}: {answer.what}")

    assert wrong == []
    assert window.get("/cage/2/").headers["Location"] == "/cage/"


def test_a_slip_of_another_window_is_reversed_there_alone(here: Planted):
    window, _device = planted.signed_in_at(here.room, "cage", 1, here.house.cast.carla)
    body = {"reason": "wrong_amount", "second": {"username": "frans", "pin": "2468"}}

    path = f"/api/v1/cage/slips/{here.at_second['paid_slip_id']}/reverse"
    answer = call(window, path, "post", body, **{"If-Match": '"1"'})

    assert answer.what == (403, "not_permitted"), answer.text


def test_a_cashiers_token_seats_nobody_and_a_dealers_pays_nobody(here: Planted):
    cashier, dealer = planted.by_token(here.house.cast.carla), planted.by_token(here.house.cast.anna)
    seat = {"player_id": here.house.player("Sara").pk, "chips_cents": 100_00, "entry": "waits"}

    seated = call(Client(), "/api/v1/tables/1/seats/9", "post", seat, **cashier)
    paid = call(
        Client(), "/api/v1/cage/drawers/1/cash-outs", "post", {"amount_cents": 1_00, "method": "cash"}, **dealer
    )

    assert seated.what == paid.what == (403, "not_permitted")
