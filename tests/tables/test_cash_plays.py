"""Cash plays: chips sold out of a table's rack for cash that lies there, counted with it, and brought to the cage."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.audit.sentences import Reader
from casino.cage import open_items, services
from casino.cage.errors import IdentityNeededUnseen, SameBuyIn
from casino.cage.errors_banks import MoneyIsElsewhere, RackIsNoDrawer
from casino.cage.models import Drawer, DrawerSession, Slip
from casino.cage.models_fills import FillSlip
from casino.cage.selectors import windows
from casino.errors import Malformed, NotPermitted, Refusal, Stale
from casino.ledger.proof import problems
from casino.ledger.selectors import house_figures
from casino.people.exception_report import Counted, cases_of, counted_in, kind_of
from casino.people.models import Staff
from casino.reports.day import day_report
from casino.reports.exceptions import span_of
from casino.reports.files import as_csv, as_workbook
from casino.reports.sheets import sheets_of
from casino.rooms.models import RuleBookVersion
from casino.rulebooks.dealers import Rack
from tables.api.bodies import OpenTableBody
from tables.errors import BuyInOverMaximum
from tables.errors_racks import (
    BookHasNoCashPlays,
    RackCashShort,
    RackCountedSince,
    RackDayOver,
    RackSellsNothing,
    RackShortUnseen,
)
from tables.exception_kinds import RACK_ASKED
from tables.models import Down, Opening, RackCheck, Seating, ToDo
from tables.selectors.dealer import dealer_screen
from tables.selectors.floor import todo_of_room
from tables.selectors.racks import check_rows
from tables.selectors.work import table_work
from tables.services import opening, racks
from tables.services.rack_moments import lay_there
from tables.services.rack_sales import sell_from_rack
from tables.services.seat_buy_ins import seat_of
from tables.services.stakes import change_stakes
from tests.cage.counting import pieces
from tests.cage.filling import Filling
from tests.cast import actor, command, enrolled
from tests.reports.packing import ends, next_day
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.racking import Racking, keeps_racks, pieces_of
from tests.taps import at_desktop


@pytest.fixture
def racking(house: House) -> Racking:
    """Return a table that sells, with 500 € in its rack; Lee sits there with 200 €, Mika without chips, Anna deals."""
    racking = Racking(house)

    def begun() -> None:
        racking.begin(500, sells="true")
        racking.push(house.cast.anna)
        house.seat("Mika", 5, chips=0)

    house.begins(("sells",), begun)
    return racking


def sells(house: House, euros: int = 100, nickname: str = "Mika", **more: Any) -> Slip:
    seating = Seating.objects.get(player__nickname=nickname, left_at=None)
    told: dict[str, Any] = {"table_id": seating.table_id, "seating_id": seating.pk, "amount_cents": euros * 100}
    told |= {"stack": seating.chips_in_cents or None} | more
    return Slip.objects.get(id=house.tap(sell_from_rack, house.cast.anna, **told).data["slip_id"])


def lies(house: House) -> tuple[int, int]:
    """Return what chips and what cash the log has in the rack."""
    figures = house.figures()
    return figures["float"], figures["rack_cash"]


def counted(house: House, chips: int, cash: int) -> RackCheck:
    told: dict[str, Any] = {"kind": "floor", "pieces": pieces_of(chips), "cash": pieces(cash * 100)}
    return RackCheck.objects.get(id=house.tap(racks.count_rack, table_id=house.table_id(), **told).data["check"])


def cleared(house: House, chips: int, cash: int) -> RackCheck:
    told: dict[str, Any] = {"pieces": pieces_of(chips), "cash": pieces(cash * 100)}
    signs, mari = racks.clear_signs(house.table_id(), chips * 100, cash * 100), house.cast.mari
    asked = Filling(house.cast, at=house.at).signed(house.cast.frans, mari, racks.NEEDS, signs)
    done = racks.clear_rack(asked, table_id=house.table_id(), approved_by_id=mari.pk, **told)
    return RackCheck.objects.get(id=done.data["check"])


def carried(house: House, cash: int = 100_00) -> FillSlip:
    """Have a runner get cash out of the rack by a credit slip."""
    filling = Filling(house.cast, at=house.at)
    return filling.sends(filling.authorised(cash, 0, kind="credit", at=("table", 1)), cash, 0, by=house.cast.frans)


def reverses(house: House, slip: Slip) -> Slip:
    frans = house.cast.frans
    asked = Filling(house.cast, at=house.at).signed(house.cast.carla, frans, "cage.approve_reversal", f"slip.{slip.pk}")
    services.reverse_slip(asked, slip_id=slip.pk, reason="wrong_amount", approved_by_id=frans.pk)
    slip.refresh_from_db()
    return slip


def shown(house: House, page: str, *, by: Staff | None = None) -> str:
    return at_desktop(by or house.cast.frans).get(page).content.decode()


def proved(house: House) -> list[str]:
    return [each.detail for each in problems(house.room_id)]


def test_the_racks_page_leads_to_the_credit_of_its_cash_where_any_lies_and_the_reader_may_ask(racking: Racking) -> None:
    house = racking.house
    way = "/cage/fills/?kind=credit&amp;place=table.1"
    assert way not in shown(house, "/floor/tables/1/rack/")

    sells(house)

    assert way in shown(house, "/floor/tables/1/rack/")
    assert way not in shown(house, "/floor/tables/1/rack/", by=house.cast.staff["olavi"])
    asks = shown(house, way.replace("&amp;", "&"))
    assert '<option value="table.1" selected>' in asks
    assert 'value="credit" checked>' in asks


def test_a_book_that_sells_keeps_a_rack() -> None:
    with pytest.raises(ValueError, match="no rack"):
        Rack(sells=True)


# ---- The sale ---------------------------------------------------------------------------------------------


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

    def late(**told: Any) -> tuple[Drawer, bool]:
        monkeypatch.setattr(Drawer.objects, "get_or_create", really)
        Drawer.objects.create(room_id=house.room_id, number=told["defaults"]["number"], name="Table 2")
        return really(**told)

    monkeypatch.setattr(Drawer.objects, "get_or_create", late)

    slip = sells(house)

    assert slip.drawer is not None
    assert slip.drawer.number == 1002


def test_a_second_sale_takes_few_statements(racking: Racking) -> None:
    sells(racking.house)

    with CaptureQueriesContext(connection) as asked:
        sells(racking.house, 50)

    assert len(asked) <= 29, [query["sql"][:90] for query in asked]


def test_what_holds_at_the_cage_holds_at_the_rack(racking: Racking) -> None:
    house, cast = racking.house, racking.house.cast
    mika = Seating.objects.get(player__nickname="Mika")
    told: dict[str, Any] = {"table_id": mika.table_id, "seating_id": mika.pk, "amount_cents": 100_00}
    elsewhere = command(actor(cast.anna, device=enrolled(cast.room, "table", 2)), at=house.at)
    sells(house, 110)
    before = lies(house)
    refused: list[tuple[type[Refusal], Any]] = [
        (SameBuyIn, lambda: sells(house, 110)),
        (BuyInOverMaximum, lambda: sells(house, 300)),
        (NotPermitted, lambda: sell_from_rack(elsewhere, **told)),
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
    span, kind = span_of(house.cast.room, None, None), kind_of(RACK_ASKED)
    assert kind is not None

    counted = [each for each in counted_in(span) if each.code == RACK_ASKED]
    cases = cases_of(kind, span, anna.pk, Reader(house.room_id, "EUR", "en", frozenset()))

    assert counted == [Counted(RACK_ASKED, anna.pk, 2)]
    assert ["Mika" in case.words for case in cases] == [True, True]


def test_what_the_seat_waits_for_is_what_is_sold_unless_its_money_is_elsewhere(racking: Racking) -> None:
    house = racking.house
    mika = Seating.objects.get(player__nickname="Mika")
    told: dict[str, Any] = {"player_id": mika.player_id, "amount_cents": 100_00, "seat": seat_of(mika.table, mika)}
    asked = house.tap(services.request_buy_in, house.cast.anna, money_with="dealer", **told).data["slip_id"]

    (seen,) = dealer_screen(room_id=house.room_id, number=1).asked
    assert (seen.slip, seen.seating, seen.cents) == (asked, mika.pk, 100_00)
    with pytest.raises(Stale):
        # Whoever saw none looked at a screen of before: it is that one.
        sells(house)
    with pytest.raises(Malformed):
        sells(house, 50, slip_id=asked, slip_version=seen.version)
    slip = sells(house, slip_id=asked, slip_version=seen.version)

    assert (slip.pk, slip.status, slip.money.is_held) == (asked, "paid", False)
    told["seat"] = seat_of(mika.table, mika, stack=100_00)
    again = house.tap(services.request_buy_in, house.cast.anna, again=True, **told).data["slip_id"]
    house.tap(services.note_money, house.cast.carla, slip_id=again, money_with="cage")
    with pytest.raises(MoneyIsElsewhere):
        sells(house, slip_id=again, slip_version=1)


def test_what_was_paid_meanwhile_is_not_sold_once_more(racking: Racking) -> None:
    house = racking.house
    mika = Seating.objects.get(player__nickname="Mika")
    told: dict[str, Any] = {"player_id": mika.player_id, "amount_cents": 100_00, "seat": seat_of(mika.table, mika)}
    asked = house.tap(services.request_buy_in, house.cast.anna, **told).data["slip_id"]
    house.at += timedelta(minutes=2)
    house.tap(services.take_money, house.cast.carla, slip_id=asked, drawer_id=house.drawer_id, method="cash")
    before = lies(house)

    with pytest.raises(Stale):
        sells(house, slip_id=asked, slip_version=1)
    # A tablet that was loaded anew shows no request any more.
    with pytest.raises(SameBuyIn):
        sells(house)

    assert lies(house) == before
    house.at += timedelta(minutes=1)
    assert sells(house).number == 1


def test_the_days_sum_over_all_desks_asks_for_an_identity(racking: Racking) -> None:
    house = racking.house
    mika = house.player("Mika").pk
    told: dict[str, Any] = {"drawer_id": house.drawer_id, "method": "cash", "player_id": mika}
    house.tap(services.buy_in, house.cast.carla, amount_cents=1_950_00, **told)

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
    told = house.tap(opening.open_table, **opened, cash_plays=False)
    house.seat("Jo", 3, number=2, chips=0)

    assert told.data["cash_plays"] is False
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


def test_where_it_is_on_the_tablet_offers_it_and_counts_cash_too(racking: Racking) -> None:
    house = racking.house
    sells(house)
    racking.push(house.cast.dan)

    screen, work = dealer_screen(room_id=house.room_id, number=1), table_work(house.room_id, 1)

    assert screen.offer is not None
    assert screen.offer.sells
    assert work.rack is not None
    assert work.rack.cash.split()[0] == "50000"
    # Five coins of it buy the smallest chip.
    assert "20" in work.rack.cash.split()
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


# ---- Taken back -------------------------------------------------------------------------------------------


def test_a_sale_is_taken_back_until_the_rack_is_counted(racking: Racking) -> None:
    house = racking.house
    first, second = sells(house), sells(house, 50)
    assert reverses(house, second).status == "void"
    assert lies(house) == (400_00, 100_00)
    assert proved(house) == []

    counted(house, 400, 100)

    with pytest.raises(RackCountedSince):
        reverses(house, first)
    assert lies(house) == (400_00, 100_00)


def test_a_cashier_finds_what_a_rack_sold_and_reads_no_sums_of_all(racking: Racking) -> None:
    slip = sells(racking.house, 110)
    carla = at_desktop(racking.house.cast.carla)

    page = carla.get("/cage/slips/").content.decode()
    found = carla.get("/cage/slips/", {"number": "1001-1"})

    assert (f"/cage/slips/{slip.pk}/" in page, "1001–00001" in page, "110" in page) == (True, True, False)
    assert found["Location"] == f"/cage/slips/{slip.pk}/"
    assert 'data-opens="reverse"' in carla.get(found["Location"]).content.decode()
    assert "/cage/slips/" in carla.get("/cage/1/").content.decode()
    assert [carla.get("/cage/slips/", {"number": each}).status_code for each in ("1001-2", "x")] == [404, 404]


def test_cash_that_was_carried_away_is_not_given_back(racking: Racking) -> None:
    house = racking.house
    slip = sells(house)
    carried(house)

    with pytest.raises(RackCashShort):
        reverses(house, slip)


def test_what_was_sold_on_a_day_that_is_over_is_not_paid_back_by_another_days_cash(racking: Racking) -> None:
    house = racking.house
    slip = sells(house)
    Filling(house.cast, at=house.at).counts(carried(house), 100_00, 0)
    ends(house)
    house.close_drawer()
    with clock.frozen(house.at):
        house.close_day()
    next_day(house)
    house.open(Lee=1)
    house.seat("Mika", 5, chips=0)
    sells(house)
    before = lies(house)

    with pytest.raises(RackDayOver):
        reverses(house, slip)

    assert lies(house) == before


# ---- Counted ----------------------------------------------------------------------------------------------


def test_a_count_holds_chips_and_cash_against_both_and_a_difference_names_its_downs(racking: Racking) -> None:
    house = racking.house
    sells(house)

    check = counted(house, 400, 80)

    assert (check.difference_cents, check.cash_difference_cents) == (0, -20_00)
    figures = house.figures()
    assert (figures["rack_cash"], figures["rack_cash_over_short"]) == (80_00, 20_00)
    todo = ToDo.objects.get(kind=ToDo.Kind.RACK_DIFFERS)
    assert (todo.data["cash_difference_cents"], todo.data["dealers"]) == (-20_00, [house.cast.anna.pk])
    assert proved(house) == []


def test_who_has_sold_before_counting_is_among_those_who_may_have_taken_it(racking: Racking) -> None:
    house = racking.house
    annas = Down.objects.get(ended_at=None)
    dans = racking.push(house.cast.dan)
    sells(house)

    check = racking.check(dans, 390)

    assert (check.first_down_id, check.last_down_id) == (annas.pk, dans.pk)


def test_who_has_sold_is_so_too_where_the_count_arrives_on_the_next_day(racking: Racking) -> None:
    house = racking.house
    dans = racking.push(house.cast.dan)
    sells(house)
    tapped_at = house.at
    cleared(house, 400, 100)
    ends(house)
    house.close_drawer()
    with clock.frozen(house.at):
        house.close_day()
    next_day(house)

    late = command(house.cast.dan, at=house.at, tapped_at=tapped_at)
    said = racks.check_rack(late, table_id=dans.table_id, down_id=dans.pk, pieces=pieces_of(390), cash=pieces(100_00))

    assert said.data["last_down"] == dans.pk


def test_cash_that_was_not_counted_may_be_missing_since_the_count_before(racking: Racking) -> None:
    house = racking.house
    anna, dan = house.cast.anna, house.cast.dan
    annas = Down.objects.get(ended_at=None)
    sells(house)
    dans = racking.push(dan)
    assert racking.count(400).cash_cents is None

    counted(house, 300, 80)

    # Chips that a count found whole meanwhile are Dan's alone.
    check, todo = RackCheck.objects.latest("id"), ToDo.objects.get(kind=ToDo.Kind.RACK_DIFFERS)
    assert (check.first_down_id, check.last_down_id) == (dans.pk, dans.pk)
    assert (check.cash_first_down_id, check.cash_last_down_id) == (annas.pk, dans.pk)
    assert (todo.data["dealers"], todo.data["cash_dealers"]) == ([dan.pk], [anna.pk, dan.pk])
    (row,) = [row for row in check_rows(check.table) if row.check == check]
    assert [[name for _down, name in downs] for downs in (row.downs, row.cash_downs)] == [["Dan"], ["Anna", "Dan"]]
    page = shown(house, "/floor/tables/1/rack/")
    assert "Since its cash was counted before dealt:" in page
    (line,) = [line for line in todo_of_room(house.room_id) if "chips differ by" in line.text]
    assert "Since its cash was counted:" in str(line)


def test_cash_alone_that_differs_points_to_who_dealt_since_it_was_counted(racking: Racking) -> None:
    house, annas = racking.house, Down.objects.get(ended_at=None)
    sells(house)
    dans = racking.push(house.cast.dan)
    racking.count(400)

    check = counted(house, 400, 80)

    assert (check.first_down_id, check.cash_first_down_id, check.cash_last_down_id) == (dans.pk, annas.pk, dans.pk)
    (row,) = [row for row in check_rows(check.table) if row.check == check]
    assert [[name for _down, name in downs] for downs in (row.downs, row.cash_downs)] == [[], ["Anna", "Dan"]]
    (line,) = [line for line in todo_of_room(house.room_id) if "its cash differs by" in line.text]
    assert "Since its cash was counted dealt: Anna, Dan." in str(line)


def test_as_left_covers_both_and_a_count_that_says_no_cash_finds_it_missing(racking: Racking) -> None:
    house = racking.house
    sells(house)
    down = racking.push(house.cast.dan)
    left = racking.check(down)
    assert (left.cash_cents, left.expected_cash_cents, left.differs) == (None, 100_00, False)

    check = counted(house, 400, 0)

    assert (check.cash_cents, check.cash_difference_cents) == (0, -100_00)
    assert proved(house) == []


def test_a_count_that_says_nothing_of_cash_leaves_it_as_it_was(racking: Racking) -> None:
    house = racking.house
    sells(house)

    check = racking.count(390)

    assert (check.cash_cents, check.expected_cash_cents, check.cash_difference_cents) == (None, 100_00, 0)
    assert lies(house) == (390_00, 100_00)
    before = house.at
    sells(house, 50)
    assert lay_there(check.table, before) == (390_00, 100_00)
    assert racking.clear(340).cash_cents is None
    assert lies(house) == (0, 150_00)
    assert proved(house) == []


def test_cash_is_counted_also_where_the_table_sells_no_more(racking: Racking) -> None:
    house = racking.house
    sells(house)
    keeps_racks(house.room_id)
    opening, version = Opening.objects.get(closed_at=None), RuleBookVersion.objects.latest("number")
    with as_owner():
        Opening.objects.filter(id=opening.pk).update(rule_book_version_id=version.pk)
    racking.push(house.cast.dan)

    due = table_work(house.room_id, 1).rack

    assert due is not None
    assert "100" in due.cash.split()


def test_a_count_of_before_a_sale_that_comes_late_expects_what_lay_there_then(racking: Racking) -> None:
    house = racking.house
    down = racking.push(house.cast.dan)
    tapped_at = house.at
    slip = sells(house)

    asked = command(house.cast.dan, at=house.at, tapped_at=tapped_at)
    said = racks.check_rack(asked, table_id=down.table_id, down_id=down.pk, pieces=pieces_of(500))

    check = RackCheck.objects.get(id=said.data["check"])
    assert (check.is_late, check.expected_cents, check.expected_cash_cents, check.differs) == (True, 500_00, 0, False)
    # It has not seen the sale, which may still be taken back.
    assert reverses(house, slip).status == "void"
    assert proved(house) == []


# ---- To the cage ------------------------------------------------------------------------------------------


def test_the_day_stays_open_until_the_cash_is_at_the_cage(racking: Racking) -> None:
    house = racking.house
    sells(house)
    [open_item] = [check for check in open_items.checklist(house.room_id) if check.kind == "rack_cash"]
    assert (open_item.title, open_item.first) == ("No cash lies in racks", [1])
    vault = house_figures(house.room_id)["vault_cash"]

    check = cleared(house, 400, 100)

    assert (check.cents, check.cash_cents, check.differs) == (400_00, 100_00, False)
    assert house_figures(house.room_id)["vault_cash"] == vault + 100_00
    assert lies(house) == (0, 0)
    assert ("rack_cash", 1) not in open_items.still_open(house.room_id)
    assert proved(house) == []


def test_a_credit_slip_brings_the_cash_to_the_vault_and_no_fill_brings_any(racking: Racking) -> None:
    house = racking.house
    filling = Filling(house.cast, at=house.at)
    with pytest.raises(Malformed):
        carried(house)
    sells(house)
    with pytest.raises(Malformed):
        filling.asks(100_00, 0, at=("table", 1))

    filling.counts(carried(house), 100_00, 0)

    assert lies(house) == (400_00, 0)
    assert proved(house) == []


def test_the_report_tells_it_by_table_and_dealer_and_among_the_slips(racking: Racking) -> None:
    house = racking.house
    sells(house)
    reverses(house, sells(house, 50))

    report = day_report(house.cast.room)

    (play,) = report.cash_plays
    assert (play.sold.place_number, play.dealer, play.cents) == (1, "Anna", 100_00)
    assert (play.sold.count, play.sold.back) == (2, 1)
    (kind,) = report.slips
    assert (kind.kind, kind.method, kind.cents, kind.posted_cents) == ("buy_in", "cash", 100_00, 100_00)
    assert report.drawers == [] or all(each.session.number == 1 for each in report.drawers)
    assert report.differs == 0
    sheets = list(sheets_of(report))
    assert "\r\n1,Anna,2,15000,1,5000,0,0,10000\r\n" in as_csv(["day"], sheets, house.cast.room)
    assert as_workbook("day", sheets, house.cast.room)


# ---- The proof --------------------------------------------------------------------------------------------

_FAULTS = [
    ("UPDATE cage_slip SET amount_cents = amount_cents + 100", {"rack_posted"}),
    ("UPDATE cage_slip SET about = jsonb_set(about, '{table}', '0')", {"racks_sold"}),
    ("UPDATE tables_rackcheck SET expected_cash_cents = 7", {"rack_cash_expected", "rack_posted"}),
    ("UPDATE tables_rackcheck SET cash_cents = 7", {"table_pieces", "rack_posted"}),
]


@pytest.mark.parametrize(("statement", "found"), _FAULTS)
def test_the_proof_finds_what_was_planted(racking: Racking, statement: str, found: set[str]) -> None:
    house = racking.house
    sells(house)
    counted(house, 400, 100)
    assert proved(house) == []

    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE tables_rackcheck DISABLE TRIGGER USER")
        cursor.execute(statement)

    assert found <= {each.what for each in problems(house.room_id)}
