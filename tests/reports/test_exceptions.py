"""The exception report: each kind of a small evening counted by hand, who sees whom, and what lies behind a figure."""

import csv
import io
import uuid
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import pytest
from babel.numbers import format_decimal
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.cage.models import DrawerCount, Slip
from casino.cage.services import buy_in, open_day
from casino.ledger.templatetags.money import money
from casino.people.exception_report import exception_kinds
from casino.people.models import Staff
from casino.people.selectors import actor_at_desktop
from casino.reports.errors import NoDayInSpan, OwnFigures, SpanBackwards, SpanTooLong
from casino.reports.exception_columns import MARK_WORDS, OF_PEOPLE, OF_ROOM
from casino.reports.exception_sheets import cases_url, exception_sheets_of
from casino.reports.selectors.exceptions import (
    DAYS_MAX,
    ExceptionReport,
    KindFigures,
    PersonFigure,
    cases_behind,
    exception_report,
    span_of,
)
from casino.reports.standing_out import Figure, Mark
from casino.waiting.models import WaitingList
from casino.waiting.services.lists import join_list, reorder_list
from tables.models import Hand, ToDo
from tables.services import choosing
from tables.services.chips import count_tip_box
from tables.services.corrections import correct_hand, undo_hand, void_settled_hand
from tables.services.downs import push_dealer
from tables.services.hands import skip_hand, void_hand
from tables.services.setup import add_table
from tests.boxes.hanging import Hanging
from tests.cage.counting import closes, recounts
from tests.cage.filling import Filling, filled_at_once
from tests.cast import TONIGHT
from tests.reports.test_day_report import SIX, closed
from tests.reports.test_noteworthy_and_reversed import reversed_by_two
from tests.support.books import adds_to_book, fills_in_one_step
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.racking import Racking, keeps_racks
from tests.tables.tipping import take
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses

DAY = TONIGHT.date()
# Days (2), people (2), the log (2), hands, charges, time, stacks, slips, reversals, drawers, own drawers, what
# was put off, fills, the vault, boxes, racks, tips.
QUERIES = 22


@dataclass
class Officer:
    """Somebody who holds compliance, and reads."""

    house: House
    staff: Staff

    def reads(self, first: date | None = None, last: date | None = None) -> ExceptionReport:
        with clock.frozen(self.house.at):
            return exception_report(self.house.cast.room, actor_at_desktop(self.staff), first, last)

    def get(self, path: str) -> Any:
        with clock.frozen(self.house.at):
            return at_desktop(self.staff).get(path)

    def behind(self, code: str, of: Staff) -> list[Any]:
        span = span_of(self.house.cast.room, None, None)
        by = actor_at_desktop(self.staff)
        return cases_behind(self.house.cast.room, by, code=code, staff_id=of.pk, span=span)[2]


def somebody(house: House, name: str, *roles: str) -> Staff:
    return Staff.objects.create(
        room=house.cast.room, username=name, display_name=name.title(), roles=list(roles), created_at=TONIGHT
    )


@pytest.fixture
def vera(house: House) -> Officer:
    return Officer(house, somebody(house, "vera", "compliance"))


def of(found: ExceptionReport, code: str) -> KindFigures:
    return next(each for each in found.kinds if each.kind.code == code)


def cases_by_name(found: ExceptionReport, code: str) -> dict[str, tuple[int, int, int]]:
    """Return who had cases of a kind: how many, of how many, and the cents."""
    people = of(found, code).people
    return {each.name: (each.figure.count, each.figure.basis, each.cents) for each in people if each.figure.count}


