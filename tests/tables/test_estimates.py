"""How long a place on a list may still take: from the seats that really came free, or not said at all."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.floor.views import render_map
from casino.lobby.views import render_lobby
from casino.waiting.models import WaitingList
from casino.waiting.rules.estimates import MINUTES_MAX, Turnover, Wait, wait_for
from casino.waiting.selectors.lists import lists_by_game
from casino.waiting.services.lists import join_list
from casino.waiting.tasks import wake_measures
from tables.services.opening import close_table
from tables.services.seating import leave_seat
from tests.cast import TONIGHT
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses


@pytest.mark.parametrize(
    ("seats", "minutes", "place", "free", "expected"),
    [
        pytest.param(6, 120, 1, 0, (5, 45), id="the-first-of-a-game-that-loses-three-an-hour"),
        pytest.param(6, 120, 4, 0, (45, 135), id="the-fourth"),
        pytest.param(6, 120, 2, 2, (0, 5), id="a-seat-is-there"),
        pytest.param(3, 180, 5, 0, (170, None), id="beyond-three-hours-nobody-says-how-far"),
        pytest.param(3, 180, 9, 0, (MINUTES_MAX, None), id="far-beyond"),
    ],
)
def test_a_wait_is_a_range_in_steps_of_five_minutes(seats, minutes, place, free, expected):
    least, most = expected
    assert wait_for(Turnover(seats, minutes, TONIGHT), place=place, free=free) == Wait(least, most, TONIGHT)


@pytest.mark.parametrize("counted", [None, Turnover(2, 180, TONIGHT), Turnover(5, 20, TONIGHT)])
def test_too_little_is_no_estimate(counted):
    assert wait_for(counted, place=1) is None


@given(st.integers(3, 60), st.integers(30, 180), st.integers(1, 40))
def test_who_is_further_down_never_waits_less(seats, minutes, place):
    counted = Turnover(seats, minutes, TONIGHT)
    one, next_one = wait_for(counted, place=place), wait_for(counted, place=place + 1)

    assert one is not None
    assert next_one is not None
    assert one.least <= next_one.least
    assert (one.most or MINUTES_MAX) <= (next_one.most or MINUTES_MAX)
    assert one.most is None or one.least < one.most


def leaves(house: House, nickname: str) -> None:
    seating = house.table().seating_set.get(player=house.player(nickname), left_at=None)
    house.tap(leave_seat, table_id=house.table_id(), seating_id=seating.pk, stack_cents=0)


def measured(house: House) -> tuple[int | None, int | None]:
    wake_measures(at=house.at)
    found = WaitingList.objects.get()
    return found.seats_opened, found.measured_minutes


def test_seats_count_that_came_free_and_not_those_that_somebody_only_moved_from(house: House):
    house.open(1, Lee=1, Kai=2, Timo=3, Jo=4)
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Mika").pk)
    house.at += timedelta(minutes=60)
    leaves(house, "Lee")
    leaves(house, "Kai")
    house.seat("Kai", 7)
    leaves(house, "Jo")
    house.at += timedelta(minutes=30)

    assert measured(house) == (2, 90)


def test_seats_of_a_table_that_closes_did_not_come_free(house: House):
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Mika").pk)
    for nickname in ("Lee", "Kai", "Timo"):
        leaves(house, nickname)
    house.tap(close_table, table_id=house.table_id())

    assert measured(house)[0] == 0


def test_the_measure_is_taken_each_five_minutes_and_only_while_somebody_waits(house: House):
    house.open(1, Lee=1, Kai=2)
    wake_measures(at=house.at)
    assert not WaitingList.objects.exists()

    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Mika").pk)
    version = WaitingList.objects.get().version
    wake_measures(at=house.at)
    first = WaitingList.objects.get().measured_at
    wake_measures(at=house.at + timedelta(minutes=4))
    assert WaitingList.objects.get().measured_at == first

    wake_measures(at=house.at + timedelta(minutes=5))
    assert WaitingList.objects.get().measured_at == house.at + timedelta(minutes=5)
    assert WaitingList.objects.get().version == version


def test_screens_show_the_range_with_its_age_or_that_nobody_knows(house: House):
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Mika").pk)
    assert "no estimate" in render_map(room_id=house.room_id)
    assert "no estimate" in render_lobby(room_id=house.room_id)

    # Ten seats, three sit there, so that eight who wait have none.
    WaitingList.objects.update(seats_opened=6, measured_minutes=120, measured_at=house.at)
    wait = lists_by_game(house.room_id)[house.game().name].wait_of_next(free=0)
    assert wait == Wait(20, 75, house.at)
    assert "up to 5 min" in render_map(room_id=house.room_id)
    assert f'data-since="{house.at.isoformat()}"' in render_lobby(room_id=house.room_id)
