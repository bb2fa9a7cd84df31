"""A rack is asked for as its table opens and as it closes, and one that nobody counted keeps the day open."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.cage import open_items
from casino.errors import Malformed
from casino.live.render import fragment
from casino.rooms.models import GamingDay
from tables.api.racks import CountRackBody
from tables.errors_racks import RackLeftUncounted
from tables.models import Hand, RackCheck, Seating, ToDo
from tables.open_items import RACKS_UNCOUNTED
from tables.services import racks
from tables.services.corrections import supply_hand
from tables.services.hands import skip_hand
from tables.services.opening import close_table, open_table
from tables.services.seating import leave_seat
from tests.tables.conftest import House
from tests.tables.racking import Racking
from tests.tables.test_late_hands import tapped
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses


@pytest.fixture
def racking(house: House) -> Racking:
    """Return table 1 in a house that keeps racks, with 200 € in its rack, where Lee and Kai have played a hand."""
    racking = Racking(house)
    racking.begin(counted_pushes_per_day=0)
    house.settle(40_00)
    return racking


def counts_due(house: House) -> list[str]:
    """Return for what the floor is asked to count racks."""
    found = ToDo.objects.filter(kind=ToDo.Kind.RACK_NOT_COUNTED, done_at=None).order_by("id")
    return [key for todo in found for key in todo.data]


def closes(house: House, number: int = 1) -> None:
    table_id = house.table_id(number)
    for seating in Seating.objects.filter(table=table_id, left_at=None).order_by("id"):
        house.tap(leave_seat, table_id=table_id, seating_id=seating.pk, stack_cents=190_00)
    house.tap(close_table, table_id=table_id)


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
    assert counts_due(house) == ["closing"]
    assert "its rack was not counted" in fragment(house.room_id, "floor", "en").html
    with pytest.raises(RackLeftUncounted):
        says_as_left(house)

    racking.count(200)
    assert counts_due(house) == []
    opens(house)
    assert counts_due(house) == ["opening"]
    assert "nobody has taken over its rack" in fragment(house.room_id, "floor", "en").html
    assert "As its closing count left it" in at_desktop(house.cast.frans).get("/floor/tables/1/rack/").content.decode()

    check = says_as_left(house)
    assert (check.kind, check.is_counted, check.transfer_id) == ("opening", False, None)
    assert counts_due(house) == []
    # It is taken over once.
    assert (
        "As its closing count left it" not in at_desktop(house.cast.frans).get("/floor/tables/1/rack/").content.decode()
    )
    # At any other time a count is a count.
    with pytest.raises(Malformed):
        says_as_left(house, "floor")


def test_what_asks_for_a_count_leads_to_the_rack(racking: Racking) -> None:
    house = racking.house
    racking.count(195)
    todo = ToDo.objects.get(kind=ToDo.Kind.RACK_DIFFERS)

    sheet = at_desktop(house.cast.frans).get(f"/floor/tables/1/todo/{todo.pk}/sheet/").content.decode()

    assert "Have it counted again" in sheet
    assert 'href="/floor/tables/1/rack/"' in sheet


def test_a_slip_calls_a_rack_what_its_page_does(racking: Racking) -> None:
    pages = [at_desktop(racking.house.cast.frans).get(address) for address in ("/floor/tables/1/rack/", "/cage/fills/")]

    assert all("Rack of table 1" in page.content.decode() for page in pages)


def test_who_pushes_in_takes_it_over_too(racking: Racking, monkeypatch: pytest.MonkeyPatch) -> None:
    house = racking.house
    closes(house)
    racking.count(200)
    opens(house)

    racking.check(racking.push(house.cast.dan, draws=False, monkeypatch=monkeypatch), by=house.cast.dan)
    assert counts_due(house) == []

    house.tap(close_table, table_id=house.table_id())
    # It was counted before, and nobody has played since.
    assert counts_due(house) == []


@pytest.mark.parametrize("how", ["counted", "as_left"])
def test_taken_over_before_it_opens_it_is_asked_for_no_more(racking: Racking, how: str) -> None:
    house = racking.house
    closes(house)
    racking.count(200)
    if how == "counted":
        racking.count(200, "opening")
    else:
        says_as_left(house)

    opens(house)

    assert counts_due(house) == []
    house.seat("Lee", 1)
    house.seat("Kai", 2)
    house.settle(40_00)
    closes(house)
    # Its count of before says nothing of what was played since.
    opens(house)
    assert counts_due(house) == ["closing", "opening"]


def test_what_a_tablet_had_kept_takes_nothing_over(racking: Racking, monkeypatch: pytest.MonkeyPatch) -> None:
    house = racking.house
    down = racking.push(house.cast.dan, draws=False, monkeypatch=monkeypatch)
    tapped_at = house.at
    closes(house)
    racking.count(200)
    house.at += timedelta(hours=20)
    opens(house)

    tapped(house, racks.check_rack, tapped_at, down_id=down.pk)

    assert counts_due(house) == ["opening"]


def test_a_hand_that_nobody_logged_was_played_too(racking: Racking) -> None:
    house = racking.house
    racking.count(200)
    house.tap(skip_hand, house.cast.anna, table_id=house.table_id(), hand=house.logged())

    closes(house)

    assert counts_due(house) == ["closing"]
    racking.count(200)
    # What is supplied of it later was played before the count all the same.
    skipped = Hand.objects.get(status="not_logged")
    house.tap(supply_hand, table_id=house.table_id(), hand_row_id=skipped.pk, taken={"rake": 2_00})
    assert uncounted(house) == []
    says_as_left(house)


def test_a_rack_that_nobody_counted_is_one_line_of_the_days_end(racking: Racking) -> None:
    house = racking.house
    closes(house)
    assert counts_due(house) == ["closing"]

    found = open_items.may_be_carried(house.room_id)

    assert [each.word for each in found if each.kind in ("rack", "to_judge")] == ["rack.1"]
    with CaptureQueriesContext(connection) as of_one:
        RACKS_UNCOUNTED.rows(house.room_id)
    house.open(2, Timo=1, Mika=2)
    racking.fill(100, table=2)
    closes(house, 2)
    with CaptureQueriesContext(connection) as of_two:
        assert [number for number, _table in RACKS_UNCOUNTED.rows(house.room_id)] == [1, 2]
    assert len(of_two) == len(of_one)


def test_a_call_that_counts_says_as_left_and_leaves_nothing_out() -> None:
    assert CountRackBody(data={"kind": "opening", "pieces": None}).is_valid()
    unsaid = CountRackBody(data={"kind": "opening"})
    assert not unsaid.is_valid()
    assert unsaid.errors.keys() == {"pieces"}


def test_counted_after_the_last_hand_its_closing_asks_for_nothing(racking: Racking) -> None:
    racking.count(200)

    closes(racking.house)

    assert counts_due(racking.house) == []
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

    assert counts_due(house) == []
    assert uncounted(house) == []
