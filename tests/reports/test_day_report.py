"""The gaming day's report: every figure of a small evening worked out by hand, and what the ledger says of the same."""

import csv
import io
import re
import zipfile
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from casino import clock
from casino.cage.services import buy_in, cash_out, open_day
from casino.ledger.selectors.accounts import trial_balance
from casino.ledger.templatetags.money import money
from casino.reports.charts import chart, round_up
from casino.reports.errors import NoDayOfDate
from casino.reports.figures import Charged, DayReport, Ran
from casino.reports.files import sheet_names
from casino.reports.selectors.day import day_report
from casino.reports.sheets import sheets_of
from casino.rooms.models import GamingDay
from tables.models import HandCharge, Opening, Seating
from tables.services.corrections import correct_hand, supply_hand, undo_hand, void_settled_hand
from tables.services.downs import end_down, push_dealer
from tables.services.hands import skip_hand
from tables.services.moving import move_player
from tables.services.opening import close_table
from tables.services.seating import leave_seat
from tables.services.setup import add_table
from tables.services.stakes import change_stakes
from tests.acts.cage import close_tables
from tests.boxes.hanging import Hanging
from tests.cage.bad_night import bad_night
from tests.cage.carrying_over import carlas, carries, sells
from tests.cage.filling import Filling
from tests.cast import TONIGHT, make_cast
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.test_playing_on import counts_through
from tests.taps import at_desktop, on_device

pytestmark = pytest.mark.two_houses

SIX = {"Lee": 1, "Kai": 2, "Timo": 3, "Mika": 4, "Pekka": 5, "Jo": 6}
DAY = TONIGHT.date()
HOUR = timedelta(hours=1)
GAME = "No limit hold'em 2/2"


def report(house: House, on: Any = None) -> DayReport:
    with clock.frozen(house.at):
        return day_report(house.cast.room, on)


def at(house: House, hours: float) -> None:
    """Have the next tap be so many hours after the day began."""
    house.at = TONIGHT + timedelta(hours=hours) - timedelta(seconds=1)


def closed(house: House, number: int = 1) -> None:
    """Have everybody leave a table with their 200 €, as far as it goes, and close it."""
    for seating in Seating.objects.filter(table=house.table(number), left_at=None).order_by("id"):
        house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=0)
    house.tap(close_table, table_id=house.table_id(number))


def seconds(moment: datetime | None, since: datetime) -> int:
    assert moment is not None
    return int((moment - since).total_seconds())


def of_table(found: DayReport, number: int = 1) -> Ran:
    (ran,) = (each for each in found.tables if each.table_number == number)
    return ran


