"""Whatever comes in, the answer is one that the OpenAPI document declares, and never 500."""

import random
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.people.models import Player, Staff
from casino.waiting.models import Waiting
from casino.waiting.services.lists import join_list
from jackpot.models import Claim
from jackpot.services.claims import dispute_claim
from tables.models import Hand, Seating, Table, ToDo
from tests.api.document import document
from tests.api.stage import Caller, Stage
from tests.jackpot.beats import Beats

ROLES = ["mari", "frans", "anna", "carla", "olavi"]
# What only a device may ask.
AT_A_DOOR = {"door_get", "people_change_pin_on_device", "people_sign_in_on_device", "people_sign_out_of_device"}
SEED = 20261120

# In the quick run each call is asked some of the questions, and its neighbours the others.
in_turn_or_all = pytest.mark.parametrize("share", [5, pytest.param(1, marks=pytest.mark.slow)])

NASTY: list[Any] = [
    None,
    True,
    -1,
    0,
    2**31,
    2**63,
    10**30,
    1.5,
    "",
    " ",
    "\x00",
    "\ud800",
    "1",
    "x" * 5000,
    "2026-11-20T18:00:00",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
    [],
    [[]],
    [[[1]]],
    [None],
    [0],
    [13],
    [1] * 100,
    {},
    {"a": {"b": []}},
    {"\x00": "\x00"},
]
BODIES = [
    b"",
    b"null",
    b"[]",
    b"1",
    b'"x"',
    b"{",
    b"\xff\xfe",
    b'{"a": NaN}',
    b"[" * 60_000,
    b'{"amount_cents": ' + b"9" * 5000 + b"}",
    b'{"a":' * 40_000,
]


