"""Every call that takes a second person's signature: nobody signs both, by whatever they did to the other's sign-in."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from casino.cage.models import Unclaimed
from casino.cage.selectors.vault_counts import vault_version
from casino.people.models import Staff
from casino.people.secrets import pin_hash
from casino.promotions.models import Splash
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day
from jackpot.models import Pool
from jackpot.selectors.reconciling import reconciled
from tables.models import Seating
from tables.services.seating import hold_seat
from tests.acts.boxes import dropped
from tests.acts.tables_racks import box_apart, never_was, tips_counted
from tests.api.document import document
from tests.api.stage import Caller, Stage
from tests.cage.banking import adds_bank, gives_bank
from tests.cage.counting import CHIPS, lying, pieces
from tests.cage.delivering import sends_chips
from tests.cage.exchanging import brings, exchanges
from tests.cage.filling import Filling
from tests.cage.finding import finds
from tests.cage.foreign import notes, rate
from tests.cage.vouchers import LAST, issues
from tests.cast import TONIGHT, owned
from tests.doors.routes import all_routes
from tests.jackpot.beats import Beats
from tests.jackpot.books import SEED_GOES_BACK, put_in_force, second_pool
from tests.promotions.running import SPLASH, Running
from tests.support.books import fills_in_one_step
from tests.support.owner import as_owner
from tests.tables.racking import keeps_racks

GIVEN_PIN, OWN_PIN = "8642", "9753"
ROLES = ["manager", "floor", "dealer", "cashier"]
Call = tuple[str, dict[str, Any], str]


def reverse_slip(stage: Stage, asker: Caller) -> Call:
    slip = asker.tap("cage/drawers/1/buy-ins", {"amount_cents": 50_00, "method": "cash"})["slip_id"]
    version = asker.get(f"cage/slips/{slip}").headers["ETag"]
    return f"cage/slips/{slip}/reverse", {"reason": "wrong_amount"}, version


def void_rack_sale(stage: Stage, asker: Caller) -> Call:
    return f"cage/slips/{never_was(stage.house)}/never-sold", {"reason": "wrong_player"}, ""


def stock_vault(stage: Stage, asker: Caller) -> Call:
    return "ledger/vault", {"cash_cents": 0, "chips_cents": 1_000_00}, ""


def open_drawer(stage: Stage, asker: Caller) -> Call:
    stage.house.close_drawer()
    version = asker.get("cage/drawers/1").headers["ETag"]
    return "cage/drawers/1/open", {"cash": pieces(500_00), "chips": pieces(100_00, CHIPS)}, version


def close_drawer(stage: Stage, asker: Caller) -> Call:
    asker.tap("cage/drawers/1/buy-ins", {"amount_cents": 50_00, "method": "cash"})
    return "cage/drawers/1/close", lying(5_050_00, 19_950_00), ""


def recount_drawer(stage: Stage, asker: Caller) -> Call:
    session_id = stage.house.close_drawer().data["session_id"]
    return f"cage/sessions/{session_id}/recount", lying(4_990_00, 20_000_00), '"1"'


def _fill(stage: Stage, step: str) -> Call:
    slip = getattr(Filling(stage.house.cast), step)(500_00)
    return f"cage/fills/{slip.pk}", {"cash": pieces(500_00), "chips": []}, f'"{slip.version}"'


def deliver_fill(stage: Stage, asker: Caller) -> Call:
    path, body, version = _fill(stage, "authorised")
    return f"{path}/deliver", body, version


def verify_fill(stage: Stage, asker: Caller) -> Call:
    path, body, version = _fill(stage, "sent")
    return f"{path}/verify", body, version


def return_fill(stage: Stage, asker: Caller) -> Call:
    path, body, version = _fill(stage, "sent")
    return f"{path}/return", {**body, "reason": "closed"}, version


def close_counts(stage: Stage, asker: Caller) -> Call:
    stage.house.close_drawer()
    stage.house.close_day()
    day = GamingDay.objects.get()
    return f"cage/days/{day.pk}/counted", {}, asker.get(f"cage/days/{day.pk}").headers["ETag"]


def fill_drawer(stage: Stage, asker: Caller) -> Call:
    fills_in_one_step(stage.house.room_id)
    return "cage/drawers/1/fills", {"amount_cents": 100_00, "what": "cash"}, ""


def return_to_vault(stage: Stage, asker: Caller) -> Call:
    fills_in_one_step(stage.house.room_id)
    return "cage/drawers/1/credits", {"amount_cents": 100_00, "what": "cash"}, ""


def cash_out(stage: Stage, asker: Caller) -> Call:
    asker.tap("cage/drawers/1/buy-ins", {"amount_cents": 50_00, "method": "cash"})
    return "cage/drawers/1/cash-outs", {"amount_cents": 50_00, "unnamed": "gives_no_name"}, ""


def _deposited(stage: Stage, asker: Caller) -> int:
    player_id = stage.house.player("Lee").pk
    asker.tap("cage/drawers/1/deposits", {"amount_cents": 50_00, "method": "cash", "player_id": player_id})
    return player_id


def withdraw(stage: Stage, asker: Caller) -> Call:
    return "cage/drawers/1/withdrawals", {"amount_cents": 50_00, "player_id": _deposited(stage, asker)}, ""


def note_money(stage: Stage, asker: Caller) -> Call:
    body = {"amount_cents": 200_00, "player_id": stage.house.player("Lee").pk}
    slip = asker.tap("cage/requests", body)["slip_id"]
    return f"cage/slips/{slip}/money", {"money_with": "runner"}, ""


def note_chips(stage: Stage, asker: Caller) -> Call:
    stage.house.open(1)
    slip = sends_chips(stage.house, stage.house.seat("Lee", 5, chips=0), 200_00)
    return f"cage/slips/{slip}/chips", {"chips_with": "runner"}, ""


def open_bank(stage: Stage, asker: Caller) -> Call:
    adds_bank(stage.house.cast)
    return "cage/drawers/11/open-bank", {"cash": pieces(0), "chips": pieces(500_00, CHIPS)}, '"1"'


def sell_from_bank(stage: Stage, asker: Caller) -> Call:
    cast, rauha = stage.house.cast, Staff.objects.get(username="rauha")
    gives_bank(cast.carla, rauha, adds_bank(cast), pin=OWN_PIN)
    stage.house.open(1)
    lee = stage.house.seat("Lee", 1, chips=0)
    path = f"tables/1/seatings/{lee.pk}/buy-in"
    slip = asker.tap(path, {"amount_cents": 200_00, "stack_cents": 0})["slip_id"]
    return f"cage/slips/{slip}/sell-from-bank", {}, '"1"'


def take_money(stage: Stage, asker: Caller) -> Call:
    body = {"amount_cents": 200_00, "player_id": stage.house.player("Lee").pk}
    slip = asker.tap("cage/requests", body)["slip_id"]
    return f"cage/slips/{slip}/take-money", {"drawer_number": 1, "method": "cash"}, '"1"'


def lift_exclusion(stage: Stage, asker: Caller) -> Call:
    ban = asker.tap(f"people/players/{stage.house.player('Lee').pk}/ban", {"reason": "", "clause": ""})
    return f"people/exclusions/{ban['exclusion']}/lift", {}, ""


def give_data(stage: Stage, asker: Caller) -> Call:
    return f"people/players/{stage.house.player('Lee').pk}/data", {"document": "passport", "language": "fi"}, ""


def give_staff_data(stage: Stage, asker: Caller) -> Call:
    return f"people/staff/{stage.house.cast.dan.pk}/data", {"document": "passport", "language": "fi"}, ""


def lift_inquiry(stage: Stage, asker: Caller) -> Call:
    held = asker.tap(f"people/players/{stage.house.player('Lee').pk}/inquiries", {"reason": ""})
    return f"people/inquiries/{held['inquiry']}/lift", {}, ""


def merge_players(stage: Stage, asker: Caller) -> Call:
    gone = asker.tap("people/players", {"nickname": "Tim"})["player_id"]
    return f"people/players/{stage.house.player('Timo').pk}/merge", {"gone_id": gone}, ""


def change_roles(stage: Stage, asker: Caller) -> Call:
    return f"people/staff/{stage.house.cast.dan.pk}/roles", {"roles": ["dealer", "compliance"]}, ""


def pick_up_stack(stage: Stage, asker: Caller) -> Call:
    stage.house.open(1, Lee=1, Kai=2, Timo=3)
    away = Seating.objects.get(player=stage.house.player("Lee"), left_at=None)
    stage.house.at = TONIGHT
    stage.house.tap(hold_seat, table_id=away.table_id, seating_id=away.pk, is_held=True)
    return f"tables/1/seatings/{away.pk}/pick-up", {"stack_cents": 90_00}, ""


def approve_book(stage: Stage, asker: Caller) -> Call:
    text = asker.get("rule-book").body["text"].replace("call_seconds = 180", "call_seconds = 240")
    asker.post("rule-book/edit", {"text": text}, If_Match='"0"')
    holds_from = (TONIGHT + timedelta(hours=10)).isoformat()
    answer = asker.post("rule-book/ask", {"holds_from": holds_from}, If_Match='"1"')
    return "rule-book/approve", {"next_book_id": answer.body["data"]["next_book"]}, f'"{answer.body["version"]}"'


def issue_voucher(stage: Stage, asker: Caller) -> Call:
    return "cage/vouchers/issue", {"amount_cents": 50_00, "origin": "marketing", "last_date": LAST}, ""


def take_in_found(stage: Stage, asker: Caller) -> Call:
    return "cage/drawers/1/found", {"amount_cents": 50_00, "what": "cash", "where": "cage"}, ""


def give_unclaimed(stage: Stage, asker: Caller) -> Call:
    cast, lee = stage.house.cast, stage.house.player("Lee").pk
    found = finds(cast.mari, cast.frans, drawer_id=stage.house.drawer_id)
    seen = {"document": "passport", "full_name": "Lee Virtanen", "number": "XP1"}
    asker.tap(f"people/players/{lee}/identity", seen)
    return f"cage/unclaimed/{found.pk}/give", {"drawer_number": 1, "player_id": lee}, ""


def keep_unclaimed(stage: Stage, asker: Caller) -> Call:
    found = finds(stage.house.cast.mari, stage.house.cast.frans, drawer_id=stage.house.drawer_id)
    with as_owner():
        Unclaimed.objects.update(taken_in_at=TONIGHT - timedelta(days=400))
    return f"cage/unclaimed/{found.pk}/keep", {}, ""


def _kronor_in_vault(stage: Stage) -> None:
    cast = stage.house.cast
    rate(cast.mari)
    brings(cast.carla, cast.frans, stage.house.drawer_id, (1000, 2), cash=5_000_00, chips=20_000_00)


def exchange_notes(stage: Stage, asker: Caller) -> Call:
    _kronor_in_vault(stage)
    return "cage/exchanges/new", {**notes((1000, 1)), "got_cents": 86_00}, ""


def reverse_exchange(stage: Stage, asker: Caller) -> Call:
    _kronor_in_vault(stage)
    exchange = exchanges(stage.house.cast.mari, stage.house.cast.frans, (1000, 1), got=86_00)
    return f"cage/exchanges/{exchange.pk}/reverse", {"reason": "not_taken"}, ""


def count_vault(stage: Stage, asker: Caller) -> Call:
    return "cage/vault/count", lying(5_00, 100_00), f'"{vault_version(stage.house.cast.room.pk)}"'


def void_voucher(stage: Stage, asker: Caller) -> Call:
    voucher = issues(stage.house.cast.mari, stage.house.cast.frans, 50_00)
    return f"cage/vouchers/{voucher.pk}/void", {"reason": "mistake"}, ""


def _beat(stage: Stage) -> Beats:
    beats = Beats(stage.house)
    beats.sum(12_345_67)
    beats.open()
    return beats


def refuse_claim(stage: Stage, asker: Caller) -> Call:
    claim = _beat(stage).entered()
    return f"jackpot/claims/{claim.pk}/refuse", {"reason": "talk"}, f'"{claim.version}"'


def approve_claim(stage: Stage, asker: Caller) -> Call:
    claim = _beat(stage).verified()
    return f"jackpot/claims/{claim.pk}/approve", {"sum_cents": 12_345_67}, f'"{claim.version}"'


def _pool(stage: Stage, what: str, body: dict[str, Any]) -> Call:
    beats = Beats(stage.house)
    beats.sum(12_345_67)
    version = Pool.objects.values_list("version", flat=True).get()
    return f"jackpot/pools/bad-beat/{what}", body, f'"{version}"'


def correct_sum(stage: Stage, asker: Caller) -> Call:
    return _pool(stage, "correct", {"new_sum_cents": 12_300_00, "reason": "takings"})


def recover_seed(stage: Stage, asker: Caller) -> Call:
    put_in_force(stage.house, SEED_GOES_BACK)
    return _pool(stage, "recover-seed", {"amount_cents": 500_00})


def wind_down(stage: Stage, asker: Caller) -> Call:
    second_pool(stage.house)
    version = Pool.objects.values_list("version", flat=True).get(code="small")
    return "jackpot/pools/small/wind-down", {"moved_to": "bad-beat"}, f'"{version}"'


def sign_report(stage: Stage, asker: Caller) -> Call:
    today = TONIGHT.date()
    seen = reconciled(stage.house.cast.room, today, today).seen
    return "jackpot/report/sign", {"first_date": str(today), "last_date": str(today), "seen": seen}, ""


def count_box(stage: Stage, asker: Caller) -> Call:
    stage.house.open(1, Lee=1, Kai=2, Timo=3)
    box = dropped(stage.house)
    return f"boxes/{box.pk}/count", {"pieces": [{"value_cents": 1_00, "count": 3}]}, f'"{box.version}"'


def fill_rack(stage: Stage, asker: Caller) -> Call:
    keeps_racks(stage.house.room_id)
    fills_in_one_step(stage.house.room_id)
    return "tables/1/rack/fill", {"pieces": [{"value_cents": 25_00, "count": 8}]}, ""


def close_rack(stage: Stage, asker: Caller) -> Call:
    return "tables/1/rack/close", {"pieces": [{"value_cents": 25_00, "count": 0}]}, ""


def clear_rack(stage: Stage, asker: Caller) -> Call:
    fills_in_one_step(stage.house.room_id)
    return "tables/1/rack/clear", {"pieces": [{"value_cents": 25_00, "count": 0}]}, ""


def take_tips(stage: Stage, asker: Caller) -> Call:
    stage.house.open(1, Lee=1, Kai=2)
    return "tables/1/tips/take", {"pieces": [{"value_cents": 5_00, "count": 3}]}, ""


def take_closed_tips(stage: Stage, asker: Caller) -> Call:
    """The floor counts a tip box that a dealer had taken along."""
    box = box_apart(stage.house)
    return f"tables/1/tips/closed/{box}/take", {"pieces": [{"value_cents": 5_00, "count": 3}]}, ""


def hand_tips_on(stage: Stage, asker: Caller) -> Call:
    tips_counted(stage.house)
    today = open_day(stage.house.room_id)
    assert today is not None
    return "tips/hand-on", {"day": today.date.isoformat(), "cents": 15_00}, ""


def change_fund(stage: Stage, asker: Caller) -> Call:
    Running.begun(stage.house)
    return "promotions/funds/high-hand/change", {"amount_cents": 50_00}, '"1"'


def decide_period(stage: Stage, asker: Caller) -> Call:
    running = Running.begun(stage.house)
    period = running.begun_before(running.opened(), timedelta(minutes=29))
    return f"promotions/periods/{period.pk}/decide", {}, '"2"'


def call_off_period(stage: Stage, asker: Caller) -> Call:
    period = Running.begun(stage.house).opened()
    return f"promotions/periods/{period.pk}/call-off", {"reason": "mistake"}, '"2"'


def take_back_splash(stage: Stage, asker: Caller) -> Call:
    stage.house.open(1, Lee=1, Kai=2, Timo=3)
    running = Running.begun(stage.house, code=SPLASH)
    running.opened(code=SPLASH)
    with as_owner():
        Splash.objects.update(due_at=stage.house.at)
    splash = running.splashed(running.drawn(at=stage.house.at)[0])
    return f"promotions/splashes/{splash.pk}/take-back", {"reason": "wrong_tap"}, f'"{running.version(SPLASH)}"'


def take_back_decision(stage: Stage, asker: Caller) -> Call:
    running = Running.begun(stage.house)
    period = running.begun_before(running.opened(), timedelta(minutes=31))
    running.decided(period)
    return f"promotions/periods/{period.pk}/take-back", {"reason": "wrong_tap"}, f'"{running.version()}"'


def catch_up(stage: Stage, asker: Caller) -> Call:
    stage.house.open(1, Lee=1, Kai=2)
    number = asker.tap("paper/print", {})["last_sheet"]
    span = {"from_at": TONIGHT.isoformat(), "until_at": TONIGHT.isoformat()}
    return f"paper/sheets/{number}/catch-up", {**span, "hands": 1, "overrule": "not_signed_in"}, ""


def catch_up_lists(stage: Stage, asker: Caller) -> Call:
    stage.house.open(1, Lee=1)
    number = asker.tap("paper/print", {})["first_sheet"]
    game_id = stage.house.game().pk
    line = {"number": 1, "at": TONIGHT.isoformat(), "game_id": game_id, "what": "joined", "nickname": "Riku"}
    span = {"from_at": TONIGHT.isoformat(), "until_at": TONIGHT.isoformat()}
    return f"paper/lists/{number}/catch-up", {**span, "lines": [line]}, ""


# One honest evening for each call, told as far as the signature.
SCENES: dict[str, Callable[[Stage, Caller], Call]] = {
    "cage.reverse_slip": reverse_slip,
    "cage.void_rack_sale": void_rack_sale,
    "cage.open_drawer": open_drawer,
    "cage.close_drawer": close_drawer,
    "cage.recount_drawer": recount_drawer,
    "cage.close_counts": close_counts,
    "ledger.stock_vault": stock_vault,
    "cage.deliver_fill": deliver_fill,
    "cage.verify_fill": verify_fill,
    "cage.return_fill": return_fill,
    "cage.fill_drawer": fill_drawer,
    "cage.return_to_vault": return_to_vault,
    "cage.cash_out": cash_out,
    "cage.withdraw": withdraw,
    "cage.note_money": note_money,
    "cage.note_chips": note_chips,
    "cage.open_bank": open_bank,
    "cage.sell_from_bank": sell_from_bank,
    "cage.take_money": take_money,
    "cage.take_in_found": take_in_found,
    "cage.give_unclaimed": give_unclaimed,
    "cage.keep_unclaimed": keep_unclaimed,
    "cage.issue_voucher": issue_voucher,
    "cage.void_voucher": void_voucher,
    "cage.exchange_notes": exchange_notes,
    "cage.reverse_exchange": reverse_exchange,
    "cage.count_vault": count_vault,
    "people.lift_exclusion": lift_exclusion,
    "people.give_data": give_data,
    "people.give_staff_data": give_staff_data,
    "people.lift_inquiry": lift_inquiry,
    "people.merge_players": merge_players,
    "people.change_roles": change_roles,
    "tables.pick_up_stack": pick_up_stack,
    "tables.approve_book": approve_book,
    "jackpot.refuse_claim": refuse_claim,
    "jackpot.approve_claim": approve_claim,
    "jackpot.correct_sum": correct_sum,
    "jackpot.recover_seed": recover_seed,
    "jackpot.wind_down": wind_down,
    "jackpot.sign_report": sign_report,
    "boxes.count_box": count_box,
    "tables.fill_rack": fill_rack,
    "tables.close_rack": close_rack,
    "tables.clear_rack": clear_rack,
    "paper.catch_up": catch_up,
    "paper.catch_up_lists": catch_up_lists,
    "tables.take_tips": take_tips,
    "tables.take_closed_tips": take_closed_tips,
    "tables.hand_tips_on": hand_tips_on,
    "promotions.change_fund": change_fund,
    "promotions.decide_period": decide_period,
    "promotions.call_off_period": call_off_period,
    "promotions.take_back_splash": take_back_splash,
    "promotions.take_back_decision": take_back_decision,
}


def test_every_call_with_a_second_signature_is_tried_here():
    views = [route.api_view for route in all_routes() if route.api_view is not None]
    signed = {view.needs for view in views if "people.sign_second" in getattr(view, "steps", ())}
    described = document()
    forms = described["components"]["schemas"]
    calls = set()
    for methods in described["paths"].values():
        for operation in methods.values():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            form = content.get("schema", {}).get("$ref", "").rsplit("/", 1)[-1]
            if "second" in forms.get(form, {}).get("properties", {}):
                calls.add(operation["operationId"])

    assert {name.replace(".", "_") for name in signed} == calls
    assert signed == set(SCENES)


def somebody(stage: Stage, name: str) -> Staff:
    """Return one more person on shift who may do everything."""
    return Staff.objects.create(
        room=stage.house.cast.room, username=name, display_name=name.capitalize(), roles=ROLES, pin=pin_hash(OWN_PIN),
        is_on_shift=True, created_at=TONIGHT,
    )  # fmt: skip


def at_desk(staff: Staff) -> Caller:
    http = Client(raise_request_exception=False)
    http.force_login(staff)
    return Caller(http)


# The quick run tries every fourth call: all of them ask `casino.people.services.signatures`.
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * bool(index % 4)) for index, name in enumerate(sorted(SCENES))],
)
def test_who_set_the_other_s_pin_is_no_second_person_and_an_honest_one_is(stage: Stage, name: str):
    asker, petra = somebody(stage, "sanna"), somebody(stage, "petra")
    rauha = somebody(stage, "rauha")
    if name == "cage.count_vault":
        # One of both must not read the books.
        Staff.objects.filter(pk=rauha.pk).update(roles=["floor"])
    desk = at_desk(asker)
    path, body, version = SCENES[name](stage, desk)

    def sign(username: str, pin: str) -> Any:
        headers = {"If_Match": version} if version else {}
        return desk.post(path, {**body, "second": {"username": username, "pin": pin}}, **headers)

    desk.tap(f"people/staff/{petra.pk}/pin", {"pin": GIVEN_PIN})
    assert sign("petra", GIVEN_PIN).code == "secret_to_be_changed"
    owned(petra.pk)
    refused = sign("petra", GIVEN_PIN)
    assert (refused.status, refused.code) == (422, "signature_prepared")

    honest = sign("rauha", OWN_PIN)
    assert honest.status == 200, honest.body
