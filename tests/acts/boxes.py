"""What is done with boxes, as acts."""

from collections.abc import Callable
from typing import Any

from casino.boxes.models import Box
from casino.boxes.services import judge_count
from tests.boxes.hanging import Hanging
from tests.tables.conftest import House
from tests.tables.evening import Acts


def dropped(house: House) -> Box:
    """Return a rake box that hung at table 1 and was dropped; the log put nothing there."""
    boxes = Hanging(house)
    boxes.hang(7)
    return boxes.drop()


def counted_over(house: House) -> Box:
    """Return one in which more was counted than the log had put there."""
    box = dropped(house)
    Hanging(house).count(box, 3)
    return Box.objects.get(id=box.pk)


def _dropping(house: House) -> Callable[[], Any]:
    Hanging(house).hang(7)
    return lambda: Hanging(house).drop()


def _taking_back(house: House) -> Callable[[], Any]:
    box = Hanging(house).hang(7)
    return lambda: Hanging(house).take_back(box)


def _counting(house: House) -> Callable[[], Any]:
    box = dropped(house)
    return lambda: Hanging(house).count(box, 3)


def _judging(house: House) -> Callable[[], Any]:
    box = counted_over(house)
    return lambda: house.tap(judge_count, box_id=box.pk, version=box.version)


ACTS: Acts = {
    "boxes.hang_box": lambda evening: lambda: Hanging(evening.house).hang(7),
    "boxes.drop_box": lambda evening: _dropping(evening.house),
    "boxes.take_back": lambda evening: _taking_back(evening.house),
    "boxes.count_box": lambda evening: _counting(evening.house),
    "boxes.judge_count": lambda evening: _judging(evening.house),
}