def evening(house: House) -> None:
    """
    Anna deals five hands that stand, one of them without a flop and two with 1.00 of rake too little, and undoes one;
    Dan deals one, has a misdeal and one that is not logged. The floor voids, corrects, overrules and reorders.
    """
    cast, boxes = house.cast, Hanging(house)
    house.open(1, **SIX)
    table_id = house.table_id()
    rake = boxes.hang(7)
    down = house.tap(push_dealer, table_id=table_id, dealer_id=cast.anna.pk).data["down"]
    due = house.settle(86_00).due("rake")
    house.settle()
    for _ in range(2):
        house.settle(86_00, taken={"rake": due - 1_00})
    undone = house.settle(86_00)
    house.tap(undo_hand, cast.anna, table_id=table_id, hand_id=undone.hand_id)
    void, wrong = house.settle(86_00), house.settle(86_00)
    house.tap(void_settled_hand, table_id=table_id, hand_row_id=void.pk, reason="wrong_table")
    corrected = house.logged(40_00)
    house.tap(correct_hand, table_id=table_id, hand_row_id=wrong.pk, hand=corrected, reason="wrong_pot")
    house.tap(push_dealer, table_id=table_id, dealer_id=cast.dan.pk, down_id=down)
    house.settle(86_00, by=cast.dan)
    house.tap(void_hand, cast.dan, table_id=table_id, hand=house.logged(), reason="misdeal")
    house.tap(skip_hand, cast.dan, table_id=table_id, hand=house.logged())
    house.tap(count_tip_box, table_id=table_id, counted_cents=5_000_00)
    boxes.drop()
    boxes.count(rake, 1)
    entries = [
        house.tap(join_list, game_id=house.game().pk, player_id=house.player(name).pk).data["waiting"]
        for name in ("Riku", "Aino")
    ]
    house.tap(choosing.seat, table=house.table(), seat_number=8, player_id=house.player("Ville").pk)
    version = WaitingList.objects.get().version
    house.tap(reorder_list, waiting_id=entries[1], before_id=entries[0], reason="wrong_order", version=version)
    for cents in (50_00, 30_00, 20_00):
        house.tap(buy_in, cast.carla, drawer_id=house.drawer_id, amount_cents=cents, method="cash")
    reversed_by_two(house, Slip.objects.latest("id"))
    house.close_drawer(short_cents=5_00)


@pytest.mark.smoke
def test_each_kind_of_an_evening_is_counted_by_who_did_it(house: House, vera: Officer) -> None:
    evening(house)
    found = vera.reads()

    assert cases_by_name(found, "undone") == {"Anna": (1, 7, 0)}
    assert cases_by_name(found, "misdealt") == {"Dan": (1, 3, 0)}
    assert cases_by_name(found, "skipped") == {"Dan": (1, 3, 0)}
    assert cases_by_name(found, "no_flop") == {"Anna": (1, 5, 0)}
    assert cases_by_name(found, "under_due") == {"Anna": (2, 5, 2_00)}
    assert cases_by_name(found, "stacks_above_play")["Dan"][:2] == (1, 3)
    assert cases_by_name(found, "voided") == {"Frans": (1, 1, 0)}
    assert cases_by_name(found, "corrected") == {"Frans": (1, 1, 0)}
    assert cases_by_name(found, "overruled") == {"Frans": (1, 1, 0)}
    assert cases_by_name(found, "reordered") == {"Frans": (1, 1, 0)}
    # Nobody knows whose hand it was that the box lacks.
    assert {name: each[:2] for name, each in cases_by_name(found, "boxes_short").items()} == {
        "Anna": (1, 1),
        "Dan": (1, 1),
    }
    # And what the box lacks is missing once, whoever it may be.
    boxes = of(found, "boxes_short")
    assert (boxes.room, boxes.cents) == (Figure(1, 1), boxes.people[0].cents)
    assert cases_by_name(found, "slips_taken_back") == {"Carla": (1, 3, 20_00)}
    assert cases_by_name(found, "reversals_asked") == {"Carla": (1, 3, 0)}
    assert cases_by_name(found, "reversals_approved") == {"Frans": (1, 1, 20_00)}
    assert cases_by_name(found, "drawers_short") == {"Carla": (1, 1, 5_00)}
    assert cases_by_name(found, "prepared") == {}
    assert {each.kind.code for each in found.kinds} == {kind.code for kind in exception_kinds()}


@pytest.mark.parametrize("clock_runs", [timedelta(minutes=1), timedelta(minutes=-30)], ids=["on", "back"])
def test_a_short_drawer_is_also_whose_reversal_moved_its_money(
    house: House, vera: Officer, clock_runs: timedelta
) -> None:
    house.at += timedelta(minutes=1)
    house.tap(buy_in, house.cast.carla, drawer_id=house.drawer_id, amount_cents=50_00, method="cash")
    # By the order of things, whatever the clock says: by it the reversal may be of before the drawer was opened.
    house.at += clock_runs
    reversed_by_two(house, Slip.objects.latest("id"), by=house.cast.mari)
    house.close_drawer(short_cents=5_00)

    found = vera.reads()
    assert cases_by_name(found, "drawers_short") == {"Carla": (1, 1, 5_00), "Mari": (1, 1, 5_00)}
    drawers = of(found, "drawers_short")
    assert (drawers.room, drawers.cents) == (Figure(1, 1), 5_00)


