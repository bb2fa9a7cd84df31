"""
Every place that takes a PIN, a password or a code, found by walking the API's description and the views: each counts.

A place that is found and not listed here fails the test; so does one that is listed and found no more.
"""

import ast
import inspect
import re
import uuid
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings
from django.db.models import F, Sum
from django.test import Client

from casino import clock
from casino.people.models import Staff
from casino.people.services import give_pass, make_enrolment_code
from casino.rest import Body, input_of
from casino.rooms.models import NextBook, RuleBookVersion
from tests.api.document import document as a_document
from tests.cast import TONIGHT, command, demo_person
from tests.doors.routes import all_routes
from tests.hostile import planted
from tests.hostile.planted import Planted, Reply, plant
from tests.taps import at_desktop

NAMES = {"pin", "password", "code"}
# What sets a new secret tries none.
SETS_ONE = {
    "people_add_staff", "people_set_pin", "people_set_password", "people_add_shift_dealer",
    "add_staff_view", "pin_view", "password_view", "tables.views.dealers.add_tap",
}  # fmt: skip
TRIES_ONE = {
    "people_sign_in_on_device", "people_sign_in", "people_enrol_device",
    "cage_close_drawer", "cage_recount_drawer", "cage_open_drawer", "casino.cage.views.drawers.open_drawer",
    "cage_deliver_fill", "cage_verify_fill", "cage_return_fill", "casino.cage.views.fills.deliver",
    "casino.cage.views.fills.verify", "casino.cage.views.fills.bring_back",
    "cage_note_money", "casino.cage.views.money.money", "cage_note_chips", "casino.cage.views.money.chips",
    "cage_open_bank", "cage_sell_from_bank", "casino.cage.views.banks.bank_open", "casino.cage.views.banks.bank_sale",
    "cage_issue_voucher", "cage_void_voucher",
    "cage_exchange_notes", "cage_reverse_exchange", "casino.cage.views.exchanges.exchange",
    "casino.cage.views.exchanges.take_back", "cage_count_vault", "casino.cage.views.vault_counts.count",
    "cage_take_in_found", "cage_give_unclaimed", "cage_keep_unclaimed", "casino.cage.views.unclaimed.take_in",
    "casino.cage.views.unclaimed.give", "casino.cage.views.unclaimed.keep",
    "casino.cage.views.vouchers.issue", "casino.cage.views.vouchers.void",
    "cage_close_counts", "casino.cage.views.days.counts_close",
    "cage_reverse_slip", "people_lift_exclusion", "people_lift_inquiry", "lift_inquiry_view",
    "people_give_data", "give_data_view", "people_give_staff_data", "give_staff_data_view",
    "people_merge_players", "tables_approve_book",
    "tables_pick_up_stack", "people_change_pin_on_device", "people_change_own_pin", "people_change_own_password",
    "people_issue_api_token", "issue_token_view", "cage_cash_out", "cage_fill_drawer", "cage_return_to_vault",
    "ledger_stock_vault", "casino.cage.views.drawers.vault_stock",
    "cage_take_money", "cage_withdraw", "casino.cage.views.paying.cash_out", "casino.cage.views.paying.take_money",
    "casino.cage.views.paying.withdraw", "casino.cage.views.vault.move",
    "hand_over", "sign_in_page", "enrol_page", "phone_page",
    "casino.cage.views.counts.close_drawer", "casino.cage.views.counts.recount",
    "casino.cage.views.slips.reverse_slip", "lift_view", "merge_view", "cage_void_rack_sale",
    "casino.cage.views.slips.never_sold", "tables.views.racks.never_sold_tap",
    "jackpot_approve_claim", "jackpot_refuse_claim", "jackpot.views_claims.approve_tap",
    "jackpot.views_claims.refuse_tap", "jackpot_correct_sum", "jackpot_recover_seed", "jackpot_wind_down",
    "jackpot_sign_report", "jackpot.views_reports.sign_tap", "boxes_count_box", "casino.boxes.views.count_tap",
    "jackpot.views_pools.correct_tap", "jackpot.views_pools.recover_tap", "jackpot.views_pools.end_tap",
    "promotions_change_fund", "promotions_decide_period", "promotions_call_off_period",
    "promotions_take_back_splash", "promotions_take_back_decision",
    "paper_catch_up", "casino.paper.views_catch_up.catch_up_tap",
    "paper_catch_up_lists", "casino.paper.views_lists.catch_up_tap",
    "casino.promotions.views.splash_back_tap", "casino.promotions.views.decision_back_tap",
    "casino.promotions.views.fund_tap", "casino.promotions.views.decide_tap", "casino.promotions.views.call_off_tap",
    "tables_fill_rack", "tables_close_rack", "tables_clear_rack",
    "tables.views.racks.fill_tap", "tables.views.racks.close_tap", "tables.views.racks.clear_tap",
    "tables_take_tips", "tables_hand_tips_on", "tables.views.tips.take_tap", "tables.views.tips.payroll_tap",
    "tables_take_closed_tips", "tables.views.tips.take_closed_tap",
    "tables.views.books.approve_tap", "pick_up_tap", "door_pin_view", "own_pin_view", "own_password_view",
    "people_change_roles", "casino.people.views.staff.roles_view",
}  # fmt: skip
REASONS = {
    "give_data_view": {"document": "passport", "language": "fi"},
    "give_staff_data_view": {"document": "passport", "language": "fi"},
    "casino.paper.views_catch_up.catch_up_tap": {"from": "20:00", "until": "20:30", "hands": "3"},
    "casino.paper.views_lists.catch_up_tap": {
        "from": "20:00",
        "until": "20:30",
        "list_1_at": "20:10",
        "list_1_game": "1",
        "list_1_name": "Jo",
        "list_1_what": "struck",
    },
    "casino.cage.views.money.money": {"money_with": "runner"},
    "casino.cage.views.money.chips": {"chips_with": "runner"},
    "casino.cage.views.exchanges.exchange": {"got": "5", "foreign_currency": "SEK", "foreign_SEK_50000": "1"},
    "casino.cage.views.vouchers.void": {"reason": "lost"},
    "casino.boxes.views.count_tap": {"reason": ""},
    "casino.promotions.views.call_off_tap": {"reason": "mistake"},
    "casino.promotions.views.splash_back_tap": {"reason": "wrong_tap"},
    "casino.promotions.views.decision_back_tap": {"reason": "wrong_tap"},
    "tables.views.tips.payroll_tap": {"day": "2026-11-20", "amount": "5"},
}
# The old secret is tried, and of a change that was carried out the new one, which stands by then.
TRIES_WHAT_STANDS = {
    "door_pin_view", "own_password_view", "people_change_pin_on_device", "people_change_own_password",
}  # fmt: skip


