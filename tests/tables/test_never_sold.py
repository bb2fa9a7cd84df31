"""A sale out of a rack that never was: said by two once a count has found its chips there and its cash missing."""

import re
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from casino import clock
from casino.audit.models import Event
from casino.audit.sentences import Reader
from casino.cage import services
from casino.cage.errors import NeedsAnotherApprover, SlipNotPaid
from casino.cage.errors_banks import SoldByNoRack
from casino.cage.models import Slip
from casino.cage.selectors.identity import crossed
from casino.cage.services.voiding import NEEDS, never_sold_signs
from casino.errors import Malformed, Refusal
from casino.ledger.proof import problems
from casino.ledger.templatetags.money import money
from casino.people.exception_report import cases_of, counted_in, kind_of
from casino.people.models import Staff
from casino.reports.files import as_csv
from casino.reports.selectors.day import day_report
from casino.reports.selectors.exceptions import span_of
from casino.reports.sheets import sheets_of
from casino.rooms.models import GamingDay, RuleBookVersion
from tables.errors_racks import (
    NeverSoldDayOver,
    RackAgreed,
    RackCashNotCounted,
    RackCashShort,
    RackCountsUnseen,
    RackFoundLess,
    RackNotCounted,
    RackNotJudged,
)
from tables.models import RackCheck, Seating, ToDo
from tables.rules.racks import Found, Sold, explained
from tables.services.corrections import judge
from tables.services.rack_never_sold import maybe_never_sold
from tables.services.racks import check_rack
from tests.audit.sealing import seal
from tests.cage.filling import Filling
from tests.cast import TONIGHT, command
from tests.reports.packing import ends, packed, verified
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.racking import Racking, keeps_racks, pieces_of
from tests.tables.selling import carried, cleared, counted, ends_day, lies, proved, reverses, sells, shown
from tests.tables.selling import racking as racking

pytestmark = pytest.mark.two_houses


def never_sold(house: House, slip: Slip, *, by: Staff | None = None, **more: Any) -> Slip:
    cast = house.cast
    by = by or cast.frans
    signer = cast.frans if by == cast.mari else cast.mari
    signing = Filling(cast, at=house.at).signed(by, signer, NEEDS, never_sold_signs(slip.pk))
    arguments: dict[str, Any] = {"slip_id": slip.pk, "reason": "wrong_player", "approved_by_id": signer.pk} | more
    services.void_rack_sale(signing, **arguments)
    slip.refresh_from_db()
    return slip


def opens(house: House, slip: Slip) -> list[str]:
    """Return what the slip's page offers the cashier."""
    page = shown(house, f"/cage/slips/{slip.pk}/", by=house.cast.carla)
    found = re.findall(r'data-opens="([\w-]+)"', page)
    assert found == re.findall(r'<dialog id="(reverse|never-sold)"', page)
    return found


def mika(house: House) -> tuple[int, int]:
    """Return what the log has brought to Mika's seat, and what Mika has bought today."""
    day = GamingDay.objects.get(room_id=house.room_id, closed_at=None)
    seating = Seating.objects.get(player__nickname="Mika")
    return seating.chips_in_cents, crossed(seating.player_id, day).brought_cents


def test_what_never_was_leaves_the_player_and_explains_what_the_count_found(racking: Racking) -> None:
    house = racking.house
    slip = sells(house)
    counted(house, 500, 0)
    found = lies(house)
    assert (mika(house), house.figures()["rack_over_short"]) == ((100_00, 100_00), -100_00)

    never_sold(house, slip)

    assert (slip.status, slip.void_reason, slip.void_approved_by) == ("void", "wrong_player", house.cast.mari)
    assert (mika(house), lies(house)) == ((0, 0), found)
    figures = house.figures()
    assert (figures["rack_over_short"], figures["rack_cash_over_short"], figures["outside"]) == (0, 0, 0)
    assert proved(house) == []
    with pytest.raises(SlipNotPaid):
        never_sold(house, slip)


