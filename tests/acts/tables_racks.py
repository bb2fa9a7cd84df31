"""What is done with racks and tips, as acts."""

from collections.abc import Callable
from typing import Any

from tests.tables.conftest import House
from tests.tables.evening import Acts
from tests.tables.racking import Racking, keeps_racks
from tests.tables.tipping import dealt, hand_on, take


def _filled(house: House) -> Racking:
    keeps_racks(house.room_id)
    racking = Racking(house)
    racking.fill(200)
    return racking


def _filling(house: House) -> Callable[[], Any]:
    keeps_racks(house.room_id)
    return lambda: Racking(house).fill(200)


def _taking_over(house: House) -> Callable[[], Any]:
    racking = _filled(house)
    down = racking.began(house.cast.dan)
    return lambda: racking.check(down, 195)


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


ACTS: Acts = {
    "tables.fill_rack": lambda evening: _filling(evening.house),
    "tables.check_rack": lambda evening: _taking_over(evening.house),
    "tables.count_rack": lambda evening: lambda: _filled(evening.house).count(195),
    "tables.take_tips": lambda evening: lambda: take(evening.house, 15),
    "tables.hand_tips_on": lambda evening: _handing_on(evening.house),
    "tables.clear_rack": lambda evening: lambda: _filled(evening.house).clear(200),
}

# The office's alone: no screen of the floor shows it.
QUIET = {"tables.hand_tips_on"}