# ---- what is there


@cache
def document() -> dict[str, Any]:
    return a_document()


def secrets_of(node: dict[str, Any]) -> Iterator[str]:
    """Yield the dotted names of what only comes in, below a body."""
    if "$ref" in node:
        node = document()["components"]["schemas"][node["$ref"].rsplit("/", 1)[-1]]
    for part in (*node.get("allOf", ()), *node.get("oneOf", ()), *node.get("anyOf", ())):
        yield from secrets_of(part)
    for name, field in node.get("properties", {}).items():
        if field.get("format") == "password" or field.get("writeOnly"):
            yield name
        yield from (f"{name}.{below}" for below in secrets_of(field))


@cache
def calls() -> dict[str, tuple[str, str, Any]]:
    """Return each call that takes a secret, by its operation id: its path, where its body holds it, and an example."""
    found = {}
    for path, methods in document()["paths"].items():
        for each in methods.values():
            body = each.get("requestBody", {}).get("content", {}).get("application/json", {})
            if held := set(secrets_of(body.get("schema", {}))):
                example = body["examples"]["Asked"]["value"] if "Asked" in body["examples"] else None
                example = example or next(iter(body["examples"].values()))["value"]
                found[each["operationId"]] = (path, max(held), example)
    return found


def secret_fields(body: Body) -> set[str]:
    """Return the secrets of a body that a form may fill, by the names that both give them."""
    below = [secret_fields(each) for each in body.fields.values() if isinstance(each, Body)]
    return {name for name, each in body.fields.items() if each.write_only}.union(*below)