def test_on_another_day_nothing_is_said_and_nobody_is_sent_to_be_paid(racking: Racking) -> None:
    house = racking.house
    slip = sells(house)
    cleared(house, 500, 0)
    ends_day(house)
    house.next_day()

    with pytest.raises(NeverSoldDayOver):
        never_sold(house, slip)


def test_who_says_so_by_which_slip_and_when(racking: Racking) -> None:
    house = racking.house
    carla, anna = house.cast.carla, house.cast.anna
    bought: dict[str, Any] = {"drawer_id": house.drawer_id, "amount_cents": 50_00, "method": "cash"}
    at_cage = Slip.objects.get(id=house.tap(services.buy_in, carla, **bought).data["slip_id"])
    slip = sells(house)
    arguments: dict[str, Any] = {"slip_id": slip.pk, "reason": "wrong_player"}
    refused: list[tuple[type[Refusal], Any]] = [
        # Neither that chips lie there, nor that no cash does, was counted.
        (RackNotCounted, lambda: never_sold(house, slip)),
        (Malformed, lambda: never_sold(house, slip, reason="card_declined")),
        # Who sold it signs nothing.
        (NeedsAnotherApprover, lambda: house.tap(services.void_rack_sale, carla, **arguments, approved_by_id=anna.pk)),
        (SoldByNoRack, lambda: never_sold(house, at_cage)),
    ]
    for refusal, work in refused:
        with pytest.raises(refusal):
            work()
    counted(house, 400, 100)
    with pytest.raises(RackAgreed):
        never_sold(house, slip, by=house.cast.mari)

    # A later one finds it: the first was counted by eye.
    counted(house, 500, 0)

    assert never_sold(house, slip, by=carla).status == "void"


@pytest.mark.parametrize(
    "counts",
    [
        # A chip too few, and a count that was typed wrongly and put right.
        [(499, 0), (500, 0)],
        [(399, 100)],
        # As many chips are missing as were found: they may have been sold, and their cash taken.
        [(450, 0)],
        [(500, 50)],
        [(500, 0), (400, 100)],
        # The chips of it and more, and its cash all the same.
        [(600, 100)],
        # Not all of it: a part was sold.
        [(450, 50)],
    ],
)
def test_counts_have_found_the_chips_of_what_never_was_and_not_its_cash(
    racking: Racking, counts: list[tuple[int, int]]
) -> None:
    house = racking.house
    slip = sells(house)
    for chips, cash in counts:
        counted(house, chips, cash)
    is_found = counts[-1] == (500, 0)

    with nullcontext() if is_found else pytest.raises(RackFoundLess):
        never_sold(house, slip, by=house.cast.mari)

    assert proved(house) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("counts", "rest"),
    [
        # A chip is missing besides, or was put there; the count before had found it all.
        ([(499, 0)], (-1_00, 0)),
        ([(500, 1)], (0, 1_00)),
        ([(500, 0), (499, 0)], (-1_00, 0)),
    ],
)
def test_what_a_count_found_besides_is_judged_first_and_stays_the_racks(
    racking: Racking, counts: list[tuple[int, int]], rest: tuple[int, int]
) -> None:
    house, page = racking.house, "/floor/tables/1/rack/"
    slip = sells(house)
    for chips, cash in counts:
        counted(house, chips, cash)
    found = lies(house)
    with pytest.raises(RackNotJudged):
        never_sold(house, slip, by=house.cast.mari)
    assert "/never-sold/" not in shown(house, page)

    for todo in ToDo.objects.filter(done_at=None):
        house.tap(judge, house.cast.frans, table_id=house.table_id(), todo_id=todo.pk)
    assert f"/rack/sales/{slip.pk}/never-sold/" in shown(house, page)
    never_sold(house, slip)

    assert (mika(house), lies(house)) == ((0, 0), found)
    figures = house.figures()
    assert (-figures["rack_over_short"], -figures["rack_cash_over_short"], figures["outside"]) == (*rest, 0)
    assert proved(house) == []


