"""Real threads: a day that closes as counted while a box of it is taken back, and while another two close it too."""

from contextlib import nullcontext

import pytest

from casino.audit.models import Event
from casino.boxes.errors import BoxOnReport
from casino.boxes.models import Box
from casino.boxes.services import take_back
from casino.cage.services import close_day
from casino.errors import Stale
from casino.ledger.proof import problems
from casino.rooms.models import GamingDay
from tables.models import Incident
from tables.services.incidents import write_incident
from tests.boxes.hanging import Hanging
from tests.cage.bad_night import BadNight, all_go, bad_night
from tests.cage.counting import carried
from tests.cast import command
from tests.jackpot.beats import SEVEN
from tests.support.locks import at_once, codes, meet, without_lock
from tests.tables.conftest import House, make_house


@pytest.fixture
def house(committing_db: object) -> House:
    return make_house()


@pytest.mark.parametrize("is_carried_first", [True, False])
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_what_fell_in_no_box_is_carried_or_taken_back_and_never_both(
    house: House, monkeypatch: pytest.MonkeyPatch, is_carried_first: bool, is_locked: bool
) -> None:
    boxes = Hanging(house)
    house.open(1, **SEVEN)
    boxes.hang(7)
    for _ in range(2):
        house.settle(60_00, winners=(2,), dealt_in=tuple(SEVEN.values()))
        if boxes.hangs():
            boxes.count(boxes.drop(), 3)
    loose = boxes.drop()
    all_go(house)
    house.close_drawer()
    house.close_day()
    night = BadNight(house, Box(), loose, GamingDay.objects.get().pk)

    def closes() -> None:
        night.close_counts(carrying=[carried(f"box.{loose.pk}", "under_seal")])

    def takes_back() -> None:
        take_back(command(house.cast.frans, at=house.at), box_id=loose.pk, version=loose.version)

    if not is_locked:
        without_lock(monkeypatch, Box)

    with pytest.raises(BoxOnReport if is_carried_first else Stale) if is_locked else nullcontext():
        meet(*((closes, takes_back) if is_carried_first else (takes_back, closes)), waits=is_locked)

    loose.refresh_from_db()
    is_carried, is_taken_back = night.day.stage == "counted", loose.taken_back_at is not None
    assert (is_carried, is_taken_back) == ((is_carried_first, not is_carried_first) if is_locked else (True, True))
    assert [each.detail for each in problems(house.room_id)] == []


def test_a_day_closes_in_each_stage_once_however_many_try(house: House) -> None:
    night = bad_night(house)
    carries = [carried("doubt.1"), carried("in_play.1")]
    closed = at_once(2, lambda index: close_day(command(house.cast.mari, at=house.at), carrying=carries))
    assert sorted(codes(closed)) == ["done", "no_open_day"]

    carrying = [carried(f"box.{night.waits.pk}", "under_seal")]
    answers = at_once(2, lambda index: night.close_counts(carrying=carrying))

    assert sorted(codes(answers)) == ["counts_are_closed", "done"]
    assert [each.detail for each in problems(house.room_id)] == []


@pytest.mark.slow
def test_without_the_days_lock_it_would_close_twice(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.close_drawer()
    without_lock(monkeypatch, GamingDay)
    # Another seed of a closed day the database itself refuses.
    monkeypatch.setattr("casino.cage.services.days.new_seed", lambda: "0" * 64)

    meet(*[lambda: close_day(command(house.cast.mari, at=house.at))] * 2)

    assert Event.objects.filter(name="cage.close_day", result="done").count() == 2


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_an_incident_is_of_no_day_whose_closing_stands_before_it_in_the_log(
    house: House, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    house.close_drawer()
    if not is_locked:
        without_lock(monkeypatch, GamingDay)

    meet(
        lambda: close_day(command(house.cast.mari, at=house.at)),
        lambda: write_incident(command(house.cast.frans, at=house.at), kind="ruling"),
        waits=is_locked,
    )

    incident = Incident.objects.get()
    assert (incident.day is None) == is_locked
    assert list(Event.objects.order_by("-id").values_list("name", flat=True)[:2]) == [
        "tables.write_incident", "cage.close_day",
    ]  # fmt: skip
