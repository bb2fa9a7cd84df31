"""The cage, the ledger, the log and the people through the REST interface."""

import uuid
from typing import Any

import pytest

from casino.ledger.proof import problems
from casino.people.models import EnrolmentCode, Staff
from tables.models import Seating
from tests.api.stage import Caller, Stage, whole_hand
from tests.cage.counting import CHIPS, carried, lying, pieces
from tests.cast import TONIGHT, demo_person
from tests.support.books import fills_in_one_step
from tests.taps import at_desktop


def test_a_day_at_the_cage(stage: Stage):
    carla, lee = stage.carla, stage.house.player("Lee").pk
    cash = {"amount_cents": 200_00, "method": "cash", "player_id": lee}
    bought = carla.tap("cage/drawers/1/buy-ins", cash)
    carla.tap("cage/drawers/1/deposits", {"amount_cents": 500_00, "player_id": lee})
    carla.tap("cage/drawers/1/withdrawals", {"amount_cents": 100_00, "player_id": lee})
    carla.tap("cage/drawers/1/buy-ins", cash | {"method": "deposit", "again": True})
    out = carla.tap("cage/drawers/1/cash-outs", cash | {"amount_cents": 350_00})
    carla.tap(f"cage/slips/{bought['slip_id']}/printed")

    refused = carla.post("cage/drawers/1/withdrawals", {"amount_cents": 500_00, "player_id": lee})

    assert (bought["number"], out["number"]) == (1, 5)
    assert (refused.status, refused.code) == (422, "promise_too_small")
    assert carla.get(f"cage/slips/{bought['slip_id']}").body["prints"] == 1
    assert [slip["kind"] for slip in carla.get(f"cage/slips?player_id={lee}&limit=2").body] == ["cash_out", "buy_in"]
    assert not list(problems(stage.house.room_id))


def test_a_waiting_slip_is_cancelled_once_and_by_whoever_saw_it_last(stage: Stage):
    carla = stage.carla
    body = {"amount_cents": 200_00, "player_id": stage.house.player("Lee").pk}
    slip = f"cage/slips/{carla.tap('cage/requests', body)['slip_id']}"

    assert carla.post(f"{slip}/cancel").status == 428
    assert carla.post(f"{slip}/cancel", If_Match='"9"').code == "stale"
    assert carla.post(f"{slip}/cancel", If_Match='"1"').data["status"] == "cancelled"
    assert carla.post(f"{slip}/cancel", If_Match='"2"').code == "slip_not_waiting"
    assert carla.post(f"{slip}/take-money", {"drawer_number": 1, "method": "cash"}, If_Match='"2"').status == 409


def test_a_reversal_takes_a_second_person(stage: Stage):
    carla = stage.at_desktop(stage.house.cast.carla)
    slip = f"cage/slips/{carla.tap('cage/drawers/1/buy-ins', {'amount_cents': 50_00, 'method': 'cash'})['slip_id']}"
    version = carla.get(slip).headers["ETag"]

    def reverse(username: str, pin: str):
        second = {"username": username, "pin": pin}
        return carla.post(f"{slip}/reverse", {"reason": "wrong_amount", "second": second}, If_Match=version)

    frans, carlas, annas = (demo_person(name).pin for name in ("frans", "carla", "anna"))
    assert reverse("carla", carlas).code == "same_person"
    assert reverse("anna", annas).code == "second_may_not"
    assert reverse("frans", "0000").code == "wrong_pin"
    assert reverse("frans", frans).data["status"] == "void"
    assert Staff.objects.get(username="frans").wrong_pins == 0
    assert carla.get(slip).body["number"] == 1


def test_a_fill_takes_a_second_person_and_a_payout_the_cash_that_lies_there(stage: Stage):
    # No program signs: the second person is asked at a screen.
    carla, frans = stage.at_desktop(stage.house.cast.carla), demo_person("frans").pin
    ask = {"amount_cents": 1_000_00, "what": "cash"}
    not_so = carla.post("cage/drawers/1/fills", ask | {"second": {"username": "frans", "pin": frans}})
    fills_in_one_step(stage.house.room_id)

    wrong = carla.post("cage/drawers/1/fills", ask | {"second": {"username": "frans", "pin": "0000"}})
    filled = carla.tap("cage/drawers/1/fills", ask | {"second": {"username": "frans", "pin": frans}})
    back = carla.tap("cage/drawers/1/credits", ask | {"second": {"username": "frans", "pin": frans}})
    carla.tap("cage/drawers/1/credits", ask | {"second": {"username": "frans", "pin": frans}})
    lee = stage.house.player("Lee").pk
    carla.tap(f"people/players/{lee}/identity", {"full_name": "Lee Virtanen", "document": "passport", "number": "XP1"})
    out = {"amount_cents": 4_001_00, "player_id": lee}
    refused = carla.post("cage/drawers/1/cash-outs", out)

    assert (not_so.status, not_so.code) == (422, "fills_in_one_step")
    assert (refused.status, refused.code) == (422, "cash_short")
    assert refused.body["data"] == {"number": 1, "asked_cents": 4_001_00}
    assert stage.mari.post("cage/drawers/1/cash-outs", out).code == "cash_short"
    assert wrong.code == "wrong_pin"
    assert [(slip["kind"], slip["number"]) for slip in (filled, back)] == [("fill", 1), ("credit", 2)]
    frans_id = Staff.objects.get(username="frans").pk
    assert carla.get(f"cage/slips/{filled['slip_id']}").body["approved_by_id"] == frans_id
    assert not list(problems(stage.house.room_id))


