"""What is done with racks and tips, as acts."""

from collections.abc import Callable
from typing import Any

from casino.cage.services import void_rack_sale
from casino.cage.services.voiding import NEEDS as VOID_NEEDS
from casino.cage.services.voiding import never_sold_signs
from tables.models import Seating, TipReceipt
from tables.services.rack_sales import sell_from_rack
from tables.services.racks import count_rack
from tables.services.setup import add_table
from tables.services.tip_boxes import close_tips, take_back_closed_tips
from tables.services.tips import note_tip_receipt
from tests.cage.filling import Filling
from tests.support.books import fills_in_one_step
from tests.tables.conftest import House
from tests.tables.evening import Acts
from tests.tables.racking import Racking, keeps_racks, opened_with_racks, pieces_of
from tests.tables.tipping import dealt, hand_on, take


def _filled(house: House) -> Racking:
    opened_with_racks(house.room_id)
    racking = Racking(house)
    racking.fill(200)
    return racking


def _filling(house: House) -> Callable[[], Any]:
    opened_with_racks(house.room_id)
    fills_in_one_step(house.room_id)
    return lambda: Racking(house).fill_at_once(200)


def _clearing(house: House) -> Callable[[], Any]:
    racking = _filled(house)
    fills_in_one_step(house.room_id)
    return lambda: racking.clear_at_once(200)


def _selling(house: House) -> Callable[[], Any]:
    seating = sold_from(house)
    arguments: dict[str, Any] = {"table_id": seating.table_id, "seating_id": seating.pk, "amount_cents": 100_00}
    return lambda: house.tap(sell_from_rack, house.cast.anna, **arguments)


def sold_from(house: House) -> Seating:
    """Have table 3 open in a house with cash plays, and chips lie in its rack; return where Aino sits without any."""
    at = house.at
    keeps_racks(house.room_id, sells="true")
    house.tap(add_table, house.cast.mari, number=3)
    house.open(3)
    Racking(house).fill(500, table=3)
    seating = house.seat("Aino", 7, number=3, chips=0)
    house.at = at
    return seating


def never_was(house: House) -> int:
    """Have 100 € be sold that never were, and the rack counted; return the slip's id."""
    seating, at = sold_from(house), house.at
    arguments: dict[str, Any] = {"table_id": seating.table_id, "seating_id": seating.pk, "amount_cents": 100_00}
    slip_id = house.tap(sell_from_rack, house.cast.anna, **arguments).data["slip_id"]
    house.tap(count_rack, table_id=seating.table_id, kind="floor", pieces=pieces_of(500), cash=[])
    house.at = at
    return int(slip_id)


def _never_selling(house: House) -> Callable[[], Any]:
    slip_id, cast = never_was(house), house.cast

    def say() -> Any:
        signing = Filling(cast, at=house.at).signed(cast.frans, cast.mari, VOID_NEEDS, never_sold_signs(slip_id))
        arguments: dict[str, Any] = {"slip_id": slip_id, "reason": "wrong_player", "approved_by_id": cast.mari.pk}
        return void_rack_sale(signing, **arguments)

    return say


def _taking_over(house: House) -> Callable[[], Any]:
    racking = _filled(house)
    down = racking.began(house.cast.dan)
    return lambda: racking.check(down, 195)


def _counting(house: House) -> Callable[[], Any]:
    # By some books they are somebody's.
    dealt(house, (house.cast.dan, 30))
    return lambda: take(house, 15)


def tips_counted(house: House) -> None:
    """Have 15 euros of tips counted that are Dan's, who deals no more."""
    at = house.at
    dealt(house, (house.cast.dan, 30))
    take(house, 15)
    # Whoever goes on with this evening does so in its time.
    house.at = at


def _handing_on(house: House) -> Callable[[], Any]:
    tips_counted(house)
    return lambda: hand_on(house, 15_00)


def pushed_out(house: House) -> int:
    """Have Anna push out where tips are each dealer's own; return her down, whose tips nobody has closed."""
    at = house.at
    opened_with_racks(house.room_id, is_kept="false", tips="per_dealer")
    down = Racking(house).began(house.cast.anna)
    Racking(house).began(house.cast.dan)
    house.at = at
    return down.pk


def _closing(house: House) -> Callable[[], Any]:
    down_id = pushed_out(house)
    return lambda: house.tap(close_tips, house.cast.dan, table_id=house.table_id(), down_id=down_id)


def box_apart(house: House) -> int:
    """Have Anna push out and take her box along; return its id."""
    return int(_closing(house)().data["closed"])


def _counting_apart(house: House) -> Callable[[], Any]:
    closed_id = box_apart(house)
    return lambda: take(house, 15, closed_id=closed_id)


def _taking_back(house: House) -> Callable[[], Any]:
    closed_id = box_apart(house)
    return lambda: house.tap(take_back_closed_tips, house.cast.dan, table_id=house.table_id(), closed_id=closed_id)


def tips_handed_on(house: House) -> None:
    """Have Dan's 15 euros go to payroll: there is a receipt."""
    at = house.at
    tips_counted(house)
    hand_on(house, 15_00)
    house.at = at


def _printing(house: House) -> Callable[[], Any]:
    tips_handed_on(house)
    number = TipReceipt.objects.latest("id").number
    return lambda: house.tap(note_tip_receipt, house.cast.mari, number=number)


ACTS: Acts = {
    "tables.fill_rack": lambda evening: _filling(evening.house),
    "tables.sell_from_rack": lambda evening: _selling(evening.house),
    "cage.void_rack_sale": lambda evening: _never_selling(evening.house),
    "tables.check_rack": lambda evening: _taking_over(evening.house),
    "tables.count_rack": lambda evening: lambda: _filled(evening.house).count(195),
    "tables.close_tips": lambda evening: _closing(evening.house),
    "tables.take_back_closed_tips": lambda evening: _taking_back(evening.house),
    "tables.take_closed_tips": lambda evening: _counting_apart(evening.house),
    "tables.note_tip_receipt": lambda evening: _printing(evening.house),
    "tables.take_tips": lambda evening: _counting(evening.house),
    "tables.hand_tips_on": lambda evening: _handing_on(evening.house),
    "tables.close_rack": lambda evening: lambda: _filled(evening.house).close(200),
    "tables.clear_rack": lambda evening: _clearing(evening.house),
}

# The office's alone: no screen of the floor shows it.
QUIET = {"tables.hand_tips_on", "tables.note_tip_receipt"}