def reads_a_secret(function: str, tree: ast.Module, module: str, seen: frozenset[str] = frozenset()) -> set[str]:
    """Return which secrets a function of a module reads from a form, itself or through others of its module."""
    bodies = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    if function not in bodies or function in seen:
        return set()
    found: set[str] = set()
    for node in ast.walk(bodies[function]):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found |= reads_a_secret(node.func.id, tree, module, seen | {function})
            if node.func.id == "arguments_of_form":
                found |= secret_fields(input_of(getattr(import_module(module), ast.unparse(node.args[1]))).body())
        is_read = isinstance(node, ast.Call) and (
            (isinstance(node.func, ast.Name) and node.func.id.startswith("form_"))
            or (isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "request.POST")
        )
        if is_read:
            assert isinstance(node, ast.Call)
            found |= {each.value for each in node.args if isinstance(each, ast.Constant) and each.value in NAMES}
    return found


@cache
def forms() -> dict[str, tuple[str, str]]:
    """Return each HTML view that takes a secret: its address, and the field."""
    found = {}
    for route in all_routes():
        view = inspect.unwrap(route.view)
        ours = ("casino", "tables", "jackpot", "tournaments")
        if route.api_view is not None or not view.__module__.startswith(ours):
            continue
        read = reads_a_secret(view.__name__, _tree(view.__module__), view.__module__)
        if read:
            listed = {view.__name__, f"{view.__module__}.{view.__name__}"} & (SETS_ONE | TRIES_ONE)
            name = listed.pop() if listed else f"{view.__module__}.{view.__name__}"
            found[name] = (route.pattern, max(read))
    return found


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(Path(str(inspect.getsourcefile(__import__(module, fromlist=["x"])))).read_text())


@pytest.fixture(scope="module", autouse=True)
def _read_once() -> None:
    # Not within a test's transaction, which waits ten seconds at most.
    calls()
    forms()


def test_every_place_that_takes_a_secret_is_known_here():
    assert set(calls()) | set(forms()) == SETS_ONE | TRIES_ONE


def test_every_field_of_a_secret_has_one_of_the_names_that_are_looked_for():
    inputs = [
        (page.name, text)
        for page in (settings.BASE_DIR / "templates").rglob("*.html")
        for text in re.findall(r"<input[^>]*>", page.read_text())
    ]
    named = [(page, re.search(r'name="(\w+)"', text)) for page, text in inputs if 'type="password"' in text]

    assert len(named) > 8
    known = NAMES | {"new_pin", "new_password", "again"}
    assert [page for page, name in named if name is None or name[1] not in known] == []


# ---- each counts