def test_the_book_says_how_much_of_it_counts_must_have_found(racking: Racking) -> None:
    house = racking.house
    # Of a hundred ninety-nine are found, and that is not more than so many in a hundred.
    keeps_racks(house.room_id, sells="true", never_sold_over_percent=99)
    slip = sells(house)
    counted(house, 499, 0)

    with pytest.raises(RackFoundLess):
        never_sold(house, slip, by=house.cast.mari)


def test_the_racks_page_offers_each_sale_by_the_book_under_which_it_was_sold(racking: Racking) -> None:
    house = racking.house
    keeps_racks(house.room_id, sells="true", never_sold_over_percent=99)
    slip = sells(house)
    counted(house, 499, 0)
    house.tap(judge, table_id=house.table_id(), todo_id=ToDo.objects.get(kind="rack_differs", done_at=None).pk)
    keeps_racks(house.room_id, sells="true", never_sold_over_percent=50)
    house.at += timedelta(minutes=1)
    with as_owner():
        RuleBookVersion.objects.filter(id=RuleBookVersion.objects.latest("number").pk).update(holds_from=house.at)
    sells(house)

    day = GamingDay.objects.get(closed_at=None)
    assert slip not in maybe_never_sold(house.table(), day)


@pytest.mark.parametrize("never", [0, 1])
def test_a_difference_explains_one_sale_whichever_was_sold_first(racking: Racking, never: int) -> None:
    house = racking.house
    slips = [sells(house), sells(house, 100, again=True)]
    counted(house, 400, 100)

    never_sold(house, slips[never])
    with pytest.raises(RackFoundLess):
        never_sold(house, slips[1 - never], by=house.cast.mari)
    # To what is sold and counted later it is nothing.
    later = sells(house, 90)
    counted(house, 400, 100)

    assert never_sold(house, later).status == "void"
    assert not ToDo.objects.filter(done_at=None).exists()
    assert proved(house) == []


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_each_of_two_is_explained_by_its_own_count(racking: Racking, order: tuple[int, int]) -> None:
    house, slips = racking.house, []
    for _time in range(2):
        slips.append(sells(house, again=True))
        counted(house, 500, 0)

    never_sold(house, slips[order[0]])
    # What one count differed by is explained, and the other is the floor's still.
    left = ToDo.objects.filter(kind=ToDo.Kind.RACK_DIFFERS, done_at=None)
    assert left.count() == 1
    never_sold(house, slips[order[1]])

    assert not left.exists()
    assert proved(house) == []


@pytest.mark.parametrize(
    ("counts", "left"),
    [
        # It found all of it, and two more miss and find the same again: somebody looks at each of them.
        ([(100, 100), (-30, 0), (30, 0)], {2, 3}),
        ([(-30, 0), (130, 100)], {1, 2}),
        # One finds the chips and another the cash, or the rest of either.
        ([(100, 0), (0, 100)], set()),
        ([(70, 100), (30, 0)], set()),
        # Whose whole it is, though one before found some.
        ([(50, 0), (100, 100)], {1}),
    ],
)
def test_a_count_is_explained_where_it_differs_by_what_never_was_and_by_nothing_else(
    counts: list[tuple[int, int]], left: set[int]
) -> None:
    sold = Sold(place=1, transfer_id=1, at=TONIGHT, cents=100, void_transfer_id=9)
    found = [Found(number, 2, *each) for number, each in enumerate(counts, 1)]
    # What was counted after it was said is of something else.
    later = Found(8, 2, 100, 100, transfer_id=10)

    assert {each.check_id for each in found} - explained([*found, later], [sold]) == left