def test_who_counts_their_own_drawer_where_the_book_lets_them_is_told(house: House, vera: Officer) -> None:
    carla, mari = house.cast.carla, house.cast.mari
    house.at += timedelta(minutes=1)
    for by in (carla, mari):
        house.tap(buy_in, by, drawer_id=house.drawer_id, amount_cents=50_00, method="card")
    adds_to_book(house.room_id, '\n[signing]\nown_drawer = "counted"\n')
    closes(carla, mari, house.drawer_id, card=100_00, at=house.at)
    recounts(mari, house.cast.frans, card=100_00, at=house.at)

    (case,) = vera.behind("own_drawers_counted", carla)

    # Frans, who counted again, has not paid from it.
    assert cases_by_name(vera.reads(), "own_drawers_counted") == {"Carla": (1, 1, 0)}
    assert (case.at, case.chain) == (house.at, "drawer.1")
    assert DrawerCount.objects.earliest("id").counted_by_id == carla.pk


def test_who_fills_in_one_step_where_the_book_lets_them_is_told(house: House, vera: Officer) -> None:
    carla, frans, drawer = house.cast.carla, house.cast.frans, house.drawer_id
    house.at += timedelta(minutes=1)
    fills_in_one_step(house.room_id)

    slips = [filled_at_once(carla, frans, drawer, 50_00, kind=kind, at=house.at) for kind in ("fill", "fill", "credit")]
    (credit,) = vera.behind("credits_in_one_step", carla)

    assert cases_by_name(vera.reads(), "fills_in_one_step") == {"Carla": (2, 1, 0)}
    assert cases_by_name(vera.reads(), "credits_in_one_step") == {"Carla": (1, 1, 0)}
    assert (credit.at, credit.chain) == (house.at, "drawer.1")
    assert (
        credit.words == f"Drawer 1 gave {money(50_00, house.cast.room)} to the vault (slip 1–0000{slips[-1].number})."
    )


def test_who_fills_or_empties_a_rack_in_one_step_is_told(house: House, vera: Officer) -> None:
    racking, frans = Racking(house), house.cast.frans
    keeps_racks(house.room_id)
    fills_in_one_step(house.room_id, is_so=False)
    # By slips nothing is out of the ordinary.
    racking.fill(200)
    racking.close(200)
    assert cases_by_name(vera.reads(), "racks_filled_in_one_step") == {}
    fills_in_one_step(house.room_id)

    racking.fill(100)
    racking.fill(100)
    racking.clear(400)

    (cleared,) = vera.behind("racks_cleared_in_one_step", frans)
    assert cases_by_name(vera.reads(), "racks_filled_in_one_step") == {"Frans": (2, 1, 0)}
    assert cases_by_name(vera.reads(), "racks_cleared_in_one_step") == {"Frans": (1, 1, 0)}
    assert (cleared.at, cleared.chain) == (house.at, "table.1")
    assert cleared.words.startswith("The rack of table 1 was counted and brought to the vault")


def test_a_runner_who_brings_less_than_was_signed_for_is_told(house: House, vera: Officer) -> None:
    house.at += timedelta(minutes=1)
    fills = Filling(house.cast, at=house.at)
    fills.counts(fills.sent(1_000_00, 500_00), 950_00, 500_00)
    fills.counts(fills.sent(100_00), 105_00)

    (case,) = vera.behind("fills_short", house.cast.dan)

    assert cases_by_name(vera.reads(), "fills_short") == {"Dan": (1, 2, 50_00)}
    assert case.words.startswith("Fill slip 1: 50")
    assert case.chain == "vault"


def test_a_rack_and_a_tip_box_that_are_short_are_told_of_who_dealt_there(house: House, vera: Officer) -> None:
    anna, dan, racking = house.cast.anna, house.cast.dan, Racking(house)
    racking.begin(200)
    racking.check(racking.push(anna), 200)
    racking.check(racking.push(dan), 190)
    racking.check(racking.push(anna), 195)
    house.tap(count_tip_box, anna, table_id=house.table_id(), counted_cents=30_00)
    take(house, 20, anna)

    assert {name: (each[0], each[2]) for name, each in cases_by_name(vera.reads(), "racks_short").items()} == {
        "Anna": (1, 10_00)
    }
    (rack,), (tips,) = vera.behind("racks_short", anna), vera.behind("tip_boxes_short", anna)
    assert rack.words == f"Table 1, count 2 of the rack: {money(10_00, house.cast.room)} missing"
    assert tips.words == f"Table 1, count 1 of the tip box: {money(10_00, house.cast.room)} missing"
    assert vera.behind("racks_short", dan) == []


