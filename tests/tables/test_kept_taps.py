"""Taps under a sign-in that has ended: whose they are, what they may be, and what the floor does with the rest."""

import json
import re
import secrets
import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import resolve, reverse

from casino import clock
from casino.audit.models import Event
from casino.people.api_auth import needed
from casino.people.models import ApiToken, Device, SignIn, Staff
from casino.people.permissions import MAY, QUEUED, Role
from casino.people.published import STAFF
from casino.people.secrets import digest
from casino.people.services import change_roles, deactivate_staff, end_shift, revoke_device, set_pin
from tables.acts import all_acts
from tables.models import Down, Hand, Seating, ToDo
from tables.services import kept_taps
from tests.cast import enrolled
from tests.doors.routes import Route, all_routes
from tests.tables.conftest import House
from tests.tables.racking import pieces_of
from tests.tables.tapped import calls, kinds_of_taps
from tests.taps import on_device, tap

pytestmark = pytest.mark.two_houses

PINS = {person.username: person.pin for person in STAFF}
FOUR = {"Lee": 1, "Kai": 2, "Timo": 3, "Mika": 4}


@dataclass
class Tablet:
    """A device with its cookie, and what its page keeps of each sign-in: its id and its secret."""

    house: House
    kind: str = "table"
    number: int = 1
    kept: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.device = enrolled(self.house.cast.room, self.kind, self.number)
        self.client = on_device(f"token-{self.kind}-{self.number}")

    def sign_in(self, username: str, *, makes_proof: bool = True) -> None:
        self.house.at += timedelta(minutes=1)
        secret = secrets.token_urlsafe(32)
        staff = self.house.cast.staff[username]
        proof = digest(secret) if makes_proof else ""
        with clock.frozen(self.house.at):
            answer = tap(self.client, "/door/sign-in/", staff_id=staff.pk, pin=PINS[username], proof=proof)
        assert answer.status_code == 200, answer.content
        self.device.refresh_from_db()
        self.kept[username] = (str(self.device.sign_in_id), secret)

    def post(
        self, path: str, body: Any, *, under: str = "", proof: str | None = None, minutes_ago: float = 0, **more: Any
    ) -> Any:
        """Send a tap as the queue does, under somebody's sign-in; with its own secret unless `proof` is given."""
        self.house.at += timedelta(seconds=1)
        at = self.house.at
        sign_in, secret = self.kept.get(under, (under, ""))
        headers = {
            "Idempotency-Key": str(more.get("id", uuid.uuid4())),
            "X-Tapped-At": (at - timedelta(minutes=minutes_ago)).isoformat(),
            **({"X-Sign-In": sign_in} if under else {}),
            **({"X-Tap-Proof": secret if proof is None else proof} if under else {}),
        }
        with clock.frozen(at):
            return self.client.post(path, json.dumps(body), content_type="application/json", headers=headers)

    def settle(self, **sent: Any) -> Any:
        return self.post("/api/v1/tables/1/hands/settle", settled(), **sent)


def settled(hand_id: str = "") -> dict[str, Any]:
    return {
        "hand_id": hand_id or str(uuid.uuid4()), "opening_id": None, "dealt_in": [1, 2, 3, 4], "button": 1,
        "small_blind": 2, "big_blind": 3, "winners": [[2]], "pots": [86_00], "dealt_at": None,
    }  # fmt: skip


@pytest.fixture
def tablet(house: House) -> Tablet:
    """Return the tablet of table 1, where Anna dealt for half an hour and Dan deals now."""
    house.open(1, **FOUR)
    made = Tablet(house)
    made.sign_in("anna")
    house.at += timedelta(minutes=30)
    made.sign_in("dan")
    return made


def kept(house: House) -> list[ToDo]:
    return list(ToDo.objects.filter(room_id=house.room_id, kind="tap_kept", done_at=None).order_by("id"))