def test_a_count_that_came_late_and_found_the_same_is_explained_with_it(racking: Racking) -> None:
    house, dan = racking.house, racking.house.cast.dan
    slip, down = sells(house), racking.push(racking.house.cast.dan)
    tapped_at = house.at + timedelta(minutes=1)
    house.at += timedelta(minutes=5)
    counted(house, 500, 0)
    arguments: dict[str, Any] = {"down_id": down.pk, "pieces": pieces_of(500), "cash": []}
    signing = command(dan, at=house.at + timedelta(minutes=1), tapped_at=tapped_at)
    late = RackCheck.objects.get(id=check_rack(signing, table_id=down.table_id, **arguments).data["check"])
    assert (late.is_late, late.transfer_id, late.difference_cents) == (True, None, 100_00)

    never_sold(house, slip)

    assert not ToDo.objects.filter(kind=ToDo.Kind.RACK_DIFFERS, done_at=None).exists()


def test_chips_may_be_counted_before_the_cash(racking: Racking) -> None:
    house = racking.house
    slip = sells(house)
    racking.count(500)
    with pytest.raises(RackCashNotCounted):
        never_sold(house, slip, by=house.cast.mari)
    counted(house, 500, 0)

    assert never_sold(house, slip).status == "void"
    assert proved(house) == []


def test_the_reports_tell_it_from_what_was_reversed(racking: Racking) -> None:
    house = racking.house
    slip = sells(house)
    reverses(house, sells(house, 50))
    counted(house, 502, 0)
    never_sold(house, slip)

    report = day_report(house.cast.room)

    (play,) = report.cash_plays
    assert (play.sold.back_cents, play.sold.never, play.sold.never_cents, play.cents) == (50_00, 1, 100_00, 0)
    assert [(each.cents, each.posted_cents) for each in report.slips] == [(0, 0)]
    (ran,) = report.tables
    assert (ran.over_short_cents, ran.rack_over_short_cents, ran.rack_cash_over_short_cents) == (2_00, 2_00, 0)
    # What it explains is in neither of the two any more.
    assert {
        row.kind: row.closing_cents for row in report.trial if row.kind.startswith("rack_") and "short" in row.kind
    } == {
        "rack_over_short": -2_00,
        "rack_cash_over_short": 0,
    }
    written = as_csv(["day"], list(sheets_of(report)), house.cast.room)
    assert "\r\n1,Anna,2,15000,1,5000,1,10000,0\r\n" in written
    assert ",tips_cents,over_short_cents,rack_over_short_cents,rack_cash_over_short_cents\r\n" in written
    span, own = span_of(house.cast.room, None, None), kind_of("slips_taken_back")
    assert own is not None
    cases = cases_of(own, span, house.cast.anna.pk, Reader(house.room_id, house.cast.room.currency, "en", frozenset()))
    assert ["never sold" in case.words for case in cases] == [True, False]
    assert [each.staff_id for each in counted_in(span) if each.code == "never_sold"] == [house.cast.frans.pk]


def test_what_racks_differ_by_stands_beside_what_it_is_of_though_that_is_nothing(racking: Racking) -> None:
    house = racking.house
    sells(house)
    counted(house, 500, 0)

    (tables,) = (each for each in sheets_of(day_report(house.cast.room)) if each.name == "tables")

    assert [row["over_short"] for row in tables.rows] == [0]
    assert "over_short" in [column.name for column in tables.shown()]


def test_who_counts_is_offered_what_counts_say_and_reads_no_sum_of_it(racking: Racking) -> None:
    house, page = racking.house, "/floor/tables/1/rack/"
    sells(house)
    slip = sells(house, 77)
    counted(house, 323, 177)
    assert "/never-sold/" not in shown(house, page)
    counted(house, 403, 97)
    sells(house, 50)

    offered, sums = shown(house, page), shown(house, page, by=house.cast.mari)

    assert offered.count("/never-sold/") == 1
    assert f"/rack/sales/{slip.pk}/never-sold/" in offered
    # Beside the difference the sums of what was sold would say what cash the next count is to find.
    assert [f"{money(77_00, house.cast.room)}<" in shows for shows in (offered, sums)] == [False, True]
    assert opens(house, slip) == ["never-sold"]


