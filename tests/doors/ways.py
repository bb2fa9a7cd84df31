"""
The table of the ways in: each command with its tap on a page and its call, and what the house is brought to before it.

`tests/doors/test_both_doors.py` walks it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from casino.cage.models import Drawer, Slip
from casino.cage.services import add_drawer, buy_in, deposit
from casino.people.models import Staff
from casino.waiting.models import Waiting
from casino.waiting.services import lists as waiting
from jackpot.judging import EnteredHand
from jackpot.models import Claim, ClaimShare
from jackpot.services.claims import verify_claim
from tables.models import DisputedPot, Down, Hand, Incident, PlayerClock, Seating, ToDo
from tables.services.clocks import call_clock
from tables.services.closing import announce_last_orbit
from tables.services.disputes import set_pot_aside
from tables.services.downs import push_dealer
from tables.services.hands import skip_hand
from tables.services.incidents import write_incident
from tables.services.moving import move_player
from tables.services.opening import close_table
from tables.services.requests import ask_table_change
from tables.services.seat_buy_ins import ask_for_seat
from tables.services.seat_change import change_seat
from tables.services.seating import hold_seat, leave_seat
from tests.cast import demo_person
from tests.jackpot.beats import BEAT, BOARD, NO_BEAT, Beats
from tests.tables.conftest import House

Names = dict[str, Any]
HAND_ID = "0b9c6c9e-6a0a-4c6e-9d43-0d4b1f2f8a55"
# Whose taps the tablet's script sends to the API itself, and what only programs call: there is no form to read.
ONE_DOOR = {
    "tables.deal_hand",
    "tables.show_flop",
    "tables.settle_hand",
    "tables.skip_hand",
    "tables.void_hand",
    "tables.undo_hand",
    "tables.call_floor",
    "tables.add_table",
    "tables.offer_games",
    "cage.request_buy_in",
    "jackpot.call_bad_beat",
}
# What is not walked yet: pages that still read their forms by hand, and a few that read them as calls do but that no
# evening here comes to. This list only gets shorter.
NOT_YET = {
    "cage.close_day",
    "cage.open_day",
    "cage.judge_doubt",
    "ledger.stock_vault",
    "people.add_player",
    "people.add_shift_dealer",
    "people.add_staff",
    "people.ban_player",
    "people.change_own_password",
    "people.change_own_pin",
    "people.change_pin_on_device",
    "people.change_roles",
    "people.deactivate_staff",
    "people.end_keeping_apart",
    "people.end_shift",
    "people.enrol_device",
    "people.exclude_by_own_wish",
    "people.give_pass",
    "people.issue_api_token",
    "people.keep_apart",
    "people.lift_exclusion",
    "people.make_enrolment_code",
    "people.merge_players",
    "people.rename_player",
    "people.revoke_api_token",
    "people.revoke_device",
    "people.revoke_pass",
    "people.set_own_limit",
    "people.set_password",
    "people.set_pin",
    "people.show_as_number",
    "people.sign_in",
    "people.sign_in_on_device",
    "people.sign_out",
    "people.sign_out_of_device",
    "people.start_shift",
    "people.unlock_person",
    "tables.approve_book",
    "tables.ask_for_book",
    "tables.discard_book",
    "tables.edit_book",
    "tables.refuse_book",
    "tables.withdraw_book",
    "tables.prepare_seat_draw",
    "tables.draw_seats",
    "tables.enter_tap",
    "tables.let_time_go",
    "tables.take_back_time",
    "tables.take_time",
    "tables.pick_up_stack",
}


@dataclass(frozen=True)
class Way:
    """
    One command by both doors. "{lee}" in an address or a value is what `names` calls so.

    `before` brings the house to where the command makes sense; `version` is the name of what it decides on.
    """

    page: str
    call: str
    form: Names = field(default_factory=dict)
    body: Names = field(default_factory=dict)
    version: str = ""
    before: Callable[[House], Any] | None = None
    id: str = ""


T = "/floor/tables/1/"
C, CLAIM = "/jackpot/claims/{jackpot_claim}/", "jackpot/claims/{jackpot_claim}/"
S, LEE = "tables/1/seatings/{lee}/", T + "seatings/{lee}/"
W, ENTRY = "waiting/{waiting}/", "/floor/waiting/{waiting}/"


def _called(house: House) -> None:
    _waits(house)
    entry = _waiting()
    house.tap(waiting.call_player, waiting_id=entry, table_id=house.table_id(), seat_number=8)


def _asks_more(house: House) -> None:
    _called(house)
    Waiting.objects.filter(id=_waiting()).update(asks_more_at=house.at)


def _waits(house: House) -> None:
    for nickname in ("Riku", "Aino"):
        house.tap(waiting.join_list, game_id=house.game().pk, player_id=house.player(nickname).pk)


def _waiting() -> int:
    return int(Waiting.objects.order_by("id").values_list("id", flat=True)[0])


def _at(house: House, service: Callable[..., Any], nickname: str = "Lee", **told: Any) -> None:
    house.tap(service, table_id=house.table_id(), seating_id=_sits(nickname).pk, **told)


def _sits(nickname: str) -> Seating:
    return Seating.objects.filter(player__nickname=nickname).latest("id")


def _away(house: House) -> None:
    _at(house, hold_seat, is_held=True)


def _left(house: House) -> None:
    _at(house, leave_seat, stack_cents=None)


def _asked(house: House) -> None:
    house.tap(ask_for_seat, table=house.table(), seating_id=_sits("Lee").pk, amount_cents=50_00, stack=20_00)


def _leave_all(house: House) -> None:
    for nickname in ("Lee", "Kai", "Timo", "Mika"):
        _at(house, leave_seat, nickname, stack_cents=200_00)


def _empty(house: House) -> None:
    _leave_all(house)
    house.tap(close_table, table_id=house.table_id())


def _moved(house: House) -> None:
    there: dict[str, Any] = {"to_table_id": house.table_id(2), "seat_number": 5, "stack_cents": 200_00}
    _at(house, move_player, **there)


def _closing(house: House) -> None:
    house.tap(announce_last_orbit, table_id=house.table_id(), hands=0)


def _struck(house: House) -> None:
    _waits(house)
    house.tap(waiting.strike, waiting_id=_waiting(), version=Waiting.objects.get(id=_waiting()).version)


def _pushed(house: House) -> None:
    house.tap(push_dealer, table_id=house.table_id(), dealer_id=house.cast.dan.pk)


def _clock(house: House) -> None:
    house.deal()
    _at(house, call_clock)


def _aside(house: House) -> None:
    house.tap(set_pot_aside, table_id=house.table_id(), hand_row_id=Hand.objects.latest("id").pk, cents=38_00)


def _penalty(house: House) -> None:
    told: dict[str, Any] = {
        "kind": "penalty",
        "player_ids": [house.player("Riku").pk],
        "clause": "H1.48",
        "minutes": 20,
    }
    house.tap(write_incident, table_id=house.table_id(), **told)


def _skipped(house: House) -> None:
    house.tap(skip_hand, house.cast.anna, table_id=house.table_id(), hand=house.logged())


def _called_beat(house: House) -> Beats:
    beats = Beats(house)
    beats.fill()
    beats.called()
    return beats


def _entered_beat(house: House, hand: EnteredHand = BEAT) -> Beats:
    beats = _called_beat(house)
    beats.entered(Claim.objects.get(), hand)
    return beats


def _walked_beat(house: House) -> Beats:
    beats = _entered_beat(house)
    beats.walked(Claim.objects.get())
    return beats


def _verified_beat(house: House) -> Beats:
    """Bring a claim to its signature, by Dan; Frans may sign as a manager tonight."""
    Staff.objects.filter(username="dan").update(roles=["dealer", "floor"])
    Staff.objects.filter(username="frans").update(roles=["floor", "manager"])
    beats = _walked_beat(house)
    beats.sum(12_345_67)
    beats.step(verify_claim, Claim.objects.get(), Staff.objects.get(username="dan"))
    return beats


def _approved_beat(house: House) -> None:
    _verified_beat(house).approved(Claim.objects.get())


def evening(house: House) -> None:
    house.open(2, Jo=1)
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(40_00, taken={"rake": 1_00})
    house.seat("Mika", 4)


NEWEST: dict[str, Any] = {
    "hand": Hand, "todo": ToDo, "slip": Slip, "clock": PlayerClock, "pot": DisputedPot, "down": Down,
    "incident": Incident, "drawer": Drawer, "jackpot_claim": Claim, "share": ClaimShare,
}  # fmt: skip


def names_of(house: House) -> Names:
    """Return what there is in the house just now, by the words that `WAYS` uses."""
    names: Names = {
        "game": house.game().pk,
        "other_game": house.game("No limit hold'em 5/5").pk,
        "dan": house.cast.dan.pk,
        "pin": demo_person("frans").pin,
        "hand_uuid": str(Hand.objects.latest("id").hand_id),
    }
    for nickname in ("Lee", "Kai", "Timo", "Mika"):
        sits = _sits(nickname)
        names |= {nickname.lower(): sits.pk, f"{nickname.lower()}_version": sits.version}
    names |= {f"{nickname.lower()}_player": house.player(nickname).pk for nickname in ("Lee", "Kai")}
    names |= {nickname.lower(): house.player(nickname).pk for nickname in ("Riku", "Aino")}
    for name, model in NEWEST.items():
        row = model.objects.order_by("-id").first()
        names |= {name: getattr(row, "pk", 0), f"{name}_version": getattr(row, "version", 0)}
    entry = Waiting.objects.order_by("id").first()
    if entry is not None:
        names |= {"waiting": entry.pk, "waiting_version": entry.version, "list_version": entry.waiting_list.version}
    return names | {"table_version": house.table().version}


WAYS = [
    Way(C + "withdraw/", CLAIM + "withdraw", version="jackpot_claim", before=_called_beat),
    Way(
        C + "hands/",
        CLAIM + "hands",
        {
            "board": BOARD,
            "cards_1": "Ac Kc",
            "cards_2": "7h 7s",
            "thrown_in": "2",
            "away_seats": ["3", "4"],
            "told": "on",
        },
        {
            "board": BOARD,
            "hands": [
                {"seat_number": 1, "cards": "Ac Kc"},
                {"seat_number": 2, "cards": "7h 7s", "is_shown": False},
            ],
            "away_seats": [3, 4],
            "told": True,
        },
        "jackpot_claim",
        _called_beat,
    ),
    Way(
        C + "checks/",
        CLAIM + "checks",
        {"item": "surveillance", "reference": "camera 4"},
        {"item": "surveillance", "reference": "camera 4"},
        before=_entered_beat,
    ),
    Way(C + "dispute/", CLAIM + "dispute", {"reason": "cards"}, {"reason": "cards"}, "jackpot_claim", _called_beat),
    Way(C + "verify/", CLAIM + "verify", version="jackpot_claim", before=_walked_beat),
    Way(
        C + "refuse/",
        CLAIM + "refuse",
        {"reason": "does_not_qualify"},
        {"reason": "does_not_qualify"},
        "jackpot_claim",
        lambda h: _entered_beat(h, NO_BEAT),
    ),
    Way(
        C + "approve/",
        CLAIM + "approve",
        {"sum": "12345.67", "username": "frans", "pin": "{pin}"},
        {"sum_cents": 12_345_67, "second": {"username": "frans", "pin": "{pin}"}},
        "jackpot_claim",
        _verified_beat,
    ),
    Way(
        "/jackpot/shares/{share}/dispute/",
        "jackpot/shares/{share}/dispute",
        {"is_disputed": "true"},
        {"is_disputed": True},
        before=_approved_beat,
    ),
    Way(T + "open/", "tables/1/open", {"game_id": "{game}"}, {"game_id": "{game}"}, "table", _empty),
    Way(T + "close/", "tables/1/close", before=_leave_all),
    Way(T + "draw/", "tables/1/draw", {"winner_seat": 2, "seats": [1, 3]}, {"winner_seat": 2, "seats": [1, 2, 3]}),
    Way(T + "button/", "tables/1/button", {"seat_number": 1}, {"seat_number": 1}),
    Way(T + "tips/", "tables/1/tips", {"counted": "12,50"}, {"counted_cents": 12_50}),
    Way(
        T + "seats/7/",
        "tables/1/seats/7",
        {"player_id": "{riku}", "chips": "100", "source": "hands", "entry": "posts"},
        {"player_id": "{riku}", "chips_cents": 100_00, "entry": "posts"},
    ),
    Way(
        T + "seats/7/",
        "tables/1/seats/7",
        {"player_id": "new", "nickname": "Zed", "full_name": "", "chips": "100", "source": "cage"},
        {"new_player": {"nickname": "Zed"}, "chips_cents": 100_00, "chips_from": "cage"},
        id="a new player who buys at the cage",
    ),
    Way(
        T + "seats/7/",
        "tables/1/seats/7",
        {"player_id": "{aino}", "overrule": "peace"},
        {"player_id": "{aino}", "overrule": "peace"},
        before=_waits,
        id="an overrule",
    ),
    Way(LEE + "hold/", S + "hold", {"is_held": "1"}, {"is_held": True}),
    Way(LEE + "straddle/", S + "straddle", {}, {"straddles": False}),
    Way(
        "/floor/tables/1/seatings/{mika}/entry/",
        "tables/1/seatings/{mika}/entry",
        {"entry": "posts"},
        {"entry": "posts"},
        "mika",
    ),
    Way(LEE + "leave/", S + "leave", {"stack": "340,50"}, {"stack_cents": 340_50}),
    Way(LEE + "leave/", S + "leave", {"uncounted": "1"}, {"stack_cents": None}, id="not counted"),
    Way(LEE + "count/", S + "count", {"stack": "90"}, {"stack_cents": 90_00}, before=_left),
    Way(LEE + "take-back/", S + "take-back", version="lee", before=_left),
    Way(LEE + "buy-in/", S + "buy-in", {"amount": "50", "stack": "20"}, {"amount_cents": 50_00, "stack_cents": 20_00}),
    Way(
        LEE + "buy-in/",
        S + "buy-in",
        {"amount": "100", "stack": "20", "stack_word": "under_blind", "again": "1"},
        {"amount_cents": 100_00, "stack": "under_blind", "again": True},
        id="a stack by a word",
    ),
    Way(
        LEE + "chips/",
        S + "chips",
        {"amount": "50", "stack": "20"},
        {"chips_cents": 50_00, "stack_cents": 20_00},
        "lee",
    ),
    Way(T + "slips/{slip}/cancel/", "cage/slips/{slip}/cancel", version="slip", before=_asked),
    Way("/cage/slips/{slip}/cancel/", "cage/slips/{slip}/cancel", version="slip", before=_asked, id="at the cage"),
    Way(LEE + "long-break/", S + "long-break", {"has_break": "1"}, {"has_break": True}, before=_away),
    Way(LEE + "limit/", S + "limit", {"minutes": 20}, {"minutes": 20}, before=_away),
    Way(LEE + "change/ask/", S + "ask-seat", {"asks": "1", "seat_number": "6"}, {"asks": True, "seat_number": 6}),
    Way(LEE + "change/", S + "change-seat", {"seat_number": 6, "posts": "1"}, {"seat_number": 6, "posts": True}, "lee"),
    Way(LEE + "change/back/", S + "change-seat-back", before=lambda h: _at(h, change_seat, seat_number=6)),
    Way(
        LEE + "over/",
        S + "play-over",
        {"player_id": "{riku}", "chips": "100"},
        {"player_id": "{riku}", "chips_cents": 100_00},
        "lee",
        _away,
    ),
    Way(
        LEE + "move/",
        S + "move",
        {"to": "2/5/7", "stack": "200", "entry_7": "posts"},
        {"to_table": 2, "seat_number": 5, "stack_cents": 200_00, "entry": "posts"},
        "lee",
    ),
    Way("/floor/tables/2/seatings/{lee}/move/back/", "tables/2/seatings/{lee}/move-back", before=lambda h: _moved(h)),
    Way(LEE + "ask/", S + "ask-table", {"table_number": "2"}, {"to_table": 2}),
    Way(
        LEE + "ask/end/",
        S + "ask-table/end",
        {"ends": "withdrawn"},
        {"why": "withdrawn"},
        before=lambda h: _at(h, ask_table_change, to_table_id=h.table_id(2)),
    ),
    Way(T + "last-orbit/", "tables/1/last-orbit", {"hands": "5"}, {"hands": 5}),
    Way(T + "last-orbit/back/", "tables/1/last-orbit/take-back", before=lambda h: _closing(h)),
    Way(LEE + "wait/", S + "wait", {"stack": "200"}, {"stack_cents": 200_00}, before=lambda h: _closing(h)),
    Way(
        T + "stakes/",
        "tables/1/stakes",
        {"game_id": "{other_game}", "consents": ["{lee}", "{kai}", "{timo}", "{mika}"]},
        {"game_id": "{other_game}", "consents": ["{lee}", "{kai}", "{timo}", "{mika}"]},
        "table",
    ),
    Way(
        "/floor/lists/{game}/join/",
        "lists/{game}/join",
        {"player_id": "{riku}", "is_call_in": "1"},
        {"player_id": "{riku}", "is_call_in": True},
    ),
    Way(
        ENTRY + "call/",
        W + "call",
        {"table_number": 1, "seat_number": 8},
        {"table_number": 1, "seat_number": 8},
        before=_waits,
    ),
    Way(ENTRY + "call/back/", W + "take-back-call", version="waiting", before=_called),
    Way(ENTRY + "strike/", W + "strike", version="waiting", before=_waits),
    Way(ENTRY + "strike/back/", W + "take-back-strike", version="waiting", before=lambda h: _struck(h)),
    Way(ENTRY + "drop/", W + "drop-out", before=_waits),
    Way(ENTRY + "more/", W + "more-time", before=_called),
    Way(ENTRY + "more/no/", W + "no-more-time", before=_asks_more),
    Way(ENTRY + "chips/", W + "fetch-chips", before=_called),
    Way(ENTRY + "check-in/", W + "check-in", before=_waits),
    Way(
        ENTRY + "move/", W + "move", {"before": "", "reason": "wrong_order"}, {"reason": "wrong_order"}, "list", _waits
    ),
    Way(
        T + "hands/{hand}/correct/",
        "tables/1/hands/{hand}/correct",
        {
            "hand_id": HAND_ID,
            "reason": "wrong_pot",
            "pot_0": "24",
            "winners_0": [2],
            "pot_1": "",
            "pot_2": "16",
            "winners_2": [1, 3],
            "pot_is_at_least": "on",
            "rake_taken": "2",
            "drop_taken": "",
        },
        {
            "hand_id": HAND_ID,
            "reason": "wrong_pot",
            "pots": [24_00, 16_00],
            "winners": [[2], [1, 3]],
            "pot_is_at_least": True,
            "rake_taken_cents": 2_00,
        },
    ),
    Way(T + "hands/{hand}/void/", "tables/1/hands/{hand}/void", {"reason": "void"}, {"reason": "void"}),
    Way(
        T + "hands/{hand}/supply/",
        "tables/1/hands/{hand}/supply",
        {"rake_taken": "3", "drop_taken": "0", "pot": ""},
        {"rake_taken_cents": 3_00, "drop_taken_cents": 0},
        before=_skipped,
    ),
    Way(T + "hands/{hand}/aside/", "tables/1/pots", {"amount": "38"}, {"hand_id": "{hand_uuid}", "cents": 38_00}),
    Way(T + "todo/{todo}/judge/", "tables/1/todos/{todo}/judge"),
    Way(T + "push/", "tables/1/push", {"dealer_id": "{dan}", "down_id": ""}, {"dealer_id": "{dan}"}),
    Way(T + "break/", "tables/1/break", {"down_id": "{down}"}, {"down_id": "{down}"}, before=lambda h: _pushed(h)),
    Way(
        T + "deck/",
        "tables/1/deck",
        {"colour": "blue", "set_number": "2", "why": "fault"},
        {"colour": "blue", "set_number": 2, "why": "fault"},
    ),
    Way(
        T + "incident/",
        "tables/1/incidents",
        {
            "kind": "penalty",
            "player_ids": ["{riku}"],
            "clause": "",
            "other_clause": "H1.48",
            "minutes": "20",
            "text": "",
        },
        {"kind": "penalty", "player_ids": ["{riku}"], "clause": "H1.48", "minutes": 20},
    ),
    Way(T + "clock/", S + "clock", {"seating_id": "{lee}"}, before=lambda h: h.deal()),
    Way(
        T + "clock/{clock}/",
        "tables/1/clock/end",
        {"how": "acted"},
        {"how": "acted", "clock_id": "{clock}"},
        before=lambda h: _clock(h),
    ),
    Way(
        T + "pots/{pot}/pay/",
        "tables/1/pots/{pot}/pay",
        {"player_ids": ["{lee_player}", "{kai_player}"], "cents_{lee_player}": "10", "cents_{kai_player}": "28"},
        {"shares": [{"player_id": "{lee_player}", "cents": 10_00}, {"player_id": "{kai_player}", "cents": 28_00}]},
        before=lambda h: _aside(h),
    ),
    Way(T + "pots/{pot}/back/", "tables/1/pots/{pot}/put-back", before=lambda h: _aside(h)),
    Way("/floor/incidents/{incident}/end/", "incidents/{incident}/end", before=lambda h: _penalty(h)),
    Way(
        "/cage/2/open/",
        "cage/drawers/2/open",
        {"cash": "500", "chips": "0"},
        {"cash_cents": 500_00, "chips_cents": 0},
        "drawer",
        lambda h: h.tap(add_drawer, h.cast.mari, number=2, name="Two"),
    ),
    Way("/cage/day/drawers/", "cage/drawers", {"number": "3", "name": "Three"}, {"number": 3, "name": "Three"}),
    Way(
        "/cage/1/close/",
        "cage/drawers/1/close",
        {"cash": "5000", "chips": "20000", "card_slips": "", "username": ""},
        {"cash_cents": 5_000_00, "chips_cents": 20_000_00},
    ),
    Way(
        "/cage/1/buy-in/",
        "cage/drawers/1/buy-ins",
        {"amount": "50", "method": "cash", "player_id": ""},
        {"amount_cents": 50_00, "method": "cash"},
    ),
    Way(
        "/cage/1/cash-out/",
        "cage/drawers/1/cash-outs",
        {"amount": "50", "method": "cash", "player_id": "{riku}"},
        {"amount_cents": 50_00, "player_id": "{riku}"},
    ),
    Way(
        "/cage/1/deposit/",
        "cage/drawers/1/deposits",
        {"amount": "50", "method": "card", "player_id": "{riku}"},
        {"amount_cents": 50_00, "method": "card", "player_id": "{riku}"},
    ),
    Way(
        "/cage/1/withdraw/",
        "cage/drawers/1/withdrawals",
        {"amount": "50", "player_id": "{riku}"},
        {"amount_cents": 50_00, "player_id": "{riku}"},
        before=lambda h: h.tap(
            deposit, h.cast.mari, drawer_id=h.drawer_id, player_id=h.player("Riku").pk, amount_cents=90_00
        ),
    ),
    Way(
        "/cage/1/take/",
        "cage/slips/{slip}/take-money",
        {"slip_id": "{slip}", "method": "cash"},
        {"drawer_number": 1, "method": "cash"},
        "slip",
        _asked,
    ),
    Way(
        "/cage/1/vault/",
        "cage/drawers/1/fills",
        {"direction": "fill", "what": "cash", "amount": "50", "username": "frans", "pin": "{pin}"},
        {"what": "cash", "amount_cents": 50_00, "second": {"username": "frans", "pin": "{pin}"}},
    ),
    Way(
        "/cage/1/vault/",
        "cage/drawers/1/credits",
        {"direction": "credit", "what": "cash", "amount": "50", "username": "frans", "pin": "{pin}"},
        {"what": "cash", "amount_cents": 50_00, "second": {"username": "frans", "pin": "{pin}"}},
        id="credit",
    ),
    Way(
        "/cage/slips/{slip}/reverse/",
        "cage/slips/{slip}/reverse",
        {"reason": "wrong_amount", "username": "frans", "pin": "{pin}"},
        {"reason": "wrong_amount", "second": {"username": "frans", "pin": "{pin}"}},
        "slip",
        lambda h: h.tap(buy_in, h.cast.mari, drawer_id=h.drawer_id, amount_cents=50_00, method="cash"),
    ),
    Way(
        "/cage/slips/{slip}/printed/",
        "cage/slips/{slip}/printed",
        before=lambda h: h.tap(buy_in, h.cast.mari, drawer_id=h.drawer_id, amount_cents=50_00, method="cash"),
    ),
]
