"""What is done with racks, as acts."""

from collections.abc import Callable
from typing import Any

from tests.tables.conftest import House
from tests.tables.evening import Acts
from tests.tables.racking import Racking, keeps_racks


def _filled(house: House) -> Racking:
    keeps_racks(house)
    racking = Racking(house)
    racking.fill(200)
    return racking


def _filling(house: House) -> Callable[[], Any]:
    keeps_racks(house)
    return lambda: Racking(house).fill(200)


def _taking_over(house: House) -> Callable[[], Any]:
    racking = _filled(house)
    down = racking.began(house.cast.dan)
    return lambda: racking.check(down, 195)


ACTS: Acts = {
    "tables.fill_rack": lambda evening: _filling(evening.house),
    "tables.check_rack": lambda evening: _taking_over(evening.house),
    "tables.count_rack": lambda evening: lambda: _filled(evening.house).count(195),
    "tables.clear_rack": lambda evening: lambda: _filled(evening.house).clear(200),
}
