"""Between the vault and a rack by slips: asked for, authorised, carried, counted; in one step only by the book."""

import re
from typing import Any

import pytest

from casino.cage import open_items
from casino.cage.errors import FillsInOneStep
from casino.people.errors import NeedsSecondSignature
from casino.people.models import Staff
from tables.models import RackCheck, RackFill, ToDo
from tables.services import racks
from tests.cage.counting import signed
from tests.cast import demo_person
from tests.support.books import fills_in_one_step, says_in_book
from tests.tables.conftest import House
from tests.tables.racking import Racking, by_slip, pieces_of
from tests.tables.selling import closed, proved, sells, shown
from tests.tables.test_racks_opened_and_closed import closes, counts_due
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

RACK = "/floor/tables/1/rack/"
ASK = "/cage/fills/?kind=fill&amp;place=table.1"
CREDIT = "/cage/fills/?kind=credit&amp;place=table.1"
SIGNED: dict[str, Any] = {"pieces_10000": "2", "username": "mari", "pin": demo_person("mari").pin}


@pytest.fixture
def racking(house: House) -> Racking:
    """Return table 1 with 200 € in its rack, in a house where everything between vault and rack goes by a slip."""
    racking = Racking(house)
    fills_in_one_step(house.room_id, is_so=False)
    racking.begin(counted_pushes_per_day=0, sells="true")
    return racking


def wished(house: House, by: Staff | None = None) -> dict[str, str]:
    """Return what the page that asks for a credit from the rack has filled in."""
    page = shown(house, CREDIT.replace("&amp;", "&"), by=by)
    return dict(re.findall(r'<input name="(c\w+_\d+)" value="(\d+)"', page))


@pytest.mark.parametrize("what", ["fill", "clear"])
def test_nobody_fills_or_empties_a_rack_in_one_step_where_the_book_does_not_let_them(
    racking: Racking, what: str
) -> None:
    text = fills_in_one_step(racking.house.room_id, is_so=False).text
    cites = '[clauses]\nfills_in_one_step = "L-P39"\n'
    says_in_book(racking.house.room_id, text.replace("[clauses]\n", cites))
    before = racking.house.figures()

    with pytest.raises(FillsInOneStep):
        {"fill": racking.fill_at_once, "clear": racking.clear_at_once}[what](200)
    answer = tap(at_desktop(racking.house.cast.frans), f"{RACK}{what}/", **SIGNED)

    assert (answer.status_code, "L-P39: By this house’s rule book a fill" in answer.content.decode()) == (422, True)
    assert racking.house.figures() == before
    assert not RackFill.objects.exists()
    assert not RackCheck.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize("is_so", [True, False], ids=["let", "refused"])
def test_the_racks_page_offers_one_step_only_where_the_book_lets_it_and_else_leads_to_the_slip(
    racking: Racking, is_so: bool
) -> None:
    house = racking.house
    fills_in_one_step(house.room_id, is_so=is_so)

    page = shown(house, RACK)

    taps = {each for each in ("fill", "clear", "close") if f'hx-post="{RACK}{each}/"' in page}
    assert taps == ({"fill", "clear"} if is_so else {"close"})
    assert (ASK in page, CREDIT in page) == (not is_so, not is_so)
    # Whoever reads the books asks for nothing.
    assert ASK not in shown(house, RACK, by=house.cast.staff["olavi"])
    asks = shown(house, ASK.replace("&amp;", "&"))
    assert '<option value="table.1" selected>' in asks
    assert 'value="fill" checked>' in asks


def test_what_came_by_a_slip_stands_on_the_racks_page_with_who_counted_it(racking: Racking) -> None:
    page = shown(racking.house, RACK, by=racking.house.cast.mari)

    assert "Not checked yet" not in page
    assert re.search(r'<a href="/cage/fills/\d+/">slip 1</a> · \S*Frans\S*, \S*Anna\S*</span><b class="num">200', page)
    assert '<b class="num">200' not in shown(racking.house, RACK)


def test_a_closing_is_counted_by_two_and_stays_until_a_credit_brings_it_to_the_vault(racking: Racking) -> None:
    house = racking.house
    house.settle(40_00)
    closes(house)
    assert counts_due(house) == ["closing"]

    check = racking.close(195)

    assert (check.kind, check.approved_by_id, check.difference_cents) == ("at_closing", house.cast.mari.pk, -5_00)
    assert house.figures() | {"float": 195_00, "rack_over_short": 5_00} == house.figures()
    assert ToDo.objects.get(kind=ToDo.Kind.RACK_DIFFERS).data["check"] == check.pk
    assert counts_due(house) == []
    assert [each for each in open_items.still_open(house.room_id) if each[0] == "rack"] == []
    assert "This rack was counted at its closing" in shown(house, RACK)
    by_slip(house, "credit", 195_00)
    assert house.figures()["float"] == 0
    assert CREDIT not in shown(house, RACK)
    house.close_drawer()
    house.close_day()
    assert proved(house) == []


@pytest.mark.slow
def test_a_rack_that_stays_over_night_is_as_its_closing_left_it(racking: Racking) -> None:
    house = racking.house
    house.settle(40_00)
    closes(house)
    racking.close(200)

    page = shown(house, RACK)

    assert "As its closing count left it" in page
    by_slip(house, "credit", 150_00)
    assert "This rack was counted at its closing" not in shown(house, RACK)
    assert house.figures()["float"] == 50_00


def test_who_signs_that_it_goes_to_the_vault_signs_no_count_of_what_stays(racking: Racking) -> None:
    house, pieces = racking.house, pieces_of(200)
    signs = racks.clear_signs(house.table_id(), 200_00)
    signing = signed(house.cast.frans, house.cast.mari, signs, needs=racks.NEEDS, at=house.at)

    with pytest.raises(NeedsSecondSignature):
        racks.close_rack(signing, table_id=house.table_id(), pieces=pieces, approved_by_id=house.cast.mari.pk)

    assert not RackCheck.objects.exists()


@pytest.mark.slow
def test_who_counted_the_closing_finds_it_filled_in_and_nobody_else_who_counts_racks(racking: Racking) -> None:
    house = racking.house
    sells(house, 60, "Lee")
    carla = Staff.objects.get(id=house.cast.carla.pk)
    Staff.objects.filter(id=carla.pk).update(roles=["cashier", "floor"])
    assert wished(house) == {}

    closed(house, 143, 60)

    assert wished(house) == {
        "chips_10000": "1", "chips_500": "8", "chips_100": "3", "cash_5000": "1", "cash_1000": "1",
    }  # fmt: skip
    # The one who signed knows it too, and so does whoever reads the books.
    assert wished(house, house.cast.mari) == wished(house)
    assert wished(house, carla) == {}
    by_slip(house, "credit", 143_00)
    assert wished(house) == {}


def test_a_place_that_is_none_fills_nothing_in(racking: Racking) -> None:
    racking.close(200)

    for place in ("table.9", "table." + "9" * 30, "bar.1", "table.", "drawer.1", "table.١"):
        page = shown(racking.house, f"/cage/fills/?kind=credit&place={place}")
        assert not re.search(r'<input name="c\w+_\d+" value="\d', page), place


def test_in_one_step_a_rack_is_emptied_at_its_closing(racking: Racking) -> None:
    house = racking.house
    fills_in_one_step(house.room_id)
    closes(house)

    check = racking.clear(200)

    assert (check.kind, house.figures()["float"]) == ("closing", 0)
    assert proved(house) == []
