"""Racks and tips, by both doors."""

from tables.models import ClosedTips, Down, TipReceipt
from tests.acts.tables_racks import box_apart, never_was, pushed_out, sold_from, tips_counted, tips_handed_on
from tests.doors.way import Finders, T, Way
from tests.support.books import fills_in_one_step
from tests.tables.conftest import House
from tests.tables.racking import Racking, opened_with_racks

_FACT = "a fact of the dealer's tablet, whose script queues it and sends it to the API itself: no form is read"
ONE_DOOR = {
    "tables.check_rack": _FACT,
}


def _kept(house: House) -> None:
    opened_with_racks(house.room_id)
    fills_in_one_step(house.room_id)


def _filled(house: House) -> None:
    opened_with_racks(house.room_id)
    Racking(house).fill(200)


def _filled_at_once(house: House) -> None:
    _filled(house)
    fills_in_one_step(house.room_id)


def _counted(house: House) -> None:
    _filled(house)
    Racking(house).count(200)


PIECES = {"pieces_2500": "8", "pieces_100": ""}
COUNTED = [{"value_cents": 25_00, "count": 8}]
SIGNED = {"username": "frans", "pin": "{pin}"}
WAYS = [
    Way(T + "rack/fill/", "tables/1/rack/fill", PIECES | SIGNED, {"pieces": COUNTED, "second": SIGNED}, before=_kept),
    Way(T + "rack/count/", "tables/1/rack/count", PIECES, {"pieces": COUNTED}, before=_filled),
    Way(
        T + "rack/count/",
        "tables/1/rack/count",
        {"kind": "opening", "as_left": "yes"},
        {"kind": "opening", "pieces": None},
        before=_counted,
        id="as its closing count left it",
    ),
    Way(
        T + "rack/count/",
        "tables/1/rack/count",
        {"is_empty": "100", "kind": "opening"},
        {"pieces": [{"value_cents": 1_00, "count": 0}], "kind": "opening"},
        id="empty",
    ),
    Way(
        T + "rack/close/",
        "tables/1/rack/close",
        PIECES | SIGNED,
        {"pieces": COUNTED, "second": SIGNED},
        before=_filled,
    ),
    Way(
        T + "rack/clear/",
        "tables/1/rack/clear",
        PIECES | SIGNED,
        {"pieces": COUNTED, "second": SIGNED},
        before=_filled_at_once,
    ),
    Way(
        T + "rack/clear/",
        "tables/1/rack/clear",
        PIECES | SIGNED | {"cash_10000": "2"},
        {"pieces": COUNTED, "cash": [{"value_cents": 100_00, "count": 2}], "second": SIGNED},
        before=_filled_at_once,
        id="cash",
    ),
    Way(
        "/floor/tables/3/seatings/{sold_to}/sell/",
        "tables/3/seatings/{sold_to}/sell",
        {"amount": "100"},
        {"amount_cents": 100_00},
        before=sold_from,
    ),
    Way(
        "/floor/tables/3/rack/sales/{slip}/never-sold/",
        "cage/slips/{slip}/never-sold",
        {"reason": "wrong_player"} | SIGNED,
        {"reason": "wrong_player", "second": SIGNED},
        before=never_was,
    ),
    Way(
        "/cage/slips/{slip}/never-sold/",
        "cage/slips/{slip}/never-sold",
        {"reason": "wrong_amount"} | SIGNED,
        {"reason": "wrong_amount", "second": SIGNED},
        before=never_was,
        id="at the cage",
    ),
    Way(T + "tips/take/", "tables/1/tips/take", PIECES | SIGNED, {"pieces": COUNTED, "second": SIGNED}),
    Way(
        "/tips/payroll/",
        "tips/hand-on",
        {"day": "2026-11-20", "amount": "15", **SIGNED},
        {"day": "2026-11-20", "cents": 15_00, "second": SIGNED},
        before=tips_counted,
    ),
    Way(
        T + "tips/close/",
        "tables/1/tips/close",
        {"down_id": "{pushed_out}"},
        {"down_id": "{pushed_out}"},
        before=pushed_out,
    ),
    Way(
        T + "tips/closed/{tip_box}/take/",
        "tables/1/tips/closed/{tip_box}/take",
        PIECES | SIGNED,
        {"pieces": COUNTED, "second": SIGNED},
        before=box_apart,
    ),
    Way(T + "tips/closed/{tip_box}/back/", "tables/1/tips/closed/{tip_box}/back", before=box_apart),
    Way(
        "/tables/mine/tips/closed/{tip_box}/back/",
        "tables/1/tips/closed/{tip_box}/back",
        before=box_apart,
        id="by who said it",
    ),
    Way("/tips/receipts/{tip_receipt}/printed/", "tips/receipts/{tip_receipt}/printed", before=tips_handed_on),
]
# Who sits where chips are sold out of the rack, the receipt of the newest share, the down of who has pushed out, and
# the box that they took along.
NAMES: Finders = {
    "sold_to": lambda house: house.table(3).seating_set.latest("id").pk,
    "tip_box": lambda house: ClosedTips.objects.latest("id").pk,
    "tip_receipt": lambda house: TipReceipt.objects.latest("id").number,
    "pushed_out": lambda house: Down.objects.filter(dealer_id=house.cast.anna.pk).latest("id").pk,
}