class Calls:
    """Every call of the OpenAPI document, with bodies that are nearly right."""

    def __init__(self) -> None:
        self.document = document()
        self.random = random.Random(SEED)

    def __iter__(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                yield path, method, operation

    def one(self, operation_id: str) -> tuple[str, str, dict[str, Any]]:
        return next(call for call in self if call[2]["operationId"] == operation_id)

    def form(self, operation: dict[str, Any]) -> dict[str, Any] | None:
        content = operation.get("requestBody", {}).get("content", {})
        return self._resolved(content["application/json"]["schema"]) if content else None

    def body(self, form: dict[str, Any]) -> Any:
        """Return a body that fits the form."""
        form = self._resolved(form)
        if "enum" in form:
            return self.random.choice(form["enum"])
        if form.get("type") == "object" or "properties" in form:
            if "properties" not in form:
                return {"1": "As"}
            return {name: self.body(each) for name, each in form["properties"].items()}
        if form.get("type") == "array":
            return [self.body(form["items"]) for _ in range(max(1, form.get("minItems", 0)))]
        if form.get("type") == "integer":
            return self.random.choice([form.get("minimum", 0), 1, 2, 200_00])
        if form.get("type") == "boolean":
            return self.random.choice([True, False])
        if form.get("format") == "uuid":
            return str(uuid.UUID(int=self.random.getrandbits(128)))
        if form.get("format") == "date-time":
            return "2026-11-20T18:10:00+00:00"
        if form.get("format") == "date":
            return "2026-12-31"
        return "2468" if "[0-9]" in form.get("pattern", "") else "wrong_pot"

    def spoilt(self, form: dict[str, Any]) -> Iterator[Any]:
        """Yield bodies with one field spoilt at a time, at every depth."""
        for name in form.get("properties", {}):
            for bad in NASTY:
                yield self.body(form) | {name: bad}
            yield {key: value for key, value in self.body(form).items() if key != name}
            inner = self._resolved(form["properties"][name])
            if inner.get("type") == "array":
                for bad in NASTY:
                    yield self.body(form) | {name: [bad]}
                    yield self.body(form) | {name: [[bad]]}
            elif "properties" in inner:
                for spoilt in self.spoilt(inner):
                    yield self.body(form) | {name: spoilt}

    def _resolved(self, form: dict[str, Any]) -> dict[str, Any]:
        while True:
            if "$ref" in form:
                form = self.document["components"]["schemas"][form["$ref"].rsplit("/", 1)[1]]
            elif "allOf" in form:
                form = {**form["allOf"][0], **{key: each for key, each in form.items() if key != "allOf"}}
            elif "oneOf" in form:
                form = form["oneOf"][0]
            else:
                return form


def address(path: str, ids: dict[str, Any]) -> str:
    found = path.removeprefix("/api/v1/")
    for name, value in ids.items():
        found = found.replace(f"{{{name}}}", str(value))
    assert "{" not in found, found
    return found


def real_ids(stage: Stage) -> dict[str, Any]:
    seating = Seating.objects.filter(left_at=None).order_by("id")[0]
    return {
        "number": 1,
        "seat_number": 5,
        "game_id": stage.house.game().pk,
        "waiting_id": Waiting.objects.order_by("id")[0].pk,
        "incident_id": 1,
        "pot_id": 1,
        "seating_id": seating.pk,
        "hand_row_id": Hand.objects.order_by("id")[0].pk,
        "todo_id": ToDo.objects.order_by("id")[0].pk,
        "slip_id": 1,
        "fill_id": 1,
        "voucher_id": 1,
        "closed_id": 1,
        "unclaimed_id": 1,
        "exchange_id": 1,
        "vault_count_id": 1,
        "day_id": 1,
        "doubt_id": 1,
        "session_id": 1,
        "time_id": 1,
        "account_id": 1,
        "player_id": Player.objects.order_by("id")[0].pk,
        "staff_id": stage.house.cast.dan.pk,
        "device_id": 1,
        "token_id": 1,
        "exclusion_id": 1,
        "apart_id": 1,
        "inquiry_id": 1,
        "claim_id": Claim.objects.get().pk,
        "box_id": 1,
        "report_id": 1,
        "share_id": 1,
        "jackpot": "bad-beat",
        "promotion": "high-hand",
        "period_id": 1,
        "entry_id": 1,
        "splash_id": 1,
    }


@pytest.fixture
def calls(stage: Stage) -> Calls:
    """Return every call, in a room where a hand was logged that the floor has to judge, and one is claimed."""
    stage.house.open(1, Lee=1, Kai=2, Timo=3)
    hand = stage.house.settle(86_00, taken={"rake": 0})
    beats = Beats(stage.house)
    # A disputed claim lets its table deal on.
    beats.step(dispute_claim, beats.called(hand=hand), reason="cards")
    stage.house.tap(join_list, game_id=stage.house.game().pk, player_id=stage.house.player("Mika").pk)
    return Calls()


def ask(caller: Caller, path: str, method: str, body: Any = None, **headers: str):
    if method == "get":
        return caller.get(path, **headers)
    return caller.post(path, body, **headers)


def check(answer, operation: dict[str, Any], why: Any) -> None:
    declared = set(operation["responses"])
    # 415 and 429 are of no call's own: any call may meet them.
    assert str(answer.status) in declared | {"429"}, (operation["operationId"], why, answer.status, answer.body)
    if answer.status >= 400:
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.body["status"] == answer.status
        assert answer.body["detail"]
        assert answer.body["type"].endswith(f"#{answer.body['code']}")


@pytest.mark.slow
@pytest.mark.parametrize("name", [*ROLES, "a tablet"])
def test_each_role_is_answered_as_declared_whatever_it_says(stage: Stage, calls: Calls, name: str):
    ids = real_ids(stage)
    caller = getattr(stage, name) if name in ROLES else stage.on_tablet("floor", 1, stage.house.cast.frans)[0]
    table = Table.objects.get(number=1)

    for path, method, operation in calls:
        form = calls.form(operation)
        bodies = [calls.body(form), *calls.random.sample(list(calls.spoilt(form)), 12)] if form else [None]
        for body in bodies:
            try:
                answer = ask(caller, address(path, ids), method, body, If_Match=f'"{table.version}"')
            except UnicodeEncodeError:
                continue
            check(answer, operation, body)


@in_turn_or_all
def test_ids_that_nobody_gave_are_not_found(stage: Stage, calls: Calls, share: int):
    caller = stage.mari

    for number, (path, method, operation) in enumerate(calls):
        if "{" not in path:
            continue
        for strange in (0, 2**31, 10**30)[number % share :: share]:
            ids = dict.fromkeys(real_ids(stage), strange)
            form = calls.form(operation)
            body = calls.body(form) if form else None
            answer = ask(caller, address(path, ids), method, body, If_Match='"1"')
            check(answer, operation, strange)
            assert answer.status != 200


@in_turn_or_all
def test_bodies_that_are_none_are_malformed(stage: Stage, calls: Calls, share: int):
    # Who manages writes no compliance note.
    Staff.objects.filter(pk=stage.house.cast.mari.pk).update(roles=[*stage.house.cast.mari.roles, "compliance"])
    mari, ids = stage.at_desktop(stage.house.cast.mari), real_ids(stage)
    tablet, _device = stage.on_tablet("floor", 1, None)

    for number, (path, method, operation) in enumerate(calls):
        if calls.form(operation) is None:
            continue
        caller = tablet if operation["operationId"] in AT_A_DOOR else mari
        for body in BODIES[number % share :: share]:
            answer = ask(caller, address(path, ids), method, body, If_Match='"1"')
            check(answer, operation, body[:40])
            # No body at all says as much as an empty one; some calls need no more.
            assert answer.status == 400 or not body, (operation["operationId"], body[:40], answer.body)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"If_Match": "\x00"}, 400),
        ({"If_Match": '"' + "9" * 400 + '"'}, 400),
        ({"If_Match": "²"}, 400),
        ({"X_Tapped_At": "yesterday"}, 400),
        ({"X_Tapped_At": "0001-01-01T00:00:00+14:00"}, 400),
        ({"X_Tapped_At": "9999-12-31T23:59:59-14:00"}, 400),
        ({"X_Tapped_At": "2026-11-20T18:00:00"}, 400),
        ({"Accept_Language": "x" * 3000}, 409),
        ({"Authorization": "Bearer"}, 401),
        ({"Authorization": "Bearer a b"}, 401),
        ({"Authorization": "Bearer \xff"}, 401),
        ({"Content_Type": "text/plain"}, 415),
    ],
)
def test_strange_headers_never_break_a_call(stage: Stage, headers: dict[str, str], status: int):
    stage.house.open(1, Lee=1, Kai=2, Timo=3)

    answer = stage.frans.post("tables/1/open", {"game_id": stage.house.game().pk}, **({"If_Match": '"1"'} | headers))

    assert answer.status == status, (headers, answer.body)
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("tapped_at", ["0001-01-01T00:00:00+14:00", "1970-01-01T00:00:00+00:00"])
def test_a_tablet_without_a_clock_is_told_so(stage: Stage, tapped_at: str):
    stage.house.open(1, Lee=1, Kai=2, Timo=3)
    body = {"hand_id": str(uuid.uuid4()), "winners": [[1]], "pots": [86_00]}

    answer = stage.anna.post("tables/1/hands/settle", body, X_Tapped_At=tapped_at)

    assert (answer.status, answer.body["data"]) == (400, {"field": "X-Tapped-At"})
    assert stage.anna.get("tables/1/hands").status == 200


