"""What time does while a step is taken is nobody's doing: workers wake when they will, clocks are set back."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from casino.simulation.broken import Broken
from casino.simulation.checks import Books
from casino.simulation.front_door import Device, Tally
from casino.simulation.instance import OwnInstance
from casino.simulation.night import Night

DEVICE: Any = SimpleNamespace(name="cage 1")


class Rows:
    """Of the books what a refusal is held against: each asking finds the next state, and the newest event by time."""

    def __init__(self, *answers: tuple[str, int]) -> None:
        self._states, self._by_time = [each for each, _ in answers], [each for _, each in answers]

    def state(self) -> str:
        return self._states.pop(0)

    def newest_by_time(self) -> int:
        return self._by_time.pop(0)


def answered(code: str) -> Any:
    return SimpleNamespace(code=code, status=422 if code else 200, text="", is_done=not code)


def refused(
    *answers: tuple[str, int], anew: str = "same_person", device: Device = DEVICE, tally: Tally | None = None
) -> str:
    night: Any = SimpleNamespace(books=Rows(*answers), tally=tally or Tally())
    night.tap = lambda *args, **more: answered("same_person")
    night.tap_anew = lambda *args, **more: answered(anew)
    return Night.refused(night, device, "/api/v1/boxes/2/count", code="same_person")


def test_a_refusal_that_changes_something_is_found():
    with pytest.raises(Broken, match="a refusal changes nothing"):
        refused(("before", 0), ("after", 0))


def test_beside_what_time_changed_a_refusal_is_asked_for_anew():
    assert refused(("before", 7), ("called out", 8), ("called out", 8), ("called out", 8)) == "same_person"


def test_a_change_of_the_refusals_own_beside_what_time_changed_is_found():
    with pytest.raises(Broken, match="a refusal changes nothing"):
        refused(("before", 7), ("after", 8), ("after", 8), ("after that", 8))


def test_what_time_has_made_another_refusal_of_is_one_and_what_it_allows_is_none():
    answers = ("before", 7), ("called out", 8), ("called out", 8), ("called out", 8)

    assert refused(*answers, anew="stale") == "same_person"
    with pytest.raises(Broken, match="refused with same_person"):
        refused(*answers, anew="")


def test_where_time_goes_on_and_on_it_is_not_asked_for_ever():
    answers, tally = [(f"{moment}", moment) for moment in range(20)], Tally()

    assert refused(*answers, tally=tally) == "same_person"
    assert tally.disturbed == {"same_person": 1}


def test_what_was_asked_for_undisturbed_at_last_is_not_counted_as_disturbed():
    tally = Tally()

    refused(("before", 7), ("called out", 8), ("called out", 8), ("called out", 8), tally=tally)

    assert not tally.disturbed


def test_a_call_that_ran_out_before_the_clock_was_set_back_has_run_out():
    instance: Any = SimpleNamespace(_anchor=datetime(2026, 11, 20, 18, tzinfo=UTC), _held_at=0.0, speed=60.0)
    instance.now, instance._set_clock = lambda: instance._anchor, lambda moment: setattr(instance, "_anchor", moment)
    books: Any = SimpleNamespace(_latest=datetime.min.replace(tzinfo=UTC))
    books.clock_was = lambda moment: Books.clock_was(books, moment)
    night: Any = SimpleNamespace(instance=instance, books=books)
    instance.jump = lambda by: OwnInstance.jump(instance, by)

    Night.set_clock(night, timedelta(minutes=-12))

    assert instance._anchor == datetime(2026, 11, 20, 17, 48, tzinfo=UTC)
    assert books._latest >= datetime(2026, 11, 20, 18, tzinfo=UTC)