def test_a_drawer_is_counted_by_another_and_the_day_closes(stage: Stage):
    carla, mari = stage.at_desktop(stage.house.cast.carla), stage.mari
    carla.tap("cage/drawers/1/buy-ins", {"amount_cents": 50_00, "method": "cash"})
    count = lying(5_050_00, 19_940_00)
    alone = carla.post("cage/drawers/1/close", count)
    second = {"username": "frans", "pin": demo_person("frans").pin}
    unsaid = carla.post("cage/drawers/1/close", {**count, "chips": [], "second": second})
    own = carla.post("cage/drawers/1/close", {**count, "second": {**second, "username": "carla"}})

    closed = carla.tap("cage/drawers/1/close", count | {"second": second})
    unjudged = mari.post("cage/day/close")
    mari.tap("cage/day/close", {"carrying": [carried("doubt.1")]})

    assert (unjudged.code, unjudged.body["data"]) == ("day_leaves_open", {"still_open": [["doubt", 1]]})
    assert [each.code for each in (alone, unsaid, own)] == ["malformed", "malformed", "same_person"]
    assert (closed["money_difference_cents"], closed["chips_difference_cents"]) == (0, -10_00)
    assert mari.get("cage/day").body == {"day": None}
    assert mari.get("cage/drawers/1").body["session"] is None
    assert mari.post("cage/day/open").code == "day_has_been"


def test_a_drawer_opens_at_the_version_that_was_seen(stage: Stage):
    # No program signs, and a float is counted by two.
    mari = stage.at_desktop(stage.house.cast.mari)
    mari.tap("cage/drawers", {"number": 2, "name": "Cage 2"})
    seen = mari.get("cage/drawers/2").headers["ETag"]
    second = {"username": "frans", "pin": demo_person("frans").pin}
    purse = {"cash": pieces(100_00), "chips": pieces(0, CHIPS), "second": second}

    assert mari.post("cage/drawers/2/open", purse).status == 428
    assert mari.post("cage/drawers/2/open", purse, If_Match=seen).status == 200
    assert mari.post("cage/drawers/2/open", purse, If_Match=seen).code == "stale"


