"""Tables, hands and work there, by both doors."""

from typing import Any

from tables.models import DisputedPot, Down, Hand, Incident, PlayerClock, TimeTaken, ToDo
from tables.services.by_time import pay_by_time
from tables.services.clocks import call_clock
from tables.services.closing import announce_last_orbit, prepare_seat_draw
from tables.services.disputes import set_pot_aside
from tables.services.downs import push_dealer
from tables.services.hands import skip_hand
from tables.services.incidents import write_incident
from tables.services.opening import close_table
from tables.services.seating import leave_seat
from tables.services.time_charges import take_time
from tests.acts.tables_books import charge_by_time
from tests.acts.tables_hands import keep_a_tap
from tests.doors.way import NewestOf, T, Way, at
from tests.tables.conftest import House

HAND_ID = "0b9c6c9e-6a0a-4c6e-9d43-0d4b1f2f8a55"
NEWEST: NewestOf = {
    "hand": Hand, "todo": ToDo, "clock": PlayerClock, "pot": DisputedPot, "down": Down, "incident": Incident,
    "time": TimeTaken,
}  # fmt: skip
_FACT = "a fact of the dealer's tablet, whose script queues it and sends it to the API itself: no form is read"
_SETTING_UP = "whoever sets a room up: a program, once"
ONE_DOOR = {
    "tables.deal_hand": _FACT,
    "tables.show_flop": _FACT,
    "tables.settle_hand": _FACT,
    "tables.skip_hand": _FACT,
    "tables.void_hand": _FACT,
    "tables.undo_hand": _FACT,
    "tables.call_floor": _FACT,
    "tables.add_table": _SETTING_UP,
    "tables.offer_games": _SETTING_UP,
}


def _leave_all(house: House) -> None:
    for nickname in ("Lee", "Kai", "Timo", "Mika"):
        at(house, leave_seat, nickname, stack_cents=200_00)


def _empty(house: House) -> None:
    _leave_all(house)
    house.tap(close_table, table_id=house.table_id())


def _missing(house: House) -> None:
    """Of 800 € one is in the rake box, and 790 are counted."""
    for nickname, stack_cents in {"Lee": 200_00, "Kai": 200_00, "Timo": 190_00, "Mika": 200_00}.items():
        at(house, leave_seat, nickname, stack_cents=stack_cents)
    house.tap(close_table, table_id=house.table_id())


def _closing(house: House) -> None:
    house.tap(announce_last_orbit, table_id=house.table_id(), hands=0)


def _pushed(house: House) -> None:
    house.tap(push_dealer, table_id=house.table_id(), dealer_id=house.cast.dan.pk)


def _clock(house: House) -> None:
    house.deal()
    at(house, call_clock)


def _aside(house: House) -> None:
    house.tap(set_pot_aside, table_id=house.table_id(), hand_row_id=Hand.objects.latest("id").pk, cents=38_00)


def _penalty(house: House) -> None:
    arguments: dict[str, Any] = {
        "kind": "penalty",
        "player_ids": [house.player("Riku").pk],
        "clause": "H1.48",
        "minutes": 20,
    }
    house.tap(write_incident, table_id=house.table_id(), **arguments)


def _skipped(house: House) -> None:
    house.tap(skip_hand, house.cast.anna, table_id=house.table_id(), hand=house.logged())


def _drawn(house: House) -> None:
    _closing(house)
    house.tap(prepare_seat_draw, table_id=house.table_id(), seats=[1, 2])


def _paid_by_time(house: House) -> None:
    seatings = list(house.table().seating_set.filter(left_at=None).values_list("id", flat=True))
    house.tap(pay_by_time, table_id=house.table_id(), kind="drop", minutes=60, consents=seatings)


def _timed(house: House) -> None:
    charge_by_time(house)
    table = house.table()
    house.tap(take_time, table_id=table.pk, opening_id=table.opening_id, period=1)


THERE = ("lee", "kai", "timo", "mika")