@pytest.mark.slow
def test_what_lies_behind_each_figure_is_as_many_cases_and_leads_to_them(house: House, vera: Officer) -> None:
    evening(house)
    found = vera.reads()

    for each in found.kinds:
        for person in each.people:
            if person.staff_id is None or not person.figure.count:
                continue
            who = next(staff for staff in house.cast.staff.values() if staff.pk == person.staff_id)
            assert len(vera.behind(each.kind.code, who)) == person.figure.count, each.kind.code
            page = vera.get(cases_url(each, person, found.span))
            assert page.status_code == 200
            assert page.content.decode().count("<tr") == person.figure.count + 1, each.kind.code
    (short,) = (case for case in vera.behind("drawers_short", house.cast.carla))
    assert f"Drawer 1: {money(5_00, house.cast.room)} missing" in short.words
    assert vera.get(short.url).status_code == 200
    (dry,) = vera.behind("no_flop", house.cast.anna)
    assert vera.get(dry.url).status_code == 200


def test_people_are_compliance_s_to_see_and_nobody_else_s(house: House, vera: Officer) -> None:
    evening(house)
    paths = ("/reports/exceptions/", "/reports/exceptions/exceptions.csv", "/api/v1/reports/exceptions")
    anna = f"/reports/exceptions/cases/?kind=no_flop&staff={house.cast.anna.pk}"
    with clock.frozen(house.at):
        seen = {name: [at_desktop(house.cast.staff[name]).get(path) for path in paths] for name in ("mari", "olavi")}
        barred = [at_desktop(house.cast.staff[name]).get(paths[0]).status_code for name in ("frans", "anna", "carla")]
        behind = [at_desktop(house.cast.staff[name]).get(anna).status_code for name in ("mari", "olavi")]
    mine = [vera.get(path) for path in paths]
    own = vera.get(f"/api/v1/reports/exceptions/cases?kind=no_flop&staff_id={vera.staff.pk}")

    assert (own.status_code, own.json()["code"]) == (403, OwnFigures.code)
    for answers in seen.values():
        assert [each.status_code for each in answers] == [200] * 3
        texts = [each.content.decode() for each in answers]
        # Who reads is named in the strip; whoever did something is not.
        assert not any(name in text for text in texts for name in ("Anna", "Frans", "Carla"))
        assert all(kind["people"] is None for kind in answers[2].json()["kinds"])
        assert [kind["cases"] for kind in answers[2].json()["kinds"]] == [
            kind["cases"] for kind in mine[2].json()["kinds"]
        ]
    assert (barred, behind) == ([403] * 3, [403] * 2)
    assert all("Anna" in each.content.decode() for each in mine[:2])
    dry = next(kind for kind in mine[2].json()["kinds"] if kind["kind"] == "no_flop")
    assert (dry["cases"], dry["basis_count"], dry["rate_hundredths"]) == (1, 6, 16_67)
    (figure,) = (person for person in dry["people"] if person["cases"])
    assert figure == {
        "staff_id": house.cast.anna.pk, "cases": 1, "basis_count": 5, "rate_hundredths": 20_00, "amount_cents": None,
        "times_average_tenths": 12, "mark": "few",
    }  # fmt: skip


@pytest.mark.slow
def test_a_call_and_the_sheets_have_the_same_figures(house: House, vera: Officer) -> None:
    evening(house)
    sheets = {sheet.name: sheet for sheet in exception_sheets_of(vera.reads())}
    kinds = vera.get("/api/v1/reports/exceptions").json()["kinds"]

    for kind, row in zip(kinds, sheets["room"].rows, strict=True):
        assert set(kind) == {"kind", "basis", "per", "people", *(each.field for each in OF_ROOM)}
        assert [kind[each.field] for each in OF_ROOM] == [row[each.name] for each in OF_ROOM]
        had = [person for person in kind["people"] if person["cases"]]
        for person, figures in zip(had, sheets[kind["kind"]].rows, strict=True):
            assert set(person) == {"staff_id", *(each.field for each in OF_PEOPLE)}
            by_call = {**{each.name: person[each.field] for each in OF_PEOPLE}, "mark": str(MARK_WORDS[person["mark"]])}
            assert by_call == {"amount": None, **{name: figures[name] for name in figures if name != "person"}}
        assert {each.name for each in sheets[kind["kind"]].columns} >= {each.name for each in OF_PEOPLE} - {"amount"}