def test_a_table_s_tablet_cancels_no_slip_of_another_table(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    lee = Seating.objects.get(player=stage.house.player("Lee"))
    slip = stage.anna.tap(f"tables/1/seatings/{lee.pk}/buy-in", {"amount_cents": 100_00, "stack_cents": 0})
    near, _one = stage.on_tablet("table", 1, stage.house.cast.frans)
    far, _two = stage.on_tablet("table", 2, stage.house.cast.frans)

    refused = far.post(f"cage/slips/{slip['slip_id']}/cancel", If_Match='"1"')

    assert (refused.status, refused.code) == (403, "not_permitted")
    assert near.post(f"cage/slips/{slip['slip_id']}/cancel", If_Match='"1"').status == 200


def test_the_books_are_read_by_manager_and_auditor(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    stage.anna.tap("tables/1/hands/settle", whole_hand(86_00))
    olavi = stage.olavi

    (box,) = olavi.get("ledger/accounts?owner_kind=table&kind=rake_box&owner_id=" + str(stage.house.table_id())).body
    (posting,) = olavi.get(f"ledger/accounts/{box['id']}/postings").body
    trial = olavi.get("ledger/trial-balance").body
    sums = {unit: sum(row["cents"] for row in trial if row["unit"] == unit) for unit in ("money", "chips")}

    assert (posting["kind"], posting["cents"], posting["after_cents"]) == ("hand", box["balance_cents"], 4_00)
    assert sums == {"money": 0, "chips": 0}
    assert olavi.get(f"ledger/accounts/{box['id']}/postings?day_id=999999999").body == []
    assert stage.carla.get("ledger/trial-balance").status == 403
    assert olavi.post("ledger/vault", {"cash_cents": 1, "chips_cents": 0}).status == 403
    stocks: dict[str, Any] = {"cash_cents": 100_00, "chips_cents": -50_00}
    assert stage.mari.post("ledger/vault", stocks).code == "needs_second_signature"
    stocks["second"] = {"username": "frans", "pin": demo_person("frans").pin}
    assert Caller(at_desktop(stage.house.cast.mari)).tap("ledger/vault", stocks)["transfer_id"]


def test_the_log_is_read_by_chain_name_person_and_time(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    command_id = uuid.uuid4()
    stage.anna.tap("tables/1/hands/settle", whole_hand(86_00), id=command_id)
    stage.frans.post("tables/1/seats/2", {"player_id": stage.house.player("Timo").pk})
    olavi = stage.olavi

    (settled,) = olavi.get(f"audit/events?command_id={command_id}").body
    newest = olavi.get("audit/events?chain=table.1&limit=2").body
    older = olavi.get(f"audit/events?chain=table.1&before_id={newest[-1]['id']}&limit=1").body
    (refused,) = olavi.get("audit/events?result=seat_taken").body

    assert settled["content"]["data"]["rake_cents"] == 4_00
    assert settled["content"]["args"]["hand"]["pots"] == [86_00]
    assert settled["staff_id"] == stage.house.cast.anna.pk
    assert older[0]["number"] == newest[-1]["number"] - 1
    assert refused["name"] == "tables.seat_player"
    assert olavi.get("audit/events?since=2026-11-21T00:00:00Z").body == []
    assert len(olavi.get(f"audit/events?until={TONIGHT.isoformat().replace('+00:00', 'Z')}").body) == 0


def test_people_are_added_renamed_put_on_shift_and_unlocked(stage: Stage):
    frans, dan = stage.at_desktop(stage.house.cast.frans), stage.house.cast.dan
    Staff.objects.filter(pk=dan.pk).update(wrong_pins=5, locked_at=TONIGHT)
    player = frans.tap("people/players", {"nickname": "Aulis"})["player_id"]

    frans.tap(f"people/players/{player}/rename", {"nickname": "Aulis H."})
    frans.tap(f"people/staff/{dan.pk}/end-shift")
    frans.tap(f"people/staff/{dan.pk}/start-shift")
    frans.tap(f"people/staff/{dan.pk}/unlock")
    taken = frans.post("people/players", {"nickname": "aulis h."})

    (found,) = frans.get("people/players?search=aulis").body
    shown = next(person for person in frans.get("people/staff").body if person["id"] == dan.pk)
    assert found["nickname"] == "Aulis H."
    assert (shown["is_on_shift"], shown["is_locked"]) == (True, False)
    assert (taken.status, taken.code) == (422, "nickname_taken")


def test_devices_are_enrolled_with_a_code_and_shut_out(stage: Stage):
    mari = stage.at_desktop(stage.house.cast.mari)
    made = mari.tap("people/enrolment-codes", {"kind": "table", "number": 1, "device_name": "Tablet 1"})
    tablet, device = stage.on_tablet("table", 1, stage.house.cast.anna)

    assert made["code"]
    assert [code["device_name"] for code in mari.get("people/enrolment-codes").body] == ["Tablet 1"]
    assert made["code"] not in str(EnrolmentCode.objects.values().get())
    assert [each["id"] for each in mari.get("people/devices").body] == [device.pk]
    mari.tap(f"people/devices/{device.pk}/revoke")
    assert tablet.get("tables").status == 401


def test_a_token_is_shown_once_and_ends_at_once(stage: Stage):
    mari, anna = stage.at_desktop(stage.house.cast.mari), stage.house.cast.anna
    body = {"name": "board", "roles": ["dealer"], "staff_id": anna.pk, "days": 30, "pin": demo_person("anna").pin}
    command_id = uuid.uuid4()

    made = mari.tap("people/tokens", body, id=command_id)
    again = mari.tap("people/tokens", body, id=command_id)
    caller = stage.anna
    caller.headers["Authorization"] = f"Bearer {made['token']}"

    assert "token" not in again
    assert caller.get("tables").status == 200
    mari.tap(f"people/tokens/{made['api_token_id']}/revoke")
    assert caller.get("tables").status == 401


@pytest.mark.parametrize("path", ["cage/slips/999999999", "cage/drawers/9", "ledger/accounts/999999999/postings"])
def test_what_is_not_there_is_not_found(stage: Stage, path: str):
    assert stage.mari.get(path).code == "not_found"
