"""Tips for tests: a box counted by two, a day's tips handed on, and dealers who deal for so long."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from casino.commands.carrying_out import Answer
from casino.people.models import Staff
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day
from tables.services import tips
from tables.services.downs import end_down
from tests.cage.counting import signed
from tests.tables.conftest import House
from tests.tables.racking import Racking, pieces_of


def take(house: House, euros: int, dealer: Staff | None = None, *, closed_id: int | None = None) -> Answer:
    """Have the floor count a tip box with the manager: the one that hangs there, or one that a dealer has closed."""
    return taking(house, euros, dealer, closed_id=closed_id)()


def taking(
    house: House, euros: int, dealer: Staff | None = None, *, closed_id: int | None = None
) -> Callable[[], Answer]:
    """Return such a count, signed and ready to be sent."""
    house.at += timedelta(seconds=1)
    pieces, table_id, second = pieces_of(euros), house.table_id(), house.cast.mari
    signs = tips.take_signs(table_id, euros * 100)
    signing = signed(house.cast.frans, second, signs, needs=tips.NEEDS, at=house.at)
    arguments: dict[str, Any] = {"table_id": table_id, "pieces": pieces, "approved_by_id": second.pk}
    arguments["dealer_id"] = dealer.pk if dealer else None
    if closed_id is not None:
        return partial(tips.take_closed_tips, signing, closed_id=closed_id, **arguments)
    return partial(tips.take_tips, signing, **arguments)


def hand_on(house: House, cents: int, day: GamingDay | None = None) -> Answer:
    """Have the manager hand a day's tips on, the open one's unless another is named, with the floor."""
    return handing_on(house, cents, day)()


def handing_on(house: House, cents: int, day: GamingDay | None = None) -> Callable[[], Answer]:
    """Return such a payroll, signed and ready to be sent."""
    house.at += timedelta(seconds=1)
    of = day or open_day(house.room_id)
    assert of is not None
    on = of.date.isoformat()
    signs = tips.payroll_signs(on, cents)
    signing = signed(house.cast.mari, house.cast.frans, signs, needs=tips.NEEDS_PAYROLL, at=house.at)
    return partial(tips.hand_tips_on, signing, day=on, cents=cents, approved_by_id=house.cast.frans.pk)


def dealt(house: House, *minutes: tuple[Staff, int]) -> None:
    """Have dealers deal at table 1, one after the other, for so many minutes each; then nobody does."""
    racking, down = Racking(house), None
    for dealer, each in minutes:
        down = racking.began(dealer)
        house.at += timedelta(minutes=each - 30) if dealer is not minutes[-1][0] else timedelta(minutes=each)
    assert down is not None
    house.tap(end_down, table_id=house.table_id(), down_id=down.pk)