def test_who_reads_the_books_comes_by_the_day_and_an_officer_by_a_desk_of_their_own(
    house: House, vera: Officer
) -> None:
    with clock.frozen(house.at):
        days = [at_desktop(house.cast.olavi).get(path).content.decode() for path in ("/cage/day/", "/reports/")]
    officer = vera.get("/reports/exceptions/").content.decode()

    assert 'href="/reports/exceptions/"' in days[0]
    assert f'href="/reports/exceptions/?from={DAY}&amp;to={DAY}"' in days[1]
    assert 'href="/reports/exceptions/" aria-current="page"' in officer
    assert vera.get("/").headers["Location"] == "/reports/exceptions/"


@pytest.mark.slow
def test_an_officer_sees_everybody_but_themselves_and_the_page_says_who_they_are(house: House, vera: Officer) -> None:
    evening(house)
    Staff.objects.filter(pk=house.cast.frans.pk).update(roles=["floor", "manager", "compliance"])
    frans = Officer(house, Staff.objects.get(pk=house.cast.frans.pk))
    found = frans.reads()
    page = frans.get("/reports/exceptions/").content.decode()
    call = frans.get(f"/api/v1/reports/exceptions/cases?kind=voided&staff_id={house.cast.frans.pk}")

    assert cases_by_name(found, "voided") == {}
    assert of(found, "voided").room.count == 1
    assert cases_by_name(vera.reads(), "voided")["Frans"][0] == 1
    assert frans.get(f"/reports/exceptions/cases/?kind=voided&staff={house.cast.frans.pk}").status_code == 403
    assert (call.status_code, call.json()["code"]) == (403, OwnFigures.code)
    assert found.officers == [("Frans", True), ("Vera", False)]
    assert page.count("manages too") == 1


@pytest.mark.slow
def test_who_stands_out_is_first_and_marked(house: House, vera: Officer) -> None:
    """Dan undoes six hands of twelve, Anna none of sixty."""
    house.open(1, **SIX)
    table_id = house.table_id()
    standing = house.settle(86_00)
    Hand.objects.bulk_create(_copies(standing, 59, house.cast.anna) + _copies(standing, 6, house.cast.dan))
    for _ in range(6):
        hand = house.settle(86_00, by=house.cast.dan)
        house.tap(undo_hand, house.cast.dan, table_id=table_id, hand_id=hand.hand_id)
    found = vera.reads()
    page = vera.get("/reports/exceptions/").content.decode()

    undone = of(found, "undone")
    assert (undone.room.count, undone.room.basis) == (6, 72)
    assert [(each.name, person.name) for each, person in _names(found)] == [("undone", "Dan")]
    assert "Who stands out" in page
    assert page.index('id="sheet-standing_out"') < page.index('id="sheet-room"') < page.index('id="sheet-undone"')
    assert f"{format_decimal(6, '0.0', locale=house.cast.room.locale)}</td>" in page


@dataclass(frozen=True)
class _Named:
    name: str


def _names(found: ExceptionReport) -> list[tuple[_Named, PersonFigure]]:
    return [(_Named(each.kind.code), person) for each, person in found.standing_out if person.mark == Mark.STANDS_OUT]


def _copies(hand: Hand, count: int, dealer: Staff) -> list[Hand]:
    """Return rows of hands like one that was logged, by a dealer: what a long night leaves."""
    first = 10_000 * dealer.pk
    return [
        Hand(
            room_id=hand.room_id, table_id=hand.table_id, opening_id=hand.opening_id, day_id=hand.day_id,
            number=first + index, hand_id=uuid.uuid4(), status=hand.status, dealer_id=dealer.pk,
            rule_book_version_id=hand.rule_book_version_id, dealt_at=hand.dealt_at, settled_at=hand.settled_at,
            street="beyond", pot_cents=86_00,
        )
        for index in range(count)
    ]  # fmt: skip


