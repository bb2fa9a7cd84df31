"""A time charge that nobody took is on the floor's to-do, one tap from its sheet."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.ledger.templatetags.money import money
from casino.live.areas import TODO
from casino.live.todo import ToDoLine
from casino.patience import TIME_CHARGE_TAKES
from casino.reading import reading_once
from tables.selectors.floor_table import floor_table
from tables.services.opening import open_table
from tables.services.seating import leave_seat
from tables.services.stakes import change_stakes
from tables.services.time_charges import let_time_go, take_back_time
from tests.tables.conftest import House
from tests.tables.test_time_charges import Timed

pytestmark = pytest.mark.two_houses


@pytest.fixture
def timed(house: House) -> Timed:
    return Timed(house)


def time_lines(timed: Timed) -> list[ToDoLine]:
    """Return the lines about time, which the map and the table's own page show alike."""
    on_map = [line for line in TODO.gather(room_id=timed.house.room_id) if line.key.startswith("time.")]
    of_table = [line for line in floor_table(timed.house.room_id, timed.table).todo if line.key.startswith("time.")]
    assert on_map == of_table
    return on_map


@pytest.mark.rule("H1.91", "L-P21")
def test_a_period_that_nobody_took_is_the_floors_after_some_minutes(timed):
    assert time_lines(timed) == []
    began = timed.house.settle(40_00).dealt_at

    (line,) = time_lines(timed)

    assert (line.where, line.at, line.shown_from) == ("Table 1", began, began + TIME_CHARGE_TAKES)
    assert line.text == "Period 1 of the time charge is not taken"
    assert money(18_00, timed.house.cast.room) in line.reason
    assert (line.how, line.address) == ("sheet", "/floor/tables/1/time/sheet/")


def test_the_next_one_follows_when_it_was_taken_or_let_go_and_comes_back_when_that_is_taken_back(timed):
    began = timed.house.settle(40_00).dealt_at
    taken = timed.take().data["time"]

    (line,) = time_lines(timed)
    assert (line.key.endswith(".2"), line.shown_from) == (True, began + timedelta(minutes=30) + TIME_CHARGE_TAKES)
    timed.later(minutes=31)
    timed.house.tap(let_time_go, table_id=timed.table.pk, period=2)
    assert time_lines(timed)[0].key.endswith(".3")
    timed.house.tap(take_back_time, table_id=timed.table.pk, time_id=taken)
    assert time_lines(timed)[0].at == began


def test_after_other_stakes_it_falls_due_when_what_was_paid_is_over(timed):
    began = timed.house.settle(40_00).dealt_at
    timed.take()
    seatings = list(timed.table.seating_set.filter(left_at=None).values_list("id", flat=True))
    game = timed.house.game("No limit hold'em 5/5")
    timed.house.tap(change_stakes, table_id=timed.table.pk, game_id=game.pk, consents=seatings)
    assert time_lines(timed) == []

    timed.house.settle(40_00)

    assert time_lines(timed)[0].at == began + timedelta(minutes=30)


def test_where_nobody_sits_any_more_nobody_is_asked(timed):
    timed.house.settle(40_00)
    for seating in timed.table.seating_set.filter(left_at=None):
        timed.house.tap(leave_seat, table_id=timed.table.pk, seating_id=seating.pk, stack_cents=200_00)

    assert time_lines(timed) == []


def test_two_queries_however_many_tables_charge_by_the_time(timed):
    house = timed.house
    house.settle(40_00)
    with reading_once(), CaptureQueriesContext(connection) as one:
        TODO.gather(room_id=house.room_id)
    house.tap(open_table, table_id=house.table_id(2), game_id=house.game().pk)
    for seat, nickname in enumerate(("Mika", "Pekka"), 1):
        house.seat(nickname, seat, number=2)
    house.settle(40_00, number=2)

    with reading_once(), CaptureQueriesContext(connection) as two:
        assert len([line for line in TODO.gather(room_id=house.room_id) if line.key.startswith("time.")]) == 2
    assert len(two) == len(one)