def test_a_tablets_taps_fill_no_to_do(house: House, tablet: Tablet, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes above the bound is answered like all others, stands in the log, and is one line that counts."""
    monkeypatch.setattr(kept_taps, "KEPT_MAX", 2)
    # The clock is set back to before the evening: the bound is the day's all the same.
    house.at -= timedelta(hours=3)

    answers = [tablet.settle(under="anna", proof="made up") for _ in range(5)]

    assert [(each.status_code, each.json()["data"]["kept"]) for each in answers] == [(200, True)] * 5
    *first, line = kept(house)
    assert (len(first), line.data["more"]) == (2, 3)
    assert Event.objects.filter(name="tables.keep_tap", text__contains='"winners"').count() == 5
    frans = Client()
    frans.force_login(house.cast.frans)
    sheet = frans.get(reverse("floor_todo_sheet", args=[1, line.pk]))
    assert "3 of them" in sheet.content.decode()
    assert tap(frans, reverse("floor_enter", args=[1, line.pk])).status_code == 404

    assert tap(frans, reverse("floor_judge", args=[1, line.pk])).status_code == 200
    tablet.settle(under="anna", proof="made up")

    assert [each.data.get("more") for each in kept(house)] == [None, None, 1]


def test_a_hand_without_proof_is_one_line_and_counts_as_one(
    house: House, tablet: Tablet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_taps, "KEPT_MAX", 3)
    for hand_id in (str(uuid.uuid4()), str(uuid.uuid4())):
        for path, body in (
            ("deal", {"hand_id": hand_id}),
            ("flop", {"hand_id": hand_id}),
            ("settle", settled(hand_id)),
        ):
            tablet.post(f"/api/v1/tables/1/hands/{path}", body, under="anna", proof="made up")

    assert [each.data.get("tap") for each in kept(house)] == ["tables.settle_hand"] * 2


def parsed(event: Event) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(event.text)
    return found


def test_a_proven_tap_is_its_tappers_and_the_log_says_under_whom_it_was_sent(house: House, tablet: Tablet) -> None:
    answer = tablet.settle(under="anna", minutes_ago=10)

    assert answer.status_code == 200, answer.content
    event = Event.objects.get(name="tables.settle_hand")
    assert (event.staff_id, parsed(event)["sent_by"]) == (house.cast.anna.pk, house.cast.dan.pk)
    assert Hand.objects.get().status == "settled"
    assert kept(house) == []


def test_it_is_so_with_nobody_signed_in_and_for_who_has_left_since(house: House, tablet: Tablet) -> None:
    house.tap(end_shift, staff_id=house.cast.dan.pk)
    house.tap(deactivate_staff, house.cast.mari, staff_id=house.cast.anna.pk)

    assert tablet.settle(under="anna", minutes_ago=10).status_code == 200

    event = Event.objects.get(name="tables.settle_hand")
    assert (event.staff_id, "sent_by" in parsed(event)) == (house.cast.anna.pk, False)


@pytest.mark.parametrize(
    ("sent", "doubt"),
    [
        ({"proof": ""}, "no_proof"),
        ({"proof": "made up"}, "no_proof"),
        ({"minutes_ago": 0}, "after_its_end"),
        ({"under": str(uuid.UUID(int=7))}, "unknown"),
        ({"hours_later": 13, "minutes_ago": 13 * 60 + 10}, "too_old"),
        # A made-up moment gains nothing: neither without proof, nor of before the sign-in.
        ({"proof": "", "minutes_ago": 24 * 60}, "no_proof"),
    ],
)
def test_what_nobody_can_vouch_for_waits_for_the_floor(
    house: House, tablet: Tablet, sent: dict[str, Any], doubt: str
) -> None:
    house.at += timedelta(hours=sent.get("hours_later", 0))
    answer = tablet.settle(**{"under": "anna", "minutes_ago": 10} | sent)

    assert (answer.status_code, answer.json()["data"]["kept"]) == (200, True)
    (todo,) = kept(house)
    assert (todo.data["doubt"], todo.data["tap"]) == (doubt, "tables.settle_hand")
    assert not Hand.objects.exists()
    event = Event.objects.get(name="tables.keep_tap")
    assert (event.staff_id, event.device_id) == (None, tablet.device.pk)
    assert not Event.objects.filter(staff_id=house.cast.anna.pk, name__startswith="tables.").exists()


def test_a_sign_in_without_a_proof_proves_nothing_afterwards(house: House, tablet: Tablet) -> None:
    tablet.sign_in("anna", makes_proof=False)
    assert tablet.settle(under="anna").status_code == 200
    tablet.sign_in("dan")

    assert tablet.settle(under="anna", proof="", minutes_ago=2).json()["data"]["kept"] is True
    assert tablet.settle(under="anna", proof=digest(""), minutes_ago=2).json()["data"]["kept"] is True


def test_only_a_tables_tablet_has_taps_that_waited(house: House, tablet: Tablet) -> None:
    floor = Tablet(house, kind="floor", number=1)
    floor.sign_in("mari")
    floor.sign_in("frans")

    for proof in (None, ""):
        answer = floor.settle(under="mari", proof=proof, minutes_ago=3)
        assert (answer.status_code, answer.json()["code"]) == (403, "sign_in_ended")
    assert not Hand.objects.exists()
    assert kept(house) == []


def test_at_a_desktop_a_dealers_fact_is_kept_once_another_has_signed_in_there(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In another tab of the same browser; who deals nowhere has no facts, and asking leave is refused as ever."""
    house.open(1, **FOUR)
    desktop, cast = Client(), house.cast
    desktop.force_login(cast.carla)

    def post(path: str, body: dict[str, Any], *, page_of: str) -> Any:
        headers = {"Idempotency-Key": str(uuid.uuid4()), "X-Sign-In": page_of}
        with clock.frozen(house.at):
            return desktop.post(f"/api/v1/{path}", json.dumps(body), content_type="application/json", headers=headers)

    answer = post("tables/1/hands/settle", settled(), page_of=f"staff.{cast.dan.pk}")
    refused = [
        post("tables/1/hands/settle", settled(), page_of=page_of)
        for page_of in (f"staff.{cast.staff['olavi'].pk}", "staff.999999", "staff.x", str(uuid.uuid4()))
    ]
    refused += [post("players", {"nickname": "Now"}, page_of=f"staff.{cast.dan.pk}")]

    assert (answer.status_code, answer.json()["data"].get("kept")) == (200, True)
    assert [(each.status_code, each.json()["code"]) for each in refused] == [(409, "signed_in_as_another")] * 5
    (todo,) = kept(house)
    assert (todo.data["doubt"], todo.data["staff"]) == ("another_signed_in", cast.dan.pk)
    event = Event.objects.get(name="tables.keep_tap")
    assert (event.staff_id, parsed(event)["sent_by"]) == (None, cast.carla.pk)
    assert not Hand.objects.exists()

    # Anybody at a desktop can name a dealer: what desktops send is bounded together, as one tablet's is.
    monkeypatch.setattr(kept_taps, "KEPT_MAX", 1)
    for _ in range(2):
        post("tables/1/hands/settle", settled(), page_of=f"staff.{cast.dan.pk}")
    assert [each.data.get("more") for each in kept(house)] == [None, 2]


def test_the_secret_is_in_no_row_and_no_event(house: House, tablet: Tablet) -> None:
    _, secret = tablet.kept["anna"]
    tablet.settle(under="anna", minutes_ago=10)
    tablet.settle(under="anna", minutes_ago=0)

    assert SignIn.objects.get(staff=house.cast.anna).proof_hash == digest(secret)
    texts = [*Event.objects.values_list("text", flat=True), *(json.dumps(todo.data) for todo in kept(house))]
    assert not [text for text in texts if secret in text]


def test_the_tablets_queue_and_the_permissions_name_the_same_facts() -> None:
    scripts = {each.name: each.read_text() for each in (Path(settings.BASE_DIR) / "static/brush").rglob("*.js")}
    named = [calls()[kind] for kind in kinds_of_taps() & set(calls())]
    # What other apps put into the tablet's menu goes to their own calls.
    paths = named + [act.path.format(number=1) for act in all_acts()]
    views = [resolve(path).func for path in paths]
    assert (len(named), len(paths)) == (21, 22)
    assert {needed(view.view_class, "POST") for view in views} == QUEUED  # type: ignore[attr-defined]
    assert all(Role.DEALER in MAY[name] for name in QUEUED)
    # No script keeps a fact under an address of its own, nor fills the queue beside these taps.
    given = [
        " ".join(each.split()) for text in scripts.values() for each in re.findall(r"taps\.give\((.*?)\);", text, re.S)
    ]
    at_addresses = [each for each in given if re.search(r"\burl\b", each)]
    assert len(given) > 15
    assert at_addresses == ['"table-act", { hand_id: handId }, { url: ADDRESSES[code ?? ""] }']
    code = "\n".join(re.sub(r"^\s*(//|\*).*$", "", text, flags=re.M) for text in scripts.values())
    assert code.count("queue.add(") == 1


# Every other three addresses at one of the three tablets each; or each at all of them.
@pytest.mark.parametrize("share", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_nothing_else_comes_under_an_ended_sign_in_by_any_address(house: House, share: int) -> None:
    """Every POST of the house, with the right secret and without: a manager's, at a floor's tablet and a cage's."""
    tablets = [Tablet(house, kind) for kind in ("floor", "cage", "table")]
    for each in tablets:
        each.sign_in("mari" if each.kind != "table" else "frans")
        house.at += timedelta(minutes=5)
        each.sign_in("frans" if each.kind == "floor" else "carla" if each.kind == "cage" else "dan")
    before = Event.objects.order_by("-id").values_list("id", flat=True)[0]
    wrong = []
    routes = [route for route in all_routes() if _is_posted_unqueued(route)]
    for number, route in enumerate(routes):
        for each in tablets[number % share :: share]:
            under = "mari" if each.kind != "table" else "frans"
            answer = each.post(route.path, {}, under=under, minutes_ago=3)
            if answer.status_code not in {401, 403, 404, 405}:
                wrong.append((str(route), each.kind, answer.status_code))

    after = Event.objects.filter(id__gt=before)
    assert not wrong
    assert not after.exclude(result="not_permitted").exclude(name="tables.keep_tap").exists()
    assert Staff.objects.get(pk=house.cast.mari.pk).pin == house.cast.mari.pin


def _is_posted_unqueued(route: Route) -> bool:
    return route.needs("POST") not in QUEUED and (route.api_view is None or "POST" in route.methods)


def test_the_attack_that_was_made_opens_nothing(house: House) -> None:
    """A cashier at the manager's former tablet: a token, another's PIN, her own drawer."""
    cage = Tablet(house, "cage")
    cage.sign_in("mari")
    house.at += timedelta(minutes=5)
    cage.sign_in("carla")
    house.at += timedelta(minutes=5)
    for proof in ("", cage.kept["mari"][1]):
        for path, body in (
            ("/api/v1/people/tokens", {"name": "mine", "roles": ["manager"], "staff_id": house.cast.mari.pk}),
            (f"/api/v1/people/staff/{house.cast.dan.pk}/pin", {"pin": "1357"}),
            (f"/api/v1/cage/drawers/{house.drawer_id}/close", {"cash_cents": 0, "chips_cents": 0}),
        ):
            assert cage.post(path, body, under="mari", proof=proof, minutes_ago=8).status_code == 403, path
    headers = {"X-Sign-In": cage.kept["mari"][0], "X-Tapped-At": (house.at - timedelta(minutes=8)).isoformat()}
    assert tap(cage.client, f"/people/{house.cast.dan.pk}/pin/", headers=headers, pin="1357").status_code == 403
    assert not ApiToken.objects.exists()


def test_the_floor_enters_a_kept_tap_as_its_own_of_then(house: House, tablet: Tablet) -> None:
    tablet.settle(under="anna", proof="", minutes_ago=10)
    (todo,) = kept(house)
    client = Client()
    client.force_login(house.cast.frans)

    sheet = client.get(f"/floor/tables/1/todo/{todo.pk}/sheet/").content.decode()
    assert "hand settled, pot" in sheet
    assert "It was so: enter it" in sheet
    assert "dealt there then" in sheet
    entered = tap(client, f"/floor/tables/1/todo/{todo.pk}/enter/", on="floor")
    twice = tap(client, f"/floor/tables/1/todo/{todo.pk}/enter/", on="floor")

    assert (entered.status_code, twice.status_code) == (200, 404)
    hand = Hand.objects.get()
    # The floor enters it, and it was dealt in Anna's down.
    assert (hand.status, hand.dealer_id) == ("settled", house.cast.anna.pk)
    event = Event.objects.get(name="tables.enter_tap", result="done")
    assert parsed(event)["data"]["tap"] == "tables.settle_hand"
    assert parsed(event)["data"]["dealer"] == house.cast.anna.pk
    assert kept(house) == []


def test_a_kept_tap_of_a_hand_that_the_log_has_renames_nobody(house: House, tablet: Tablet) -> None:
    hand_id = str(uuid.uuid4())
    own = tablet.post("/api/v1/tables/1/hands/settle", settled(hand_id), under="dan")
    assert own.json()["data"].get("known") is None
    tablet.post("/api/v1/tables/1/hands/settle", settled(hand_id), under="anna", proof="made up", minutes_ago=15)
    (todo,) = kept(house)

    answer = house.tap(kept_taps.enter_tap, table_id=house.table_id(), todo_id=todo.pk)

    assert answer.data["known"]
    assert Hand.objects.get(hand_id=hand_id).dealer_id == house.cast.dan.pk


def test_every_queued_fact_can_be_kept_read_and_entered(house: House, tablet: Tablet) -> None:
    from tables.selectors.todo_judging import todo_words
    from tables.services.kept_taps import enter_tap

    seating = Seating.objects.get(table=house.table(), seat_number=3).pk
    hand, at = str(uuid.uuid4()), "/api/v1/tables/1"
    positions = {"hand_id": hand, "opening_id": None, "dealt_in": [1, 2, 3, 4], "button": 1, "small_blind": 2,
                 "big_blind": 3, "dealt_at": None}  # fmt: skip
    taps: list[tuple[str, dict[str, Any]]] = [
        ("draw", {"winner_seat": 1, "seats": [1, 2, 3, 4]}),
        ("button", {"seat_number": 2}),
        ("hands/deal", positions),
        ("hands/flop", {"hand_id": hand}),
        ("hands/void", {**positions, "reason": "misdeal"}),
        ("hands/skip", positions | {"hand_id": str(uuid.uuid4())}),
        ("hands/settle", settled(later := str(uuid.uuid4()))),
        ("hands/undo", {"hand_id": later}),
        ("tips", {"counted_cents": 12_00}),
        ("deck", {"colour": "red", "set_number": 1, "why": "push"}),
        ("rack", {"down_id": Down.objects.filter(table=house.table()).latest("id").pk, "pieces": pieces_of(26)}),
        ("tips/close", {"down_id": Down.objects.filter(table=house.table()).latest("id").pk}),
        ("floor-call", {"reason": "ruling"}),
        (f"seatings/{seating}/clock", {}),
        (f"seatings/{seating}/hold", {"is_held": True}),
        (f"seatings/{seating}/straddle", {"straddles": False}),
        (f"seatings/{seating}/leave", {"stack_cents": 180_00}),
    ]
    calls = [(f"{at}/{path}", body) for path, body in taps]
    calls += [(act.path.format(number=1), {"hand_id": later}) for act in all_acts()]
    for path, body in calls:
        answer = tablet.post(path, body, under="anna", proof="", minutes_ago=10)
        assert (path, answer.status_code, answer.json()["data"].get("kept")) == (path, 200, True)

    todos = kept(house)
    # The void hand says what was said of it before: its deal and its flop.
    assert [todo.data["tap"].removeprefix("tables.") for todo in todos] == [
        "record_draw", "button_here", "void_hand", "skip_hand", "settle_hand", "undo_hand", "count_tip_box",
        "change_deck", "check_rack", "close_tips", "call_floor", "call_clock", "hold_seat", "set_straddle",
        "leave_seat", "jackpot.call_bad_beat",
    ]  # fmt: skip
    words = [todo_words(house.cast.room, todo)[0] for todo in todos]
    assert len(set(words)) == len(words)
    assert not [each for each in words if "None" in each or "%" in each]
    for todo in todos:
        if todo.data["tap"] != "tables.undo_hand":
            house.tap(enter_tap, table_id=house.table_id(), todo_id=todo.pk)
    assert Seating.objects.get(pk=seating).left_stack_cents == 180_00
    assert [todo.data["tap"] for todo in kept(house)] == ["tables.undo_hand"]


def test_a_clock_that_was_set_back_takes_no_proven_tap_away(house: House, tablet: Tablet) -> None:
    house.at -= timedelta(hours=2)

    assert tablet.settle(under="anna", minutes_ago=5).status_code == 200

    assert Event.objects.get(name="tables.settle_hand").staff_id == house.cast.anna.pk
    assert kept(house) == []


def test_a_tap_that_was_carried_out_before_is_not_kept_as_well(house: House, tablet: Tablet) -> None:
    """Its answer was lost, and the sign-in had ended by the time it was sent again; its secret is gone."""
    id = uuid.uuid4()
    body = settled()
    path = "/api/v1/tables/1/hands/settle"
    first = tablet.post(path, body, under="dan", id=id)
    tablet.sign_in("anna")

    again = tablet.post(path, body, under="dan", proof="", id=id, minutes_ago=2)
    proven = tablet.post(path, body, under="dan", id=id, minutes_ago=2)

    assert (first.status_code, again.status_code, proven.status_code) == (200, 200, 200)
    assert (again.json()["is_replay"], proven.json()["is_replay"]) == (True, True)
    assert kept(house) == []
    assert Hand.objects.count() == 1


@pytest.mark.parametrize("what", ["pin", "shift", "gone", "roles", "revoked"])
def test_what_takes_the_right_away_ends_the_sign_in_at_once(house: House, tablet: Tablet, what: str) -> None:
    cast = house.cast
    if what == "pin":
        house.tap(set_pin, cast.mari, staff_id=cast.dan.pk, pin="8642")
    elif what == "shift":
        house.tap(end_shift, staff_id=cast.dan.pk)
    elif what == "gone":
        house.tap(deactivate_staff, cast.mari, staff_id=cast.dan.pk)
    elif what == "roles":
        # A table's tablet knows dealers and the floor: whoever is one of them still stays.
        for roles in (["dealer", "floor", "cashier"], ["floor", "cashier"], ["dealer"]):
            house.tap(change_roles, cast.mari, staff_id=cast.dan.pk, roles=roles)
            assert Device.objects.get(pk=tablet.device.pk).signed_in_id == cast.dan.pk
        house.tap(change_roles, cast.mari, staff_id=cast.dan.pk, roles=["cashier"])
    else:
        house.tap(revoke_device, cast.mari, device_id=tablet.device.pk)

    device = Device.objects.get(pk=tablet.device.pk)
    assert (device.signed_in_id, device.sign_in_id) == (None, None)
    assert SignIn.objects.get(staff=cast.dan).ended_at == house.at
    logged = [json.loads(text)["data"] for text in Event.objects.order_by("id").values_list("text", flat=True)]
    assert [data["left_devices"] for data in logged if "left_devices" in data] == [[device.pk]] * (what != "revoked")
    answer = tablet.settle(under="dan")
    if what == "revoked":
        assert answer.status_code == 401
    else:
        assert answer.json()["data"]["kept"] is True
        assert tablet.settle().status_code == 401


def test_an_open_hand_waits_for_whoever_signs_in_next(house: House, tablet: Tablet) -> None:
    dealt = house.deal()
    house.tap(end_shift, staff_id=house.cast.dan.pk)
    tablet.sign_in("anna")

    assert house.table().hand is not None
    answer = tablet.post("/api/v1/tables/1/hands/settle", settled(str(dealt.hand_id)), under="anna")
    assert answer.status_code == 200
    assert Hand.objects.get().status == "settled"
