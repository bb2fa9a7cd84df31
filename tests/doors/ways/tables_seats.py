"""Seats at tables, by both doors."""

from typing import Any

from tables.services.moving import move_player
from tables.services.requests import ask_table_change
from tables.services.seat_change import change_seat
from tables.services.seating import hold_seat, leave_seat
from tests.doors.way import LEE, S, T, Way, at
from tests.tables.conftest import House


def _away(house: House) -> None:
    at(house, hold_seat, is_held=True)


def _left(house: House) -> None:
    at(house, leave_seat, stack_cents=None)


def _moved(house: House) -> None:
    there: dict[str, Any] = {"to_table_id": house.table_id(2), "seat_number": 5, "stack_cents": 200_00}
    at(house, move_player, **there)


WAYS = [
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
    Way(LEE + "long-break/", S + "long-break", {"has_break": "1"}, {"has_break": True}, before=_away),
    Way(LEE + "limit/", S + "limit", {"minutes": 20}, {"minutes": 20}, before=_away),
    Way(LEE + "change/ask/", S + "ask-seat", {"asks": "1", "seat_number": "6"}, {"asks": True, "seat_number": 6}),
    Way(LEE + "change/", S + "change-seat", {"seat_number": 6, "posts": "1"}, {"seat_number": 6, "posts": True}, "lee"),
    Way(LEE + "change/back/", S + "change-seat-back", before=lambda h: at(h, change_seat, seat_number=6)),
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
    Way("/floor/tables/2/seatings/{lee}/move/back/", "tables/2/seatings/{lee}/move-back", before=_moved),
    Way(LEE + "ask/", S + "ask-table", {"table_number": "2"}, {"to_table": 2}),
    Way(
        LEE + "ask/end/",
        S + "ask-table/end",
        {"ends": "withdrawn"},
        {"why": "withdrawn"},
        before=lambda h: at(h, ask_table_change, to_table_id=h.table_id(2)),
    ),
    Way(T + "clock/", S + "clock", {"seating_id": "{lee}"}, before=lambda h: h.deal()),
    Way(
        LEE + "pick-up/",
        S + "pick-up",
        {"stack": "90,50", "username": "frans", "pin": "{pin}"},
        {"stack_cents": 90_50, "second": {"username": "frans", "pin": "{pin}"}},
        before=_away,
    ),
]