class Places:
    """A room where each place can be tried, by whoever works there."""

    def __init__(self, here: Planted) -> None:
        self.here, self.cast = here, here.house.cast
        self.ids = here.at_first | {"number": 1} | {"slip_id": here.at_first["paid_slip_id"]}
        self.tablet, _device = planted.signed_in_at(here.room, "table", 5, None)
        self.book = NextBook.objects.create(
            room=here.room, status=NextBook.Status.REQUESTED, text="", holds_from=TONIGHT + timedelta(days=3),
            edited_from=RuleBookVersion.objects.filter(room=here.room)[0],
            edited_by_id=self.cast.mari.pk, edited_at=TONIGHT, requested_by_id=self.cast.mari.pk, requested_at=TONIGHT,
        )  # fmt: skip

    def right(self, name: str) -> str:
        """Return what is right there; each code once."""
        if "enrol" in name:
            made = make_enrolment_code(
                command(self.cast.mari, at=clock.now()), kind="floor", number=1, device_name="New"
            )
            return str(made.data["code"])
        if name == "phone_page":
            return str(give_pass(command(self.cast.frans), player_id=self.cast.players["Lee"].pk).data["code"])
        by_password = ("sign_in" in name and "device" not in name) or "own_" in name
        return demo_person("mari").password if by_password else self.pin

    pin = demo_person("frans").pin

    def client(self, name: str) -> Client:
        if name in {"hand_over", "people_sign_in_on_device", "people_change_pin_on_device", "door_pin_view"}:
            return self.tablet
        if name in {"sign_in_page", "people_sign_in", "enrol_page", "people_enrol_device", "phone_page"}:
            return at_desktop()
        return at_desktop(Staff.objects.get(pk=self.cast.mari.pk))

    def begin_anew(self) -> None:
        """Take back what was counted, and what a right one changed."""
        Staff.objects.update(wrong_pins=0, wrong_passwords=0, locked_at=None)
        for each in (self.cast.mari, self.cast.frans):
            Staff.objects.filter(pk=each.pk).update(pin=each.pin, password=each.password)

    def at_cage(self, name: str) -> dict[str, str]:
        """Return what a form of the cage's desk says besides: which money, and where it lies."""
        _, is_there, place = name.partition("casino.cage.views.")
        if not is_there or place in {"counts.close_drawer", "counts.recount", "slips.reverse_slip", "slips.never_sold"}:
            return {}
        waits = str(self.here.at_first["slip_id"]) if place == "paying.take_money" else ""
        kind = "withdrawal" if place == "paying.withdraw" else "cash_out"
        lee = str(self.cast.players["Lee"].pk)
        return {
            "drawer_id": str(self.here.house.drawer_id - 2), "kind": kind, "method": "cash", "amount": "5",
            "slip_id": waits, "direction": "fill", "what": "cash", "player_id": lee,
        }  # fmt: skip

    def try_it(
        self, name: str, secret: Any, id: uuid.UUID, *, new: str = "", whose: tuple[str, int] | None = None
    ) -> Reply:
        """
        Try a secret there; `new` is the one that is to stand afterwards, where a change is asked.

        `whose`: the name and id under which it is tried, where the place asks for one.
        """
        signer, staff_id = whose or ("frans", self.cast.frans.pk)
        opener = whose[0] if whose else "mari"
        headers = {"Idempotency-Key": str(id), "If-Match": '"1"', "HX-Request": "true"}
        if name in calls():
            path, field, example = calls()[name]
            body = {**example, "staff_id": staff_id, "username": opener}
            if "next_book_id" in body:
                body["next_book_id"] = self.book.pk
            if field.startswith("second."):
                body["second"] = {"username": signer, "pin": secret}
            else:
                body[field] = secret
            body |= {field: new for field in ("new_pin", "new_password") if new and field in body}
            if "people_add" in name:
                body |= {"username": f"new-{id.hex[:8]}", "display_name": f"New {id.hex[:8]}"}
            path = planted.filled(path, self.ids)
            return planted.read(self.client(name).post(path, body, "application/json", headers=headers))
        pattern, field = forms()[name]
        fields = planted.FORM | {"command_id": str(id), "cash": "1", "reason": "wrong_amount"}
        fields |= {"name": "board", "days": "9", "next_book_id": str(self.book.pk), field: secret}
        if name.startswith("jackpot."):
            fields |= {"reason": "takings" if "pools" in name else "talk", "new_sum": "2000"}
            fields |= {"first_date": "2026-11-20", "last_date": "2026-11-20", "seen": "0f"}
        fields |= REASONS.get(name, {})
        fields |= self.at_cage(name)
        fields |= {"staff_id": str(staff_id), "username": opener if name == "sign_in_page" else signer}
        new = new or ("ten tables tomorrow" if name == "own_password_view" else "86429753")
        fields |= {"new_pin": new, "new_password": new, "again": new}
        if name == "add_staff_view" or name.endswith("add_tap"):
            fields |= {"username": f"new-{id.hex[:8]}", "display_name": f"New {id.hex[:8]}"}
        return planted.read(self.client(name).post("/" + planted.filled(pattern, self.ids), fields, headers=headers))

    def answer_about(self, name: str, secret: Any, who: str) -> tuple[int, str, str]:
        """Return what a try is told of somebody who could sign now, of who is locked and off shift, and of nobody."""
        locked, free = {"locked_at": TONIGHT, "is_on_shift": False}, {"locked_at": None, "is_on_shift": True}
        Staff.objects.filter(pk=self.cast.frans.pk).update(**locked if who == "locked" else free)
        whose = ("nobody", planted.NOBODYS) if who == "nobody" else None
        answer = self.try_it(name, secret, uuid.uuid4(), whose=whose)
        return answer.status, answer.code, answer.text if name in calls() else ""


def counted() -> int:
    """Return how many wrong tries are counted now, wherever."""
    rows = Staff.objects.aggregate(tries=Sum(F("wrong_pins") + F("wrong_passwords")))["tries"]
    kept = _redis()
    codes = [int(kept.hget(key, "tries") or 0) for key in kept.scan_iter(f"{settings.REDIS_PREFIX}:code:*:all")]
    return int(rows) + sum(codes)


