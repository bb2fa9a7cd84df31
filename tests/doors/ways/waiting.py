"""Waiting lists, by both doors."""

from casino.waiting.models import Waiting
from casino.waiting.services import lists as waiting
from tables.services.closing import announce_last_orbit
from tests.doors.way import LEE, Finders, S, T, Way
from tests.tables.conftest import House

W, ENTRY = "waiting/{waiting}/", "/floor/waiting/{waiting}/"


def _first() -> Waiting:
    return Waiting.objects.earliest("id")


NAMES: Finders = {
    "waiting": lambda house: _first().pk,
    "waiting_version": lambda house: _first().version,
    "list_version": lambda house: _first().waiting_list.version,
}


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


def _struck(house: House) -> None:
    _waits(house)
    house.tap(waiting.strike, waiting_id=_waiting(), version=Waiting.objects.get(id=_waiting()).version)


def _closing(house: House) -> None:
    house.tap(announce_last_orbit, table_id=house.table_id(), hands=0)


WAYS = [
    Way(LEE + "wait/", S + "wait", {"stack": "200"}, {"stack_cents": 200_00}, before=_closing),
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
    Way(ENTRY + "strike/back/", W + "take-back-strike", version="waiting", before=_struck),
    Way(ENTRY + "drop/", W + "drop-out", before=_waits),
    Way(ENTRY + "more/", W + "more-time", before=_called),
    Way(ENTRY + "more/no/", W + "no-more-time", before=_asks_more),
    Way(ENTRY + "chips/", W + "fetch-chips", before=_called),
    Way(ENTRY + "check-in/", W + "check-in", before=_waits),
    Way(
        ENTRY + "move/", W + "move", {"before": "", "reason": "wrong_order"}, {"reason": "wrong_order"}, "list", _waits
    ),
    Way(
        T + "seats/7/",
        "tables/1/seats/7",
        {"player_id": "{aino}", "overrule": "peace"},
        {"player_id": "{aino}", "overrule": "peace"},
        before=_waits,
        id="an overrule",
    ),
]