WAYS = [
    Way(
        T + "count-through/",
        "tables/1/count-through",
        {f"stack_{{{name}}}": "199" for name in THERE},
        {"stacks": [{"seating_id": f"{{{name}}}", "stack_cents": 199_00} for name in THERE]},
        "table",
    ),
    Way(T + "open/", "tables/1/open", {"game_id": "{game}"}, {"game_id": "{game}"}, "table", _empty),
    Way(T + "difference/", "tables/1/difference", {"missing_cents": "900"}, {"missing_cents": 9_00}, before=_missing),
    Way(T + "close/", "tables/1/close", before=_leave_all),
    Way(T + "draw/", "tables/1/draw", {"winner_seat": 2, "seats": [1, 3]}, {"winner_seat": 2, "seats": [1, 2, 3]}),
    Way(T + "button/", "tables/1/button", {"seat_number": 1}, {"seat_number": 1}),
    Way(T + "tips/", "tables/1/tips", {"counted": "12,50"}, {"counted_cents": 12_50}),
    Way(T + "last-orbit/", "tables/1/last-orbit", {"hands": "5"}, {"hands": 5}),
    Way(T + "last-orbit/back/", "tables/1/last-orbit/take-back", before=_closing),
    Way(
        T + "stakes/",
        "tables/1/stakes",
        {"game_id": "{other_game}", "consents": ["{lee}", "{kai}", "{timo}", "{mika}"]},
        {"game_id": "{other_game}", "consents": ["{lee}", "{kai}", "{timo}", "{mika}"]},
        "table",
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
    Way(T + "break/", "tables/1/break", {"down_id": "{down}"}, {"down_id": "{down}"}, before=_pushed),
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
    Way(
        T + "clock/{clock}/",
        "tables/1/clock/end",
        {"how": "acted"},
        {"how": "acted", "clock_id": "{clock}"},
        before=_clock,
    ),
    Way(
        T + "pots/{pot}/pay/",
        "tables/1/pots/{pot}/pay",
        {"player_ids": ["{lee_player}", "{kai_player}"], "cents_{lee_player}": "10", "cents_{kai_player}": "28"},
        {"shares": [{"player_id": "{lee_player}", "cents": 10_00}, {"player_id": "{kai_player}", "cents": 28_00}]},
        before=_aside,
    ),
    Way(T + "pots/{pot}/back/", "tables/1/pots/{pot}/put-back", before=_aside),
    Way("/floor/incidents/{incident}/end/", "incidents/{incident}/end", before=_penalty),
    Way(T + "todo/{todo}/enter/", "tables/1/todos/{todo}/enter", before=keep_a_tap),
    Way(T + "seat-draw/", "tables/1/seat-draw", {"seats": [1, 2]}, {"seats": [1, 2]}, before=_closing),
    Way(T + "seat-draw/cards/", "tables/1/seat-draw/cards", before=_drawn),
    Way(
        T + "time/by-time/",
        "tables/1/time/by-time",
        {"kind": "drop", "minutes": "15", "consents": ["{lee}", "{kai}", "{timo}", "{mika}"]},
        {"kind": "drop", "minutes": 15, "consents": ["{lee}", "{kai}", "{timo}", "{mika}"]},
        "table",
    ),
    Way(T + "time/by-hand/", "tables/1/time/by-hand", version="table", before=_paid_by_time),
    Way(
        T + "time/take/",
        "tables/1/time",
        {"period": "1", "paid_1": "6", "paid_2": "", "paid_3": "5,50"},
        {"period": 1, "paid": [{"seat_number": 1, "cents": 6_00}, {"seat_number": 3, "cents": 5_50}]},
        before=charge_by_time,
    ),
    Way(T + "time/let-go/", "tables/1/time/let-go", {"period": "1"}, {"period": 1}, before=charge_by_time),
    Way(T + "time/{time}/take-back/", "tables/1/time/{time}/take-back", before=_timed),
]