@cache
def _redis() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL)


@pytest.fixture
def places(db: None, settings: Any) -> Places:
    settings.PHONE_URL = "https://phones.example"
    settings.REDIS_PREFIX = f"{settings.REDIS_PREFIX}-{uuid.uuid4().hex[:8]}"
    with clock.frozen(TONIGHT + timedelta(hours=1)):
        return Places(plant(slug="demo"))


# The quick run tries every sixth place.
@pytest.mark.parametrize("turn", [0, *(pytest.param(turn, marks=pytest.mark.slow) for turn in range(1, 6))])
def test_a_wrong_secret_is_counted_wherever_it_is_tried_and_under_whatever_id(places: Places, turn: int) -> None:
    at, found = TONIGHT + timedelta(hours=1), {}
    for name in sorted(TRIES_ONE)[turn::6]:
        places.begin_anew()
        same, wrong = uuid.uuid4(), "AAAA-CCCC" if "code" in _field(name) else "9731"
        answers: list[tuple[str, int]] = []
        for is_right in (False, False, True, False):
            at += timedelta(minutes=2)
            guess = "24681357" if name in TRIES_WHAT_STANDS and len(answers) == 3 else ""
            with clock.frozen(at):
                before, secret = counted(), places.right(name) if is_right else wrong
                answers.append((places.try_it(name, secret, same, new=guess).code, counted() - before))
        refused = answers[0][0]
        ok = refused in {"wrong_pin", "wrong_password", "enrolment_code_unknown", "pass_ended"}
        if not (ok and [answers[0], answers[1], answers[3]] == [(refused, 1)] * 3 and answers[2][0] != refused):
            found[name] = answers

    assert found == {}


# By the kind of secret, and by the door: a form carries text alone.
CANNOT_BE: dict[str, list[Any]] = {
    "pin": ["", "246", "1" * 40, "24\x0068"],
    "password": ["x" * 201],
    "code": ["", "A" * 21],
}
CANNOT_BE_IN_JSON: dict[str, list[Any]] = {
    "pin": [*CANNOT_BE["pin"], "abcd", "２４６８", None, 2468, ["2468"], {"pin": "2468"}],
    "password": [*CANNOT_BE["password"], "", None, 12, ["nine tables tonight"]],
    "code": [*CANNOT_BE["code"], None, 7, ["AAAA-CCCC"]],
}


# The quick run asks every fourth place one of them; the slow run asks all of it.
@pytest.mark.parametrize(
    ("turn", "each"), [(0, 4), *(pytest.param(turn, 1, marks=pytest.mark.slow) for turn in range(10))]
)
def test_what_cannot_be_a_secret_is_refused_before_anybody_is_looked_up_or_counts(places, turn: int, each: int):
    """Where it is no guess, and so not counted, its answer says the same of everybody, and of nobody."""
    found, at = {}, TONIGHT + timedelta(hours=1)
    for index, name in enumerate(sorted(TRIES_ONE)[::each]):
        kind = next(kind for kind in ("password", "code", "pin") if kind in _field(name))
        values = (CANNOT_BE_IN_JSON if name in calls() else CANNOT_BE)[kind]
        value = values[(index + turn) % len(values)]
        at += timedelta(minutes=2)
        with clock.frozen(at):
            places.begin_anew()
            before = counted()
            here = places.answer_about(name, value, "fine")
            was_counted = counted() - before == 1
            others = {places.answer_about(name, value, who) for who in ("locked", "nobody")}
        if not (was_counted or (here[0] >= 400 and others == {here})):
            found[name, str(value)] = (here, others)

    assert found == {}


def _field(name: str) -> str:
    return calls()[name][1] if name in calls() else forms()[name][1]


def test_what_sets_a_secret_answers_a_repeated_command_alike_whatever_comes(places):
    found = {}
    for name in sorted(SETS_ONE):
        same, one, other = uuid.uuid4(), "8642", "9731"
        if "password" in _field(name):
            one, other = "nine tables tonight", "ten tables tonight"
        with clock.frozen(TONIGHT + timedelta(hours=1)):
            first = places.try_it(name, one, same)
            again = {places.try_it(name, secret, same).what for secret in (one, other)}
        if first.status != 200 or again != {first.what}:
            found[name] = (first, again)

    assert found == {}