@pytest.mark.slow
def test_a_slips_page_offers_what_can_be_done_now_and_says_why_not_the_other(racking: Racking) -> None:
    house = racking.house
    slip = sells(house)
    carla, page = house.cast.carla, f"/cage/slips/{slip.pk}/"
    assert opens(house, slip) == ["reverse"]
    # That no count has seen it yet tells nothing of what one will find: the cashier reads it too.
    for by in (house.cast.mari, carla):
        assert "The rack was not counted since the sale. Reverse the slip" in shown(house, page, by=by)

    counted(house, 400, 100)

    assert opens(house, slip) == []
    assert "Chips that a player holds are paid out" in shown(house, page, by=carla)
    assert "the chips were sold" in shown(house, page, by=house.cast.mari)
    # What counts have found bounds what the next one is to find, which a cashier counts blind.
    assert "Counts of its rack do not show that" in (read := shown(house, page, by=carla))
    assert "the chips were sold" not in read
    counted(house, 500, 0)
    assert opens(house, slip) == ["never-sold"]


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        pytest.param([(500, None)], RackCashNotCounted, marks=pytest.mark.slow),
        pytest.param([(400, 100)], RackAgreed, marks=pytest.mark.slow),
        pytest.param([(450, 50)], RackFoundLess, marks=pytest.mark.slow),
        ([(499, 0)], RackNotJudged),
    ],
)
def test_who_counts_racks_is_refused_alike_whatever_their_counts_have_found(
    racking: Racking, counts: list[tuple[int, int | None]], why: type[Refusal]
) -> None:
    house, slip = racking.house, sells(racking.house)
    for chips, cash in counts:
        racking.count(chips) if cash is None else counted(house, chips, cash)

    for by, refusal in (
        (house.cast.carla, RackCountsUnseen),
        (house.cast.frans, RackCountsUnseen),
        (house.cast.mari, why),
    ):
        with pytest.raises(refusal):
            never_sold(house, slip, by=by)
        # The log knows why.
        assert Event.objects.filter(name="cage.void_rack_sale").latest("id").result == why.code


def test_a_slips_page_says_nothing_of_the_cash_that_lies_in_the_rack(racking: Racking) -> None:
    house = racking.house
    slips = [sells(house), sells(house, 60)]
    carried(house, 120_00)

    # 40 lie there: either can be asked for, and neither goes.
    assert [opens(house, slip) for slip in slips] == [["reverse"], ["reverse"]]
    for slip in slips:
        with pytest.raises(RackCashShort):
            reverses(house, slip)


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE tables_rackcheck SET cash_cents = expected_cash_cents, cents = expected_cents", "racks_never_sold"),
        ("UPDATE tables_rackcheck SET cents = cents - 5000", "racks_never_sold"),
        ("UPDATE tables_rackcheck SET cents = cents - 100; UPDATE tables_todo SET done_at = NULL", "racks_never_sold"),
        ("UPDATE cage_slip SET amount_cents = amount_cents + 100", "rack_posted"),
    ],
)
def test_the_proof_finds_what_was_planted(racking: Racking, statement: str, found: str) -> None:
    house = racking.house
    slip = sells(house)
    counted(house, 500, 0)
    never_sold(house, slip)

    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE tables_rackcheck DISABLE TRIGGER USER")
        cursor.execute(statement)

    assert found in {each.what for each in problems(house.room_id)}


@pytest.mark.slow
def test_a_pack_of_a_day_with_cash_plays_holds_by_its_script(racking: Racking, tmp_path: Path) -> None:
    house, first = racking.house, TONIGHT.date()
    sells(house)
    reverses(house, sells(house, 50))
    never = sells(house, 110)
    counted(house, 400, 80)
    never_sold(house, never)
    cleared(house, 400, 80)
    ends(house)
    house.close_drawer()
    with clock.frozen(house.at):
        sealer = seal(tmp_path)
        house.close_day()
        seal(tmp_path, sealer)
        (ran,) = day_report(house.cast.room, first).tables

    assert ran.over_short_cents == -20_00
    assert verified(packed(house, first, first)).wrong == []
