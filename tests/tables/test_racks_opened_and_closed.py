"""A rack is asked for as its table opens and as it closes, and one that nobody counted keeps the day open."""

from datetime import timedelta

import pytest

from casino.cage import open_items
from casino.errors import Malformed
from casino.live.render import fragment
from casino.rooms.models import GamingDay
from tables.errors_racks import RackLeftUncounted
from tables.models import RackCheck, Seating, ToDo
from tables.services import racks
from tables.services.opening import close_table, open_table
from tables.services.seating import leave_seat
from tests.tables.conftest import House
from tests.tables.racking import Racking
from tests.taps import at_desktop


@pytest.fixture
def racking(house: House) -> Racking:
    """Return table 1 in a house that keeps racks, with 200 € in its rack, where Lee and Kai have played a hand."""
    racking = Racking(house)
    racking.begin(counted_pushes_per_day=0)
    house.settle(40_00)
    return racking


def asked(house: House) -> list[str]:
    """Return for what the floor is asked to count racks."""
    found = ToDo.objects.filter(kind=ToDo.Kind.RACK_NOT_COUNTED, done_at=None).order_by("id")
    return [key for todo in found for key in todo.data]


def closes(house: House) -> None:
    for seating in Seating.objects.filter(left_at=None).order_by("id"):
        house.tap(leave_seat, table_id=house.table_id(), seating_id=seating.pk, stack_cents=190_00)
    house.tap(close_table, table_id=house.table_id())


def opens(house: House) -> None:
    house.tap(open_table, table_id=house.table_id(), game_id=house.game().pk)


def says_as_left(house: House, kind: str = "opening") -> RackCheck:
    answer = house.tap(racks.count_rack, table_id=house.table_id(), kind=kind)
    return RackCheck.objects.get(id=answer.data["check"])


def uncounted(house: House) -> list[tuple[int, list[int]]]:
    found = open_items.may_be_carried(house.room_id)
    return [(each.number, each.rows) for each in found if each.kind == "rack"]


def test_its_closing_asks_for_a_count_and_its_opening_takes_that_as_left(racking: Racking) -> None:
    house = racking.house
    closes(house)
    assert asked(house) == ["closing"]
    assert "its rack was not counted" in fragment(house.room_id, "floor", "en").html
    with pytest.raises(RackLeftUncounted):
        says_as_left(house)

    racking.count(200)
    assert asked(house) == []
    opens(house)
    assert asked(house) == ["opening"]
    assert "nobody has taken over its rack" in fragment(house.room_id, "floor", "en").html
    assert "As its closing count left it" in at_desktop(house.cast.frans).get("/floor/tables/1/rack/").content.decode()

    check = says_as_left(house)
    assert (check.kind, check.is_counted, check.transfer_id) == ("opening", False, None)
    assert asked(house) == []
    # At any other time a count is a count.
    with pytest.raises(Malformed):
        says_as_left(house, "floor")


def test_who_pushes_in_takes_it_over_too(racking: Racking, monkeypatch: pytest.MonkeyPatch) -> None:
    house = racking.house
    closes(house)
    racking.count(200)
    opens(house)

    racking.check(racking.push(house.cast.dan, draws=False, monkeypatch=monkeypatch), by=house.cast.dan)
    assert asked(house) == []

    house.tap(close_table, table_id=house.table_id())
    # It was counted before, and nobody has played since.
    assert asked(house) == []


def test_counted_after_the_last_hand_its_closing_asks_for_nothing(racking: Racking) -> None:
    racking.count(200)

    closes(racking.house)

    assert asked(racking.house) == []
    assert uncounted(racking.house) == []


def test_a_rack_that_nobody_counted_keeps_the_day_open_until_a_manager_carries_it(racking: Racking) -> None:
    house = racking.house
    # Play goes on: it is counted on this day.
    assert uncounted(house) == [(1, [house.table_id()])]
    racking.count(200)
    assert uncounted(house) == []
    house.settle(40_00)
    closes(house)

    assert uncounted(house) == [(1, [house.table_id()])]

    day = GamingDay.objects.get()
    assert open_items.done_of("rack", [house.table_id()], day.pk) == {}
    house.at += timedelta(minutes=1)
    racking.count(200)
    assert uncounted(house) == []
    # A day that carried it is told of the first count that came after it.
    first = RackCheck.objects.earliest("id").at
    assert open_items.done_of("rack", [house.table_id()], day.pk - 1) == {house.table_id(): first}


def test_where_nothing_lies_nobody_is_asked(house: House) -> None:
    racking = Racking(house)
    racking.begin(counted_pushes_per_day=0)
    racking.clear(200)

    closes(house)
    opens(house)

    assert asked(house) == []
    assert uncounted(house) == []
