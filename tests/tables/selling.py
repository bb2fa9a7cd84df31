"""A table that sells chips out of its rack, and what is done with them and their cash."""

from typing import Any

import pytest

from casino import clock
from casino.cage import services
from casino.cage.models import Slip
from casino.cage.models_fills import FillSlip
from casino.ledger.proof import problems
from casino.people.models import Staff
from tables.models import RackCheck, Seating
from tables.services import racks
from tables.services.rack_sales import sell_from_rack
from tests.cage.counting import pieces
from tests.cage.filling import Filling
from tests.reports.packing import ends
from tests.tables.conftest import House
from tests.tables.racking import Racking, by_slip, pieces_of
from tests.taps import at_desktop


@pytest.fixture
def racking(house: House) -> Racking:
    """Return a table that sells, with 500 € in its rack; Lee sits there with 200 €, Mika without chips, Anna deals."""
    racking = Racking(house)

    def begun() -> None:
        racking.begin(500, sells="true")
        racking.push(house.cast.anna)
        house.seat("Mika", 5, chips=0)

    house.begins(("sells",), begun)
    return racking


def sells(house: House, euros: int = 100, nickname: str = "Mika", **more: Any) -> Slip:
    seating = Seating.objects.get(player__nickname=nickname, left_at=None)
    arguments: dict[str, Any] = {"table_id": seating.table_id, "seating_id": seating.pk, "amount_cents": euros * 100}
    arguments |= {"stack": seating.chips_in_cents or None} | more
    return Slip.objects.get(id=house.tap(sell_from_rack, house.cast.anna, **arguments).data["slip_id"])


def lies(house: House) -> tuple[int, int]:
    """Return what chips and what cash the log has in the rack."""
    figures = house.figures()
    return figures["float"], figures["rack_cash"]


def counted(house: House, chips: int, cash: int) -> RackCheck:
    arguments: dict[str, Any] = {"kind": "floor", "pieces": pieces_of(chips), "cash": pieces(cash * 100)}
    return RackCheck.objects.get(id=house.tap(racks.count_rack, table_id=house.table_id(), **arguments).data["check"])


def closed(house: House, chips: int, cash: int) -> RackCheck:
    """Have two count so much in the rack at its closing, in euros; it stays."""
    return _by_two(house, racks.close_rack, racks.close_signs, chips, cash)


def cleared(house: House, chips: int, cash: int) -> RackCheck:
    """Have two count so much at its closing, and bring it to the vault as the book has it; euros."""
    if Racking(house).is_one_step:
        return _by_two(house, racks.clear_rack, racks.clear_signs, chips, cash)
    check = closed(house, chips, cash)
    by_slip(house, "credit", chips * 100, cash * 100)
    return check


def _by_two(house: House, work: Any, signs: Any, chips: int, cash: int) -> RackCheck:
    signed, mari = signs(house.table_id(), chips * 100, cash * 100), house.cast.mari
    signing = Filling(house.cast, at=house.at).signed(house.cast.frans, mari, racks.NEEDS, signed)
    arguments: dict[str, Any] = {"pieces": pieces_of(chips), "cash": pieces(cash * 100)}
    done = work(signing, table_id=house.table_id(), approved_by_id=mari.pk, **arguments)
    return RackCheck.objects.get(id=done.data["check"])


def carried(house: House, cash: int = 100_00) -> FillSlip:
    """Have a runner get cash out of the rack by a credit slip."""
    filling = Filling(house.cast, at=house.at)
    return filling.sends(filling.authorised(cash, 0, kind="credit", at=("table", 1)), cash, 0, by=house.cast.frans)


def ends_day(house: House) -> None:
    """Have everybody leave, and the drawer and the day be closed."""
    ends(house)
    house.close_drawer()
    with clock.frozen(house.at):
        house.close_day()


def reverses(house: House, slip: Slip) -> Slip:
    frans = house.cast.frans
    signing = Filling(house.cast, at=house.at).signed(
        house.cast.carla, frans, "cage.approve_reversal", f"slip.{slip.pk}"
    )
    services.reverse_slip(signing, slip_id=slip.pk, reason="wrong_amount", approved_by_id=frans.pk)
    slip.refresh_from_db()
    return slip


def shown(house: House, page: str, *, by: Staff | None = None) -> str:
    return at_desktop(by or house.cast.frans).get(page).content.decode()


def proved(house: House) -> list[str]:
    return [each.detail for each in problems(house.room_id)]
