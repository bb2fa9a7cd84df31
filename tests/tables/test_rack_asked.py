"""A rack that is counted blind does not say by what it refuses to sell how many chips lie there."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tables.errors_racks import RackShort, RackShortUnseen
from tables.models import Down, ToDo
from tables.selectors.floor import todo_of_room
from tables.services.racks import check_rack
from tests.cast import command
from tests.tables.conftest import House
from tests.tables.racking import Racking, pieces_of
from tests.tables.selling import counted, sells

pytestmark = pytest.mark.two_houses


@pytest.fixture
def racking(house: House) -> Racking:
    """Return a table that sells, with 40 € in its rack; Mika sits there without chips, and Anna deals."""
    racking = Racking(house)
    racking.begin(40, sells="true")
    racking.push(house.cast.anna)
    house.seat("Mika", 5, chips=0)
    return racking


def asks(house: House, *sums: int) -> None:
    for euros in sums:
        with pytest.raises(RackShortUnseen):
            sells(house, euros)


def todo_lines(house: House) -> list[str]:
    return [line.text for line in todo_of_room(house.room_id) if "asked for more" in line.text]


def test_who_may_not_know_what_lies_there_hears_no_bound() -> None:
    assert isinstance(RackShort().for_reader({"tables.sell_from_rack"}), RackShortUnseen)
    assert isinstance(RackShort().for_reader({"tables.sell_from_rack", "read.racks"}), RackShort)


def test_the_third_refused_sale_since_the_last_count_is_the_floors_until_it_is_counted(racking: Racking) -> None:
    house = racking.house
    asks(house, 200, 150)
    counted(house, 40, 0)
    asks(house, 200, 150)
    assert todo_lines(house) == []

    asks(house, 100, 120)

    assert len(todo_lines(house)) == 1
    # At the push it is no more as it was left.
    assert racking.push(house.cast.dan).counts_rack
    assert ToDo.objects.get(done_at=None, data__has_key="asked").data == {"asked": 3}
    counted(house, 40, 0)
    assert todo_lines(house) == []


def test_as_left_said_of_a_rack_that_was_counted_is_no_count(racking: Racking) -> None:
    house, down = racking.house, Down.objects.get(ended_at=None)

    def says(**arguments: Any) -> None:
        house.tap(check_rack, by=house.cast.anna, table_id=house.table_id(), down_id=down.pk, **arguments)

    says(pieces=pieces_of(40))
    asks(house, 200, 150)
    says()

    asks(house, 100)

    assert len(todo_lines(house)) == 1


def test_since_the_last_count_is_told_by_the_log_and_a_count_of_before_is_none(racking: Racking) -> None:
    house = racking.house
    down = Down.objects.get(ended_at=None)
    counted(house, 40, 0)
    seen = house.at
    # The clock is set back, and what is asked now has moments of before the count.
    house.at -= timedelta(hours=1)

    asks(house, 200, 150, 100)

    assert len(todo_lines(house)) == 1
    # Counted by eye before, and kept by the tablet: it is no count of what was asked since.
    house.at = seen + timedelta(minutes=10)
    late = replace(command(house.cast.anna, at=house.at), tapped_at=seen + timedelta(minutes=1))
    check_rack(late, table_id=house.table_id(), down_id=down.pk, pieces=pieces_of(40))
    assert len(todo_lines(house)) == 1
    asks(house, 190)
    counted(house, 40, 0)
    assert todo_lines(house) == []
