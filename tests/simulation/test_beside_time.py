"""What time does while a step is taken is nobody's doing: workers wake when they will, clocks are set back."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from casino.simulation.broken import Broken
from casino.simulation.checks import Books
from casino.simulation.front_door import Device
from casino.simulation.house import OwnHouse
from casino.simulation.night import Night

DEVICE: Any = SimpleNamespace(name="cage 1")


class Rows:
    """Of the books what a refusal is held against: each asking of the state finds the next."""

    def __init__(self, *states: str, by_time: tuple[int, int] = (0, 0)) -> None:
        self._states, self._by_time = list(states), list(by_time)

    def state(self) -> str:
        return self._states.pop(0)

    def newest_by_time(self) -> int:
        return self._by_time.pop(0)


def refused(books: Rows, device: Device = DEVICE) -> str:
    answer = SimpleNamespace(code="same_person", status=422, text="")
    night: Any = SimpleNamespace(books=books, tap=lambda *args, **more: answer)
    return Night.refused(night, device, "/api/v1/boxes/2/count", code="same_person")


def test_a_refusal_that_changes_something_is_found():
    with pytest.raises(Broken, match="a refusal changes nothing"):
        refused(Rows("before", "after"))


def test_what_time_changed_meanwhile_is_not_the_refusals():
    assert refused(Rows("before", "after", by_time=(7, 8))) == "same_person"


def test_a_call_that_ran_out_before_the_clock_was_set_back_has_run_out():
    house: Any = SimpleNamespace(_anchor=datetime(2026, 11, 20, 18, tzinfo=UTC), _held_at=0.0, speed=60.0)
    house.now, house._set_clock = lambda: house._anchor, lambda moment: setattr(house, "_anchor", moment)
    books: Any = SimpleNamespace(_latest=datetime.min.replace(tzinfo=UTC))
    books.clock_was = lambda moment: Books.clock_was(books, moment)
    night: Any = SimpleNamespace(house=house, books=books)
    house.jump = lambda by: OwnHouse.jump(house, by)

    Night.set_clock(night, timedelta(minutes=-12))

    assert house._anchor == datetime(2026, 11, 20, 17, 48, tzinfo=UTC)
    assert books._latest >= datetime(2026, 11, 20, 18, tzinfo=UTC)