@pytest.mark.smoke
@pytest.mark.helsinki
def test_every_figure_of_a_small_evening_is_what_it_comes_to_by_hand(house: House) -> None:
    """
    Table 1 from 0:00 to 2:00: Anna deals an hour and three hands of 86 €, each 4 € rake and 1 € drop; Dan one, which he
    undoes. The rake box holds 12 € and 4 € more, and has 1 € too little; the drop box is not counted. Lee buys 100 €
    in cash and 50 € by card, and is paid 30 €; whom nobody names is paid 20 €. The drawer is 5 € short.
    """
    anna, dan, lee = house.cast.anna, house.cast.dan, house.player("Lee")
    boxes = Hanging(house)
    at(house, 0)
    house.open(1, **SIX)
    rake, _drop = boxes.hang(7), boxes.hang(8, "drop")
    opened = Opening.objects.get()
    began = opened.opened_at
    table_id = house.table_id()
    at(house, 0.5)
    pushed = house.tap(push_dealer, table_id=table_id, dealer_id=anna.pk).data["down"]
    for _ in range(3):
        house.settle(86_00, by=anna)
    for cents, method in ((100_00, "cash"), (50_00, "card")):
        house.tap(
            buy_in, house.cast.carla, drawer_id=house.drawer_id, amount_cents=cents, method=method, player_id=lee.pk
        )
    for cents, player_id, unnamed in ((30_00, lee.pk, None), (20_00, None, "bought_today")):
        arguments: dict[str, Any] = {"amount_cents": cents, "player_id": player_id, "unnamed": unnamed}
        house.tap(cash_out, house.cast.carla, drawer_id=house.drawer_id, **arguments)
    at(house, 1.5)
    relieved = house.tap(push_dealer, table_id=table_id, dealer_id=dan.pk, down_id=pushed).data["down"]
    taken_back = house.settle(86_00, by=dan)
    house.tap(undo_hand, dan, table_id=table_id, hand_id=taken_back.hand_id)
    house.tap(end_down, table_id=table_id, down_id=relieved)
    at(house, 2)
    closed(house)
    boxes.drop()
    boxes.count(rake, 15)
    house.close_drawer(short_cents=5_00)
    found = report(house)
    opened.refresh_from_db()

    (ran,) = found.tables
    assert (ran.table_number, ran.game, ran.hands) == (1, GAME, 3)
    assert ran.seconds == seconds(opened.closed_at, began)
    # 12 € by the log and 4 € of the undone hand should lie there.
    assert ran.charges["rake"] == Charged(12_00, 12_00, 12_00, logged_in_counted=12_00, beyond=4_00, over_short=-1_00)
    assert (ran.charges["rake"].counted, ran.charges["rake"].uncounted) == (15_00, 0)
    assert ran.charges["drop"] == Charged(3_00, 3_00, 3_00)
    assert (ran.charges["drop"].counted, ran.charges["drop"].uncounted) == (None, 3_00)
    (opening,) = found.openings
    assert (opening.book, opening.book_number, opening.opened_by) == ("helsinki", 1, "Frans")
    assert (opening.closed_by, opening.dealers, opening.dealer_ids) == ("Frans", ["Anna", "Dan"], [anna.pk, dan.pk])
    assert opening.ran.notes == {"undone": 1}
    dealers = {each.name: each for each in found.dealers}
    assert {name: (each.downs, each.seconds // 60, each.hands) for name, each in dealers.items()} == {
        "Anna": (1, 60, 3), "Dan": (1, 0, 0),
    }  # fmt: skip
    assert (dealers["Anna"].taken, dealers["Dan"].taken) == ({"rake": 12_00, "drop": 3_00}, {})
    players = {
        each.nickname: (each.seconds // 60, each.bought_in_cents, each.cashed_out_cents) for each in found.players
    }
    assert players == {
        **{name: (119 if name != "Jo" else players["Jo"][0], 0, 0) for name in SIX}, "Lee": (119, 150_00, 30_00),
        "": (0, 0, 20_00),
    }  # fmt: skip
    (drawer,) = found.drawers
    assert (drawer.session.counts, drawer.session.money_over_short_cents, drawer.posted_money_cents) == (1, -500, -500)
    assert [(each.kind, each.method, each.paid, each.cents, each.posted_cents) for each in found.slips] == [
        ("buy_in", "card", 1, 50_00, 50_00), ("buy_in", "cash", 1, 100_00, 100_00),
        ("cash_out", "cash", 2, 50_00, 50_00),
    ]  # fmt: skip
    # The open day is the first one: what is there after it is what there is now, and nothing was before.
    now = {(row.owner_kind, row.kind): row.cents for row in trial_balance(house.room_id) if row.cents}
    assert {(row.owner_kind, row.kind): row.closing_cents for row in found.trial if row.closing_cents} == now
    assert all(row.opening_cents == 0 and row.came_cents + row.went_cents == row.closing_cents for row in found.trial)
    assert (found.differs, found.is_open, found.is_empty, found.elsewhere) == (0, True, False, {})
    # Two hours by the quarter: the hands lie in the third one, and all stretches are the whole night.
    assert (found.stretch_seconds, [each.hands for each in found.night][:3]) == (900, [0, 0, 3])
    assert (sum(each.hands for each in found.night), found.night[2].taken) == (3, {"rake": 12_00, "drop": 3_00})
    assert found.night[1].seats_taken_tenths == 60
    assert found.night[1].seats_tenths == 10 * house.game().seats


def test_hands_that_were_put_right_count_once_and_what_they_pay_is_what_is_posted(house: House) -> None:
    """Of four hands one is void, and one was of 20, of which 2.00 and 1.00 were taken; another was not logged."""
    at(house, 0)
    house.open(1, **SIX)
    first, second, *_others = [house.settle(86_00) for _ in range(4)]
    table_id = house.table_id()
    house.tap(void_settled_hand, table_id=table_id, hand_row_id=first.pk, reason="void")
    again = replace(house.logged(20_00), taken={"rake": 2_00, "drop": 1_00})
    house.tap(correct_hand, table_id=table_id, hand_row_id=second.pk, hand=again, reason="wrong_pot")
    skipped = house.logged()
    house.tap(skip_hand, house.cast.anna, table_id=table_id, hand=skipped)
    ran = of_table(report(house))

    assert (ran.hands, ran.notes) == (4, {"void": 1, "corrected": 1, "not_logged": 1})
    assert {kind: (charge.taken, charge.posted) for kind, charge in ran.charges.items()} == {
        kind: (2 * first.taken(kind) + cents, 2 * first.taken(kind) + cents) for kind, cents in again.taken.items()
    }


def test_what_is_supplied_on_the_next_day_is_a_hand_of_the_one_and_money_of_the_other(house: House) -> None:
    at(house, 0)
    house.open(1, **SIX)
    hand = house.settle(86_00)
    taken = {kind: hand.taken(kind) for kind in ("rake", "drop")}
    skipped = house.logged()
    house.tap(skip_hand, house.cast.anna, table_id=house.table_id(), hand=skipped)
    closed(house)
    house.close_drawer()
    house.close_day()
    before = report(house)
    house.at += 24 * HOUR
    house.tap(open_day, house.cast.mari)
    row = Opening.objects.get().hand_set.get(hand_id=skipped.hand_id)
    house.tap(supply_hand, table_id=house.table_id(), hand_row_id=row.pk, taken=taken)
    yesterday, today = report(house, DAY), report(house)

    # A closed day takes no posting, so its money stays what it was.
    charged = {kind: Charged(cents, cents, cents) for kind, cents in taken.items()}
    assert of_table(before).charges == of_table(yesterday).charges == charged
    assert (of_table(yesterday).hands, of_table(today).hands, of_table(today).seconds) == (2, 0, 0)
    assert of_table(today).charges["rake"].taken == of_table(today).charges["rake"].posted == taken["rake"]
    assert (before.differs, yesterday.differs, today.differs) == (0, 0, 0)
    assert [row.closing_cents for row in yesterday.trial] == [row.closing_cents for row in before.trial]
    after = {(row.owner_kind, row.kind): row.closing_cents for row in yesterday.trial if row.closing_cents}
    assert {(row.owner_kind, row.kind): row.opening_cents for row in today.trial if row.opening_cents} == after


@pytest.mark.rule("L-G19")
def test_a_table_that_closed_and_opened_again_over_midnight_is_two_openings_and_one_table(house: House) -> None:
    at(house, 1)
    house.open(1, Lee=1, Kai=2, Timo=3)
    hand = house.settle(86_00)
    closed(house)
    # From 23:30 to 1:30 by the room's clock.
    at(house, 3.5)
    house.open(1, Lee=1, Kai=2)
    house.settle(86_00)
    at(house, 5.5)
    closed(house)
    found = report(house)

    lasted = [seconds(each.closed_at, each.opened_at) for each in Opening.objects.order_by("id")]
    assert [each.ran.seconds for each in found.openings] == lasted
    (ran,) = found.tables
    assert (ran.seconds, ran.hands, ran.charges["rake"].taken) == (sum(lasted), 2, 2 * hand.taken("rake"))
    assert found.day.date == DAY


@pytest.mark.rule("L-G19")
def test_an_opening_names_who_dealt_while_it_ran_and_who_closed_it(house: House) -> None:
    """Anna deals on over a change of stakes, Dan after it; who dealt before it opened or at another table did not."""
    anna, dan, mari = house.cast.anna, house.cast.dan, house.cast.mari
    house.open(1, Lee=1, Kai=2)
    house.open(2)
    table_id = house.table_id()
    pushed = house.tap(push_dealer, table_id=table_id, dealer_id=anna.pk).data["down"]
    consents = list(Seating.objects.filter(table=table_id).values_list("id", flat=True))
    other = house.game("No limit hold'em 5/5")
    house.tap(change_stakes, mari, table_id=table_id, game_id=other.pk, consents=consents)
    house.tap(push_dealer, table_id=table_id, dealer_id=dan.pk, down_id=pushed)
    house.tap(push_dealer, table_id=house.table_id(2), dealer_id=anna.pk)
    house.at += timedelta(seconds=1)
    found = report(house)

    assert [(each.ran.table_number, each.closed_by, list(each.dealers)) for each in found.openings] == [
        (1, "Mari", ["Anna"]),
        (1, "", ["Anna", "Dan"]),
        (2, "", ["Anna"]),
    ]


def test_a_player_who_moved_tables_has_the_time_at_both_and_is_one_player(house: House) -> None:
    at(house, 0)
    house.open(1, **SIX)
    house.open(2, Sara=1, Noora=2) if "Noora" in house.cast.players else house.open(2, Sara=1)
    lee = Seating.objects.get(player=house.player("Lee"))
    at(house, 1)
    house.tap(
        move_player, table_id=house.table_id(), seating_id=lee.pk, to_table_id=house.table_id(2), seat_number=5,
        stack_cents=200_00,
    )  # fmt: skip
    at(house, 2)
    house.at += timedelta(seconds=1)
    found = report(house)

    (mine,) = (each for each in found.players if each.nickname == "Lee")
    assert mine.seconds == seconds(house.at, lee.sat_down_at)


def test_where_log_and_ledger_say_otherwise_the_report_shows_both(house: House) -> None:
    """A row that no service writes."""
    at(house, 0)
    house.open(1, **SIX)
    hand = house.settle(86_00)
    posted = hand.taken("rake")
    with as_owner():
        HandCharge.objects.filter(hand=hand, kind="rake").update(taken_cents=posted - 1_00)
    found = report(house)
    with clock.frozen(house.at):
        page = at_desktop(house.cast.olavi).get("/reports/").content.decode()

    assert (of_table(found).charges["rake"].taken, of_table(found).charges["rake"].posted) == (posted - 1_00, posted)
    assert found.differs == 1
    assert "1 figure differs from the ledger" in page
    assert f'report-differs">{money(posted, house.cast.room)}' in page


def test_a_day_with_nothing_says_so_and_a_date_without_a_day_too(db: None) -> None:
    cast = make_cast()
    client = at_desktop(cast.mari)
    never = client.get("/reports/")
    house = House(cast=cast, drawer_id=0)
    house.tap(open_day, cast.mari)
    house.close_day()
    house.at += 24 * HOUR
    # On the first day the house has put its part into the jackpot.
    house.tap(open_day, cast.mari)
    found = report(house)
    with clock.frozen(house.at):
        page = client.get("/reports/").content.decode()
        absent = [client.get(f"/reports/{name}?day=2025-01-01") for name in ("", "day.csv", "day.xlsx")]
        call = client.get("/api/v1/reports/day?date=2025-01-01")
        unreadable = client.get("/reports/?day=2026-02-31")

    assert (never.status_code, str(NoDayOfDate.sentence) in never.content.decode()) == (200, True)
    assert found.is_empty
    assert found.differs == 0
    assert "Nothing happened on this day" in page
    assert [each.status_code for each in (*absent, call, unreadable)] == [404, 404, 404, 404, 400]
    assert call.json()["code"] == NoDayOfDate.code


def test_what_runners_carried_and_lost_has_a_section_of_its_own(house: House) -> None:
    house.at += timedelta(minutes=1)
    fills = Filling(house.cast, at=house.at)
    fills.counts(fills.sent(1_000_00, 500_00), 950_00, 505_00)

    found = report(house)

    (runner,) = found.runners
    (sheet,) = (each for each in sheets_of(found) if each.name == "runners")
    assert (runner.agrees, found.differs) == (True, 0)
    assert sheet.rows == [
        {
            "runner": "Dan", "fills": 1, "cash": 1_000_00, "chips": 500_00, "cash_over_short": -50_00,
            "cash_posted": -50_00, "chips_over_short": 5_00, "chips_posted": 5_00,
        }
    ]  # fmt: skip


def test_it_asks_as_often_whatever_the_night_came_to(house: House) -> None:
    house.open(1, **SIX)
    house.open(2)
    house.settle(86_00)
    with clock.frozen(house.at), CaptureQueriesContext(connection) as few:
        day_report(house.cast.room)
    for number in range(3, 9):
        house.tap(add_table, house.cast.mari, number=number)
        house.open(number)
        house.settle(86_00, number=number)
        house.settle(86_00, number=number)
    house.tap(buy_in, house.cast.carla, drawer_id=house.drawer_id, amount_cents=100_00, method="cash")
    with clock.frozen(house.at), CaptureQueriesContext(connection) as many:
        found = day_report(house.cast.room)

    assert (len(found.tables), len(few), len(many)) == (8, QUERIES, QUERIES)


@pytest.mark.slow
def test_it_asks_as_often_of_a_closed_night_whatever_that_came_to(house: House) -> None:
    carlas(house)
    for number in range(3, 8):
        house.tap(add_table, house.cast.mari, number=number)
    counted = []
    for tables in (1, 7):
        for number in range(1, tables + 1):
            house.open(number, **(SIX if number == 1 else {}))
        for slip in range(tables):
            house.settle(86_00)
            sells(house, 10_00 + 5_00 * slip)
        close_tables(house)
        day = carries(house, "drawer.1")
        with clock.frozen(house.at), CaptureQueriesContext(connection) as queries:
            found = day_report(house.cast.room, day.date)
        assert (len(found.tables), {each.item.kind for each in found.carried}) == (tables, {"drawer", "in_play"})
        # Nor is it found posting by posting which boxes are the day's: no count was carried.
        assert not any("SELECT DISTINCT account.owner_id" in each["sql"] for each in queries.captured_queries)
        counted.append(len(queries))
        house.next_day()

    assert counted == [QUERIES_CLOSED, QUERIES_CLOSED]


# Of a closed night also what was carried over its end and what became of that, and which tips were handed on since.
QUERIES, QUERIES_CLOSED = 35, 43


def test_only_who_reads_the_books_sees_it_and_the_days_page_leads_there(house: House) -> None:
    cast = house.cast
    pages = ("/reports/", "/reports/day.csv", "/reports/day.xlsx", "/api/v1/reports/day")
    with clock.frozen(house.at):
        seen = {who: [at_desktop(cast.staff[who]).get(page).status_code for page in pages] for who in ("mari", "olavi")}
        barred = {
            who: [at_desktop(cast.staff[who]).get(page).status_code for page in pages] for who in ("frans", "carla")
        }
        nobody = on_device("").get("/reports/")
        day = at_desktop(cast.olavi).get("/cage/day/").content.decode()

    assert seen == dict.fromkeys(("mari", "olavi"), [200] * 4)
    assert barred == dict.fromkeys(("frans", "carla"), [403] * 4)
    assert nobody.status_code == 302
    assert f'href="/reports/?day={DAY}"' in day


@pytest.mark.rule("L-G17")
def test_page_file_workbook_and_call_say_the_same(house: House) -> None:
    at(house, 0)
    house.open(1, **SIX)
    house.tap(push_dealer, table_id=house.table_id(), dealer_id=house.cast.anna.pk)
    taken = house.settle(86_00).taken("rake")
    # A name that a spreadsheet would take for a formula.
    type(house.player("Lee")).objects.filter(pk=house.player("Lee").pk).update(nickname="=1+1")
    house.at += HOUR
    client = at_desktop(house.cast.olavi)
    with clock.frozen(house.at):
        page = client.get("/reports/").content.decode()
        rows = list(csv.reader(io.StringIO(client.get("/reports/day.csv").content.decode())))
        book = client.get("/reports/day.xlsx")
        call = client.get("/api/v1/reports/day").json()
        found = day_report(house.cast.room)

    (table,) = call["tables"]
    assert (table["hands"], table["charges"]["rake"]["taken_cents"]) == (1, taken)
    assert table["charges"]["rake"]["counted_cents"] is None
    first = rows.index(next(row for row in rows if row[:1] == ["tables"]))
    figures = dict(zip(rows[first + 1], rows[first + 2], strict=True))
    assert (figures["table"], figures["hands"], figures["rake_taken_cents"], figures["rake_counted_cents"]) == (
        "1",
        "1",
        str(taken),
        "",
    )
    of_openings = rows.index(next(row for row in rows if row[:1] == ["openings"]))
    opening = dict(zip(rows[of_openings + 1], rows[of_openings + 2], strict=True))
    assert (opening["dealers"], opening["closed_by"]) == ("Anna", "")
    assert "<td>Anna</td>" in re.sub(r"<td[^>]*>", "<td>", page)
    limits = ("small_blind_cents", "big_blind_cents", "buy_in_min_cents")
    (called,), game = call["openings"], house.game()
    assert [int(opening[name]) for name in limits] == [called[name] for name in limits]
    assert (called["dealer_ids"], called["closed_by_id"]) == ([house.cast.anna.pk], None)
    assert called["big_blind_cents"] == game.big_blind_cents
    assert opening["rule_book"] == f"{called['rule_book']} {called['rule_book_version']}"
    assert opening["opened_at"]
    assert ["'=1+1" in row for row in rows].count(True) == 1
    assert [row[0] for row in rows if len(row) == 2 and row[0] != "differs"][: len(list(sheets_of(found)))] == [
        sheet.name for sheet in sheets_of(found)
    ]
    with zipfile.ZipFile(io.BytesIO(book.content)) as parts:
        sheets = [name for name in parts.namelist() if name.startswith("xl/worksheets/sheet")]
        words = parts.read("xl/sharedStrings.xml").decode()
        assert "<f>" not in "".join(parts.read(name).decode() for name in sheets)
    assert len(sheets) == len(list(sheets_of(found)))
    assert "=1+1" in words
    assert book["Content-Disposition"] == f'attachment; filename="day-{DAY}.xlsx"'
    assert "Rake" in page
    assert money(taken, house.cast.room) in page
    assert page.count("<svg viewBox") == 4


@pytest.mark.helsinki
def test_page_file_workbook_and_call_say_of_an_opening_in_what_venue_it_was(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    client = at_desktop(house.cast.olavi)
    with clock.frozen(house.at):
        page, file = (client.get(f"/reports/{name}").content.decode() for name in ("", "day.csv"))
        book, call = client.get("/reports/day.xlsx"), client.get("/api/v1/reports/day").json()
    with zipfile.ZipFile(io.BytesIO(book.content)) as parts:
        words = parts.read("xl/sharedStrings.xml").decode()

    assert [each["venue"] for each in call["openings"]] == ["casino"]
    assert (">casino</td>" in page, file.count(",casino,"), words.count(">casino<")) == (True, 1, 1)


def test_a_workbook_names_its_sheets_in_whole_words_and_no_two_alike(house: House) -> None:
    found = day_report(house.cast.room)
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            titles = [str(sheet.title) for sheet in sheets_of(found)]
        names = sheet_names(titles)
        assert len({name.lower() for name in names}) == len(names)
        for title, name in zip(titles, names, strict=True):
            assert len(name) <= 31
            assert name == title or name.endswith("…"), name
            assert title.startswith(name.removesuffix("…"))
            assert title[len(name.removesuffix("…")) :][:1] in {"", " "}, name


@pytest.mark.parametrize(("value", "top"), [(0, 2), (2, 2), (3, 4), (5, 10), (11, 20), (99, 100), (101, 200)])
def test_the_uppermost_level_is_round_and_above_all(value: float, top: float) -> None:
    assert round_up(value) == top


def test_bars_stand_on_the_ground_and_what_is_nothing_has_none() -> None:
    drawn = chart([0, 5, 10], ["20:00", "20:15", "20:30"], most=[10, 10, 10])

    assert drawn.bars.count("M") == 2
    assert [mark.words for mark in drawn.levels] == ["0", "5", "10"]
    assert [mark.words for mark in drawn.moments] == ["20:00", "20:15", "20:30"]
    assert drawn.line.startswith("M44.0 10.0H")


def test_sums_that_add_up_are_not_said_of_counts_and_these_stand_beside_them(house: House) -> None:
    bad_night(house)

    with clock.frozen(house.at):
        page = at_desktop(house.cast.olavi).get("/reports/").content.decode()

    assert '<span class="chip">debits and credits add up, as in the ledger</span>' in page
    day = f'<a class="button quiet" href="/cage/day/{GamingDay.objects.get().pk}/">'
    assert f'{day}<span class="chip wrong">3 counts differ</span></a>' in page


def test_a_table_that_plays_on_over_the_days_end_has_not_closed_on_that_day(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    counts_through(house)
    first = house.at.date()
    house.close_drawer()
    house.close_day()
    second = house.next_day().date

    (played_on,), (goes_on,) = report(house, first).openings, report(house, second).openings

    assert played_on.opening is not None
    assert goes_on.opening is not None
    assert played_on.opening.closed_at is None
    assert goes_on.opening.opened_at == house.at
