"""Cash plays: chips sold out of a table's rack for cash that lies there."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext

from casino.audit.sentences import Reader
from casino.cage import services
from casino.cage.errors import IdentityNeededUnseen, SameBuyIn
from casino.cage.errors_banks import MoneyIsElsewhere, RackIsNoDrawer
from casino.cage.models import Drawer, DrawerSession
from casino.cage.notes import counted_values
from casino.cage.selectors.drawers import windows
from casino.errors import Malformed, NotPermitted, Refusal, Stale
from casino.people.exception_report import Counted, cases_of, counted_in, kind_of
from casino.reports.selectors.exceptions import span_of
from casino.rulebooks.dealers import Rack
from tables.api.bodies import OpenTableBody
from tables.errors import BuyInOverMaximum
from tables.errors_racks import (
    BookHasNoCashPlays,
    RackSellsNothing,
    RackShortUnseen,
)
from tables.exception_kinds import RACK_REFUSED
from tables.models import Game, Seating
from tables.selectors.dealer import dealer_screen
from tables.selectors.work import table_work
from tables.services import opening
from tables.services.rack_sales import sell_from_rack
from tables.services.seat_buy_ins import seat_of
from tables.services.stakes import change_stakes
from tests.cage.desk import identity_from
from tests.cast import actor, command, enrolled
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.racking import Racking
from tests.tables.selling import cleared, lies, proved, sells, shown
from tests.tables.selling import racking as racking
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses


def test_a_book_that_sells_keeps_a_rack() -> None:
    with pytest.raises(ValueError, match="no rack"):
        Rack(sells=True)


def test_chips_are_there_at_once_and_the_cash_lies_in_the_rack(racking: Racking) -> None:
    house = racking.house

    slip = sells(house)

    assert (slip.status, slip.kind, slip.method, slip.number) == ("paid", "buy_in", "cash", 1)
    assert slip.paid_by == house.cast.anna
    assert Seating.objects.get(player__nickname="Mika").chips_in_cents == 100_00
    assert lies(house) == (400_00, 100_00)
    assert (house.figures()["in_play"], house.figures()["outside"]) == (500_00, -100_00)
    # The next one is numbered after it, on the same row, which is none of the cage's drawers.
    assert sells(house, 50, again=True).number == 2
    rack = Drawer.objects.get(place_kind="table")
    assert (rack.slips_issued, rack.name) == (2, "")
    assert [drawer.number for drawer in windows(house.room_id)] == [1]
    assert proved(house) == []


def test_a_number_that_another_took_meanwhile_is_passed_over(racking: Racking, monkeypatch: pytest.MonkeyPatch) -> None:
    house, really = racking.house, Drawer.objects.get_or_create

    def late(**arguments: Any) -> tuple[Drawer, bool]:
        monkeypatch.setattr(Drawer.objects, "get_or_create", really)
        Drawer.objects.create(room_id=house.room_id, number=arguments["defaults"]["number"], name="Table 2")
        return really(**arguments)

    monkeypatch.setattr(Drawer.objects, "get_or_create", late)

    slip = sells(house)

    assert slip.drawer is not None
    assert slip.drawer.number == 1002


def test_a_second_sale_takes_few_statements(racking: Racking) -> None:
    sells(racking.house)

    with CaptureQueriesContext(connection) as queries:
        sells(racking.house, 50)

    assert len(queries) <= 29, [query["sql"][:90] for query in queries]


def test_what_holds_at_the_cage_holds_at_the_rack(racking: Racking) -> None:
    house, cast = racking.house, racking.house.cast
    mika = Seating.objects.get(player__nickname="Mika")
    arguments: dict[str, Any] = {"table_id": mika.table_id, "seating_id": mika.pk, "amount_cents": 100_00}
    elsewhere = command(actor(cast.anna, device=enrolled(cast.room, "table", 2)), at=house.at)
    with as_owner():
        Game.objects.filter(id=house.game().pk).update(buy_in_max_cents=400_00)
    sells(house, 110)
    before = lies(house)
    refused: list[tuple[type[Refusal], Any]] = [
        (SameBuyIn, lambda: sells(house, 110)),
        (BuyInOverMaximum, lambda: sells(house, 300)),
        (NotPermitted, lambda: sell_from_rack(elsewhere, **arguments)),
        (Malformed, lambda: sells(house, 0)),
    ]

    for refusal, work in refused:
        with pytest.raises(refusal):
            work()

    assert lies(house) == before
    cleared(house, 390, 110)
    with pytest.raises(RackShortUnseen):
        sells(house, 50)


def test_who_asks_a_rack_for_more_than_it_holds_is_counted_by_compliance(racking: Racking) -> None:
    house, anna = racking.house, racking.house.cast.anna
    cleared(house, 500, 0)
    for euros in (200, 100):
        with pytest.raises(RackShortUnseen):
            sells(house, euros)
    span, kind = span_of(house.cast.room, None, None), kind_of(RACK_REFUSED)
    assert kind is not None

    counted = [each for each in counted_in(span) if each.code == RACK_REFUSED]
    cases = cases_of(kind, span, anna.pk, Reader(house.room_id, house.cast.room.currency, "en", frozenset()))

    assert counted == [Counted(RACK_REFUSED, anna.pk, 2)]
    assert ["Mika" in case.words for case in cases] == [True, True]


def test_what_the_seat_waits_for_is_what_is_sold_unless_its_money_is_elsewhere(racking: Racking) -> None:
    house = racking.house
    mika = Seating.objects.get(player__nickname="Mika")
    arguments: dict[str, Any] = {"player_id": mika.player_id, "amount_cents": 100_00, "seat": seat_of(mika.table, mika)}
    slip_id = house.tap(services.request_buy_in, house.cast.anna, money_with="dealer", **arguments).data["slip_id"]

    (seen,) = dealer_screen(room_id=house.room_id, number=1).requested
    assert (seen.slip, seen.seating, seen.cents) == (slip_id, mika.pk, 100_00)
    with pytest.raises(Stale):
        # Whoever saw none looked at a screen of before: it is that one.
        sells(house)
    with pytest.raises(Malformed):
        sells(house, 50, slip_id=slip_id, slip_version=seen.version)
    slip = sells(house, slip_id=slip_id, slip_version=seen.version)

    assert (slip.pk, slip.status, slip.money.is_held) == (slip_id, "paid", False)
    arguments["seat"] = seat_of(mika.table, mika, stack=100_00)
    again = house.tap(services.request_buy_in, house.cast.anna, again=True, **arguments).data["slip_id"]
    house.tap(services.note_money, house.cast.carla, slip_id=again, money_with="cage")
    with pytest.raises(MoneyIsElsewhere):
        sells(house, slip_id=again, slip_version=1)


def test_what_was_paid_meanwhile_is_not_sold_once_more(racking: Racking) -> None:
    house = racking.house
    mika = Seating.objects.get(player__nickname="Mika")
    arguments: dict[str, Any] = {"player_id": mika.player_id, "amount_cents": 100_00, "seat": seat_of(mika.table, mika)}
    slip_id = house.tap(services.request_buy_in, house.cast.anna, **arguments).data["slip_id"]
    house.at += timedelta(minutes=2)
    house.tap(services.take_money, house.cast.carla, slip_id=slip_id, drawer_id=house.drawer_id, method="cash")
    before = lies(house)

    with pytest.raises(Stale):
        sells(house, slip_id=slip_id, slip_version=1)
    # A tablet that was loaded anew shows no request any more.
    with pytest.raises(SameBuyIn):
        sells(house)

    assert lies(house) == before
    house.at += timedelta(minutes=1)
    assert sells(house).number == 1


def test_the_days_sum_over_all_desks_asks_for_an_identity(racking: Racking) -> None:
    house = racking.house
    mika = house.player("Mika").pk
    arguments: dict[str, Any] = {"drawer_id": house.drawer_id, "method": "cash", "player_id": mika}
    house.tap(services.buy_in, house.cast.carla, amount_cents=identity_from(house.room_id) - 50_00, **arguments)

    with pytest.raises(IdentityNeededUnseen):
        sells(house)


def test_where_it_is_off_nothing_is_sold_and_nothing_shown(house: House) -> None:
    Racking(house).begin(500)
    lee = Seating.objects.get(player__nickname="Lee")

    with pytest.raises(RackSellsNothing):
        sells(house, 50, "Lee")

    screen = dealer_screen(room_id=house.room_id, number=1)
    assert screen.offer is not None
    assert not screen.offer.sells
    assert "/sell/" not in shown(house, f"/floor/tables/1/seats/{lee.seat_number}/sheet/")
    assert 'name="cash_' not in shown(house, "/floor/tables/1/rack/")


def test_a_table_has_them_as_it_was_opened_where_the_book_lets_tables(racking: Racking) -> None:
    house = racking.house
    opened: dict[str, Any] = {"table_id": house.table_id(2), "game_id": house.game().pk}
    assert "Dealers sell chips from the rack" in shown(house, "/floor/tables/2/open/sheet/")
    # A page of before asked nothing, and leaves it as the book has it.
    assert OpenTableBody.of_form(QueryDict("game_id=1"))["cash_plays"] is None
    assert OpenTableBody.of_form(QueryDict("game_id=1&cash_plays=false"))["cash_plays"] is False
    answer = house.tap(opening.open_table, **opened, cash_plays=False)
    house.seat("Jo", 3, number=2, chips=0)

    assert answer.data["cash_plays"] is False
    with pytest.raises(RackSellsNothing):
        sells(house, nickname="Jo")
    # At the table beside it they go on.
    assert sells(house).status == "paid"
    racking.fill(100, table=2)
    racking.push(house.cast.dan, table=2)
    due = table_work(house.room_id, 2).rack
    assert due is not None
    assert due.cash == ""
    # What goes on otherwise goes on without them.
    there = list(Seating.objects.filter(table_id=house.table_id(2), left_at=None).values_list("id", flat=True))
    other = house.game("No limit hold'em 5/5")
    house.tap(change_stakes, table_id=house.table_id(2), game_id=other.pk, consents=there)
    running = house.table(2).opening
    assert running is not None
    assert running.terms.dealers.rack.sells is False


def test_a_book_without_them_opens_no_table_with_them(house: House) -> None:
    opened: dict[str, Any] = {"table_id": house.table_id(), "game_id": house.game().pk}
    assert "Dealers sell chips from the rack" not in shown(house, "/floor/tables/1/open/sheet/")
    with pytest.raises(BookHasNoCashPlays):
        house.tap(opening.open_table, **opened, cash_plays=True)

    assert house.tap(opening.open_table, **opened).data["cash_plays"] is False


@pytest.mark.slow
def test_where_it_is_on_the_tablet_offers_it_and_counts_cash_too(racking: Racking) -> None:
    house = racking.house
    sells(house)
    racking.push(house.cast.dan)

    screen, work = dealer_screen(room_id=house.room_id, number=1), table_work(house.room_id, 1)

    assert screen.offer is not None
    assert screen.offer.sells
    assert work.rack is not None
    # Coins that are worth less than the smallest chip too, where there are any: several of them buy one.
    assert work.rack.cash.split() == [str(value) for value in counted_values(house.cast.room.currency)]
    assert "/sell/" in shown(house, "/floor/tables/1/seats/5/sheet/")
    page = shown(house, "/floor/tables/1/rack/")
    assert 'name="cash_10000"' in page
    # What was sold says what should lie there: the floor, which counts it, reads nothing of it.
    assert "1001–00001" not in page
    assert "1001–00001" in shown(house, "/floor/tables/1/rack/", by=house.cast.mari)
    # Nor does a cashier, who signs its closing count.
    called = "/api/v1/cage/slips?drawer_number=1001"
    listed = [at_desktop(by).get(called).json() for by in (house.cast.carla, house.cast.mari)]
    assert [len(each) for each in listed] == [0, 1]


def test_the_slip_says_where_it_was_sold_and_the_rows_are_nobodys_drawer(racking: Racking) -> None:
    house = racking.house
    slip = sells(house)

    paper = shown(house, f"/cage/slips/{slip.pk}/", by=house.cast.mari)

    assert "at the table, from its rack" in paper
    assert "Anna" in paper
    rack = Drawer.objects.get(place_kind="table")
    with pytest.raises(RackIsNoDrawer):
        house.tap(services.buy_in, house.cast.carla, drawer_id=rack.pk, amount_cents=50_00, method="cash")
    assert not DrawerSession.objects.filter(drawer=rack, closed_at=None).exists()