PAGES = ["tables/1/hands", "cage/slips", "ledger/accounts", "audit/events", "todos"]
QUERIES = ["limit=0", "limit=x", "limit=999", "offset=-1", "offset=" + "9" * 40]


def test_a_page_that_cannot_be_is_malformed(stage: Stage):
    mari = stage.mari
    answers = {f"{path}?{query}": mari.get(f"{path}?{query}") for path in PAGES for query in QUERIES}

    assert {address: (each.status, each.code) for address, each in answers.items()} == dict.fromkeys(
        answers, (400, "malformed")
    )


@pytest.mark.parametrize("path", ["tables/1/hands?status=%00", "cage/slips?status=%ff", "audit/events?chain=%00"])
def test_a_filter_that_cannot_be_is_malformed(stage: Stage, path: str):
    assert stage.mari.get(path).code == "malformed"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=6,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_settlement_of_anything_is_settled_or_malformed(stage: Stage, data: st.DataObject):
    if not Seating.objects.filter(left_at=None).exists():
        stage.house.open(1, Lee=1, Kai=2, Timo=3)
    seat = st.integers(0, 13)
    body = {
        "hand_id": str(data.draw(st.uuids())),
        "winners": data.draw(st.lists(st.lists(seat, max_size=3), max_size=3) | JSON),
        "pots": data.draw(st.lists(st.integers(-1, 10**12), max_size=13) | JSON),
        "dealt_in": data.draw(st.lists(seat, max_size=13) | JSON),
        "button": data.draw(seat | st.none()),
        "small_blind": data.draw(seat | st.none()),
        "big_blind": data.draw(seat | st.none()),
        "rake_taken_cents": data.draw(st.none() | st.integers(-1, 10**12)),
        "pot_is_at_least": data.draw(st.booleans() | JSON),
    }

    answer = stage.anna.post("tables/1/hands/settle", body)

    assert answer.status in {200, 400, 422}, (body, answer.body)
