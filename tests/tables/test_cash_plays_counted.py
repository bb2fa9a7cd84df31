"""What was sold out of a rack is counted with its cash, taken back until then, and brought to the cage."""

import pytest
from django.db import connection

from casino.cage import open_items
from casino.errors import Malformed
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import house_figures
from casino.reports.files import as_csv, as_workbook
from casino.reports.selectors.day import day_report
from casino.reports.sheets import sheets_of
from casino.rooms.models import RuleBookVersion
from tables.errors_racks import (
    RackCashShort,
    RackCountedSince,
    RackDayOver,
)
from tables.models import Down, Opening, RackCheck, ToDo
from tables.selectors.floor import todo_of_room
from tables.selectors.racks import check_rows
from tables.selectors.work import table_work
from tables.services import racks
from tables.services.rack_moments import lay_there
from tests.cage.counting import pieces
from tests.cage.filling import Filling
from tests.cast import command
from tests.support.books import fills_in_one_step
from tests.support.owner import as_owner
from tests.tables.racking import Racking, keeps_racks, pieces_of
from tests.tables.selling import carried, cleared, counted, ends_day, lies, proved, reverses, sells, shown
from tests.tables.selling import racking as racking
from tests.taps import at_desktop

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

    assert (f"/cage/slips/{slip.pk}/" in page, "1001–00001" in page) == (True, True)
    assert not any(figure in page for figure in ("110\xa0€", '"11000"'))
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
    ends_day(house)
    house.next_day()
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


@pytest.mark.slow
def test_who_has_sold_is_so_too_where_the_count_arrives_on_the_next_day(racking: Racking) -> None:
    house = racking.house
    dans = racking.push(house.cast.dan)
    sells(house)
    tapped_at = house.at
    cleared(house, 400, 100)
    ends_day(house)
    house.next_day()

    late = command(house.cast.dan, at=house.at, tapped_at=tapped_at)
    answer = racks.check_rack(late, table_id=dans.table_id, down_id=dans.pk, pieces=pieces_of(390), cash=pieces(100_00))

    assert answer.data["last_down"] == dans.pk


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

    signing = command(house.cast.dan, at=house.at, tapped_at=tapped_at)
    answer = racks.check_rack(signing, table_id=down.table_id, down_id=down.pk, pieces=pieces_of(500))

    check = RackCheck.objects.get(id=answer.data["check"])
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


@pytest.mark.slow
def test_the_racks_page_leads_to_the_credit_of_its_cash_where_any_lies_and_the_reader_may_ask(racking: Racking) -> None:
    house = racking.house
    fills_in_one_step(house.room_id)
    way = "/cage/fills/?kind=credit&amp;place=table.1"
    assert way not in shown(house, "/floor/tables/1/rack/")

    sells(house)

    assert way in shown(house, "/floor/tables/1/rack/")
    assert way not in shown(house, "/floor/tables/1/rack/", by=house.cast.staff["olavi"])
    asks = shown(house, way.replace("&amp;", "&"))
    assert '<option value="table.1" selected>' in asks
    assert 'value="credit" checked>' in asks


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
    assert [each.session.number for each in report.drawers] == [1]
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