@pytest.mark.slow
def test_a_span_has_its_days_and_no_others(house: House, vera: Officer) -> None:
    house.open(1, **SIX)
    hand = house.settle(86_00)
    house.tap(void_settled_hand, table_id=house.table_id(), hand_row_id=hand.pk, reason="wrong_table")
    closed(house)
    house.close_drawer(short_cents=1_00)
    house.close_day()
    house.at += timedelta(days=1)
    house.tap(open_day, house.cast.mari)
    house.open_drawer(500_00)
    house.open(1, Lee=1, Kai=2)
    again = house.settle(86_00)
    house.tap(void_settled_hand, table_id=house.table_id(), hand_row_id=again.pk, reason="wrong_table")
    yesterday, today = vera.reads(DAY), vera.reads()
    both = vera.reads(DAY, DAY + timedelta(days=1))

    voided = [cases_by_name(found, "voided")["Frans"][:2] for found in (yesterday, today, both)]
    assert voided == [(1, 1), (1, 1), (2, 2)]
    assert [cases_by_name(found, "drawers_short") for found in (today, both)] == [{}, {"Mari": (1, 1, 1_00)}]
    assert [found.is_open for found in (yesterday, today, both)] == [False, True, True]
    (person,) = (person for person in of(both, "voided").people if person.figure.count)
    page = vera.get(cases_url(of(both, "voided"), person, both.span)).content.decode()
    (person,) = (person for person in of(yesterday, "voided").people if person.figure.count)
    before = vera.get(cases_url(of(yesterday, "voided"), person, yesterday.span)).content.decode()
    assert (page.count("<tr"), before.count("<tr")) == (3, 2)
    assert "Done by" in page


@pytest.mark.parametrize(
    ("query", "code", "status"),
    [
        ("from=2026-11-21&to=2026-11-20", SpanBackwards, 400),
        (f"from=2026-01-01&to={date(2026, 1, 1) + timedelta(days=DAYS_MAX)}", SpanTooLong, 400),
        ("from=2025-01-01&to=2025-01-02", NoDayInSpan, 404),
    ],
)
def test_days_that_are_no_span_are_refused_in_words(house, vera, query, code, status):
    page = vera.get(f"/reports/exceptions/?{query}")
    file = vera.get(f"/reports/exceptions/exceptions.xlsx?{query}")
    call = vera.get(f"/api/v1/reports/exceptions?{query.replace('from=', 'first=').replace('to=', 'last=')}")

    assert [page.status_code, file.status_code, call.status_code] == [status] * 3
    assert call.json()["code"] == code.code
    assert str(code.sentence).split("%")[0][:20] in page.content.decode()


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("kind=none&staff=1", 400),
        ("kind=no_flop", 400),
        ("kind=no_flop&staff=x", 400),
        ("kind=no_flop&staff=99999999", 404),
    ],
)
def test_cases_of_nothing_and_of_nobody_are_no_page(vera, query, status):
    assert vera.get(f"/reports/exceptions/cases/?{query}").status_code == status


def test_a_house_without_a_day_and_a_day_without_an_event_have_a_page(house: House, vera: Officer) -> None:
    page = vera.get("/reports/exceptions/").content.decode()
    with clock.frozen(house.at):
        other = at_desktop(somebody(house, "max", "compliance", "manager")).get("/reports/exceptions/")

    assert "Nobody stands out" in page
    assert other.status_code == 200


def test_it_asks_as_often_whatever_the_night_came_to(house: House, vera: Officer) -> None:
    def queries_needed() -> int:
        with clock.frozen(house.at), CaptureQueriesContext(connection) as queries:
            exception_report(house.cast.room, actor_at_desktop(vera.staff))
        return len(queries)

    few = queries_needed()
    evening(house)
    for number in range(3, 6):
        house.tap(add_table, house.cast.mari, number=number)
        house.open(number)
    ToDo.objects.all().update(done_at=house.at)
    many = queries_needed()

    assert (few, many) == (QUERIES, QUERIES)


@pytest.mark.slow
def test_the_file_has_the_same_figures_as_the_page(house: House, vera: Officer) -> None:
    evening(house)
    with as_owner():
        Staff.objects.filter(pk=house.cast.dan.pk).update(display_name="=1+1")
    rows = list(csv.reader(io.StringIO(vera.get("/reports/exceptions/exceptions.csv").content.decode())))
    book = vera.get("/reports/exceptions/exceptions.xlsx")

    assert rows[0] == ["exceptions", str(DAY), str(DAY), "open"]
    first = rows.index(["under_due", "Less taken than was due"])
    assert rows[first + 1] == [
        "person", "basis_count", "cases", "rate_hundredths", "times_average_tenths", "amount_cents", "mark",
    ]  # fmt: skip
    assert rows[first + 2] == ["Anna", "5", "2", "4000", "12", "200", "few cases"]
    assert any(row[:1] == ["'=1+1"] for row in rows)
    assert book["Content-Disposition"] == f'attachment; filename="exceptions-{DAY}-{DAY}.xlsx"'
    assert book.content[:2] == b"PK"
