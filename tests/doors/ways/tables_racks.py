"""Racks and tips, by both doors."""

from tests.acts.tables_racks import tips_counted
from tests.doors.way import T, Way
from tests.tables.conftest import House
from tests.tables.racking import Racking, keeps_racks

_FACT = "a fact of the dealer's tablet, whose script queues it and sends it to the API itself: no form is read"
ONE_DOOR = {
    "tables.check_rack": _FACT,
}


def _kept(house: House) -> None:
    keeps_racks(house.room_id)


def _filled(house: House) -> None:
    keeps_racks(house.room_id)
    Racking(house).fill(200)


PIECES = {"pieces_2500": "8", "pieces_100": ""}
TOLD = [{"value_cents": 25_00, "count": 8}]
SIGNED = {"username": "frans", "pin": "{pin}"}
WAYS = [
    Way(T + "rack/fill/", "tables/1/rack/fill", PIECES | SIGNED, {"pieces": TOLD, "second": SIGNED}, before=_kept),
    Way(T + "rack/count/", "tables/1/rack/count", PIECES, {"pieces": TOLD}, before=_filled),
    Way(
        T + "rack/count/",
        "tables/1/rack/count",
        {"is_empty": "100", "kind": "opening"},
        {"pieces": [{"value_cents": 1_00, "count": 0}], "kind": "opening"},
        id="empty",
    ),
    Way(T + "rack/clear/", "tables/1/rack/clear", PIECES | SIGNED, {"pieces": TOLD, "second": SIGNED}, before=_filled),
    Way(T + "tips/take/", "tables/1/tips/take", PIECES | SIGNED, {"pieces": TOLD, "second": SIGNED}),
    Way(
        "/tips/payroll/",
        "tips/hand-on",
        {"day": "2026-11-20", "amount": "15", **SIGNED},
        {"day": "2026-11-20", "cents": 15_00, "second": SIGNED},
        before=tips_counted,
    ),
]
