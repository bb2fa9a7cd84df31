"""What was paid by the time, where the table goes on otherwise, and where a period is put right (H7.18, L-P23)."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from casino import clock
from casino.cage.services import open_day
from casino.rooms.models import GamingDay, Room
from casino.rulebooks import RuleBookError, parse
from jackpot.selectors.takings import not_collected
from tables.errors_time import NobodyToAgree, TimeDayClosed
from tables.models import Opening, TimeTaken, ToDo
from tables.rules.time_paid import Paid
from tables.selectors.next_hand import seated
from tables.selectors.time_charges import times_taken
from tables.selectors.todo import with_clauses
from tables.selectors.todo_judging import todo_words
from tables.selectors.todo_time import time_lines
from tables.services.opening import open_table
from tables.services.seating import leave_seat
from tables.services.stakes import change_stakes
from tables.services.time_charges import take_back_time, take_time
from tests.jackpot.books import HELSINKI, TWO, put_in_force, second_pool
from tests.jackpot.test_by_time import by_hand, by_time, due, sitting, take
from tests.jackpot.test_takings import SIX, end_day, sound, sum_of
from tests.tables.conftest import House
from tests.taps import at_desktop

HOUR = timedelta(minutes=60)


def take_of(house: House, opening_id: int | None, period: int, **more: Any) -> TimeTaken:
    answer = house.tap(
        take_time, house.cast.anna, table_id=house.table_id(), opening_id=opening_id, period=period, **more
    )
    return TimeTaken.objects.get(id=answer.data["time"])


def take_back(house: House, row: TimeTaken) -> None:
    house.tap(take_back_time, table_id=house.table_id(), time_id=row.pk)


def opening_of(house: House) -> Opening:
    opening = house.table().opening
    assert opening is not None
    return opening


def to_fives(house: House) -> None:
    five = house.game("No limit hold'em 5/5")
    house.tap(change_stakes, table_id=house.table_id(), game_id=five.pk, consents=sitting(house))


@pytest.mark.rule("H7.18")
def test_where_nobody_sits_nobody_agrees(house):
    house.tap(open_table, table_id=house.table_id(), game_id=house.game().pk)
    with pytest.raises(NobodyToAgree):
        by_time(house)
    house.seat("Jo", 1)
    by_time(house)
    for each in sitting(house):
        house.tap(leave_seat, table_id=house.table_id(), seating_id=each, stack_cents=None)
    with pytest.raises(NobodyToAgree):
        by_time(house, 15)
    # Who sits down later pays as the table does.
    house.seat("Lee", 1)
    assert opening_of(house).agreed is not None


@pytest.mark.rule("H7.18")
def test_a_period_of_which_nobody_paid_a_cent_frees_no_hand(house):
    house.open(1, **SIX)
    by_time(house)
    first = house.settle(40_00)
    row = take_of(house, house.table().opening_id, 1, paid=[])
    by_hand(house)
    assert (row.paid_cents, house.settle(40_00).due("drop")) == (0, 1_00)
    # Nor does time that is agreed anew wait for its end; a part of it counts, and the floor has its to-do.
    by_time(house, 15)
    hand = house.settle(40_00)
    assert due(house).begins_at == hand.dealt_at
    take_back(house, row)
    part = take_of(house, row.opening_id, 1, paid=[Paid(1, 5_00)])
    assert due(house).begins_at == first.dealt_at + HOUR
    assert ToDo.objects.get(kind="time_differs", done_at=None).data["time"] == part.pk


@pytest.mark.slow
@pytest.mark.rule("H7.18", "L-P23")
def test_a_period_several_agreements_back_is_taken_back_and_comes_late(house):
    house.open(1, **SIX)
    by_time(house)
    first = house.settle(40_00)
    row = take(house, 1)
    by_hand(house)
    by_time(house, 15)
    by_hand(house)
    assert house.settle(40_00).due("drop") == 0
    assert [each.pk for each in times_taken(opening_of(house))] == [row.pk]

    take_back(house, row)
    assert (opening_of(house).free_until, house.settle(40_00).due("drop")) == ({}, 1_00)

    take_of(house, row.opening_id, 1)
    assert datetime.fromisoformat(opening_of(house).free_until["drop"]) == first.dealt_at + HOUR
    assert house.settle(40_00).due("drop") == 0
    sound(house)


@pytest.mark.rule("H1.91", "H7.18")
def test_time_paid_for_the_jackpot_does_not_put_off_the_house_s_own(house):
    head, last = HELSINKI.rsplit('rake = { kind = "step"', 1)
    drop = last.index("drop =")
    timed = "time_charge = { charge_cents = 5_00, period_minutes = 30 }\n"
    plain = 'drop = { kind = "per_hand", charge_cents = 1_00, participants_min = 6 }'
    put_in_force(house, head + timed + plain + last[last.index("] }", drop) + 3 :])
    house.open(1, **SIX)
    by_time(house)
    first = house.settle(40_00)
    take(house, 1)
    to_fives(house)
    hand = house.settle(40_00)
    # The drop is paid until the hour's end, and the house's time runs from the hand.
    assert (hand.due("drop"), due(house).kind, due(house).begins_at) == (0, "", hand.dealt_at)
    house.at = first.dealt_at + HOUR
    assert house.settle(40_00).due("drop") == 1_00


@pytest.mark.rule("H7.18")
@pytest.mark.parametrize("hands_pay", [pytest.param(True, id="by hand"), pytest.param(False, id="by the time")])
def test_time_paid_for_one_jackpot_is_not_paid_for_another(house: House, hands_pay: bool):
    second_pool(house, TWO)
    house.open(1, **SIX)
    by_time(house)
    house.settle(40_00)
    take(house, 1)
    if hands_pay:
        by_hand(house)
        assert house.settle(40_00).due("drop") == 0
    to_fives(house)
    hand = house.settle(40_00)
    if hands_pay:
        assert (opening_of(house).free_until, hand.due("drop")) == ({}, 1_00)
    else:
        assert (hand.due("drop"), due(house).begins_at) == (0, hand.dealt_at)


def test_a_game_that_names_the_first_jackpot_feeds_what_one_feeds_that_names_none(house):
    put_in_force(
        house, HELSINKI.replace("participants_min = 6, by", 'participants_min = 6, jackpot = "bad-beat", by', 1)
    )
    house.open(1, **SIX)
    by_time(house)
    house.settle(40_00)
    take(house, 1)
    by_hand(house)
    to_fives(house)
    assert house.settle(40_00).due("drop") == 0


@pytest.mark.rule("H7.17", "H7.19")
def test_what_a_closed_day_took_stays(house):
    house.open(1, **SIX)
    by_time(house)
    house.settle(40_00)
    row = take(house, 1)
    end_day(house)
    house.at += timedelta(days=1)
    house.tap(open_day, house.cast.mari)
    day = GamingDay.objects.get(room_id=house.room_id, closed_at=None).pk
    with pytest.raises(TimeDayClosed, match="Period 1"):
        take_back(house, row)
    row.refresh_from_db()
    assert (row.taken_back_at, not_collected(house.room_id, day), sum_of(house)) == (None, {}, 1_040_00)
    sound(house)


@pytest.mark.rule("H7.18")
def test_a_late_period_that_began_when_the_table_had_gone_on_otherwise_is_the_floor_s(house):
    house.open(1, **SIX)
    by_time(house)
    first = house.settle(40_00)
    take(house, 1)
    old = house.table().opening_id
    by_time(house, 15)
    house.settle(40_00)
    house.at = first.dealt_at + timedelta(minutes=61)
    take(house, 1)
    assert not ToDo.objects.exists()

    late = take_of(house, old, 2)

    todo = ToDo.objects.get(done_at=None)
    text, reason = todo_words(Room.objects.get(id=house.room_id), todo)
    assert (text, late.paid_cents) == ("Time charge 2 came late", 40_00)
    assert reason.replace("\xa0", " ").endswith("40 € was owed. Taken: 40 € (Jackpot box).")
    take_back(house, late)
    assert not ToDo.objects.filter(done_at=None).exists()


def test_a_book_says_that_the_table_pays_by_the_time():
    text = HELSINKI.replace('{ per = "table", charge_cents = 40_00', "{ charge_cents = 40_00", 1)
    with pytest.raises(RuleBookError, match='per = "table"'):
        parse(text, source="a book")


@pytest.mark.rule("H7.18", "L-P22")
def test_the_table_s_sheets_say_what_it_pays_by_the_time_and_until_when(house):
    house.open(1, **SIX)
    by_time(house)
    house.settle(40_00)
    floor = at_desktop(house.cast.frans)

    def sheet_texts() -> tuple[str, str]:
        with clock.frozen(house.at):
            pages = [floor.get(path).content.decode() for path in ("/floor/tables/1/time/sheet/", "/posted/1/")]
        sheet, posted = (" ".join(page.replace("\xa0", " ").split()) for page in pages)
        return sheet, posted

    paying = "This table pays 40 € into the jackpot for each started 60 minutes, and no jackpot drop from its hands"
    sheet, posted = sheet_texts()
    assert paying in sheet
    assert paying in posted
    assert "It lies in the jackpot box" in sheet
    assert '<input type="hidden" name="kind" value="drop">' in sheet
    house.at += timedelta(minutes=6)
    room = Room.objects.get(id=house.room_id)
    tables = [house.table()]
    line = next(iter(time_lines(room, tables, {house.table().pk: seated(house.table().pk)})))
    assert "H7.18" in with_clauses([line], tables)[0].reason

    take(house, 1)
    by_hand(house)
    sheet, posted = sheet_texts()
    for page in (sheet, posted):
        assert "The jackpot is paid by the time until 21:00: hands dealt before pay no jackpot drop" in page
        assert paying not in page
    assert "The jackpot is paid" not in " ".join(floor.get("/posted/").content.decode().split())
