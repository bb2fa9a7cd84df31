"""A table that plays on over the gaming day's end: counted through between two hands, and gone on with the next day."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.audit.models import Event
from casino.audit.selectors import breaks
from casino.cage import open_items
from casino.cage.errors_days import DayLeavesOpen, DayNotFinished
from casino.cage.selectors.carried_over import carried_of
from casino.cage.services import close_day
from casino.commands.carrying_out import Answer
from casino.errors import Malformed, Stale
from casino.ledger.models import Transfer
from casino.ledger.proof import problems
from casino.ledger.templatetags.money import difference, money
from casino.live.render import fragment
from casino.live.todo import ToDoLine
from casino.people.services import set_own_limit, start_shift
from casino.reports.selectors.day import day_report
from casino.rooms.errors import WaitsForDay
from casino.rooms.models import GamingDay
from casino.waiting.models import Waiting
from casino.waiting.services.lists import join_list
from tables.errors import HandInProgress
from tables.errors_counts import MoreThanInPlay
from tables.models import CountedThrough, Down, Hand, Opening, Seating, ToDo
from tables.selectors.dealer import dealer_screen
from tables.selectors.floor import todo_of_room
from tables.selectors.todo_carried import carried_lines
from tables.services.closing import announce_last_orbit
from tables.services.corrections import judge
from tables.services.differences import state_difference
from tables.services.downs import push_dealer
from tables.services.must_move import linked
from tables.services.opening import close_table
from tables.services.playing_on import count_through
from tables.services.requests import ask_table_change
from tables.services.seating import leave_seat
from tables.whereabouts import AtTheTables
from tests.cage.counting import carried, carrying
from tests.jackpot.beats import SEVEN
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


def stacks_of(house: House, number: int = 1, cents: int = 200_00) -> list[dict[str, int]]:
    """Return everybody at a table with a stack of so much."""
    there = Seating.objects.filter(table_id=house.table_id(number), left_at=None).order_by("id")
    return [{"seating_id": each.pk, "stack_cents": cents} for each in there]


def carried_to_judge(house: House) -> list[ToDoLine]:
    """Return the lines of the floor's to-do about what tables played on with, not stated."""
    return [line for line in todo_of_room(house.room_id) if line.key.startswith("over_short.")]


def counts_through(house: House, number: int = 1, **arguments: Any) -> Answer:
    table = house.table(number)
    arguments = {"version": table.version, "stacks": stacks_of(house, number), "stands": True, **arguments}
    return house.tap(count_through, table_id=table.pk, **arguments)


@pytest.fixture
def running(house: House) -> House:
    house.open(1, **SEVEN)
    house.settle(60_00, winners=(2,), dealt_in=tuple(SEVEN.values()))
    house.close_drawer()
    return house


def test_play_goes_on_over_the_days_end_where_every_stack_was_counted_between_two_hands(running: House) -> None:
    house = running
    with pytest.raises(DayNotFinished, match="table 1"):
        house.tap(close_day, house.cast.mari, carrying=carrying(house.room_id))

    answer = counts_through(house, stacks=stacks_of(house, cents=199_00), stands=False)

    hand = Hand.objects.get()
    in_play = 1_400_00 - hand.taken("rake") - hand.taken("drop")
    assert (answer.data["counted_cents"], answer.data["in_play_cents"]) == (1_393_00, in_play)
    assert answer.data["difference_cents"] == 1_393_00 - in_play
    kept = CountedThrough.objects.get()
    assert (len(kept.stacks), kept.cents, kept.table_version) == (7, 1_393_00, house.table().version)
    with pytest.raises(DayLeavesOpen, match="play at table 1, counted through"):
        house.tap(close_day, house.cast.mari)
    with pytest.raises(Malformed):
        house.tap(close_day, house.cast.mari, carrying=[carried("plays_on.1", "no_time")])
    old = house.table().opening_id
    items = [carried("plays_on.1", "plays_on"), carried("over_short.1", "nothing_to_find")]
    house.tap(close_day, house.cast.mari, carrying=items)
    with pytest.raises(WaitsForDay):
        house.settle(40_00, winners=(2,), dealt_in=tuple(SEVEN.values()))
    day = house.next_day(hours=8)

    opening = house.table().opening
    assert opening is not None
    assert (opening.continues_id, opening.day_id, opening.game_id) == (old, day.pk, house.game().pk)
    assert set(Seating.objects.filter(left_at=None).values_list("opening_id", flat=True)) == {opening.pk}
    hand = house.settle(40_00, winners=(2,), dealt_in=tuple(SEVEN.values()))
    assert hand.day_id == day.pk
    assert not Transfer.objects.filter(day=day.pk).exclude(day_id=day.pk).exists()
    item = carried_of(GamingDay.objects.get(id=kept.day_id))[0]
    assert (item.is_open, item.done_at) == (False, opening.opened_at)
    assert [each.detail for each in problems(house.room_id)] == []
    assert list(breaks(house.room_id)) == []


def test_what_is_missing_at_a_table_that_plays_on_is_stated_or_carried_with_a_reason(running: House) -> None:
    house = running
    cents = counts_through(house, stacks=stacks_of(house, cents=199_00), stands=False).data["difference_cents"]
    page, missing = at_desktop(house.cast.mari), difference(cents, house.cast.room)

    with clock.frozen(house.at):
        shown = page.get("/cage/day/").content.decode()

    assert "What differs at tables counted through is stated" in shown
    # The sum stays with its words, where a line ends.
    unstated = f"counted through and not stated\xa0·\xa0{missing}"
    assert f"over/short of table 1, {unstated}" in unescape(re.sub(r"<[^>]+>", "", shown))
    assert "Play over the day’s end goes on with the next day" in shown
    with pytest.raises(DayLeavesOpen, match="over/short of table 1"):
        house.tap(close_day, house.cast.mari, carrying=[carried("plays_on.1", "plays_on")])
    items = [carried("plays_on.1", "plays_on"), carried("over_short.1", "looked_into")]
    house.tap(close_day, house.cast.mari, carrying=items)
    closed = GamingDay.objects.get()
    assert carried_to_judge(house) == []
    house.next_day(hours=8)

    def over_short() -> list[tuple[int | None, bool, bool]]:
        found = carried_of(closed)
        return [
            (each.cents, each.is_open, each.done_at == house.at) for each in found if each.item.kind == "over_short"
        ]

    assert over_short() == [(cents, True, False)]
    (line,) = carried_to_judge(house)
    assert (line.where, line.text) == ("Table 1", f"Over/short of 20.11.: {missing}, not stated yet")
    house.at += timedelta(minutes=5)
    counts_through(house, stacks=stacks_of(house, cents=199_00))
    assert over_short() == [(cents, True, False)]
    with clock.frozen(house.at):
        again = unescape(re.sub(r"<[^>]+>", "", page.get("/cage/day/").content.decode()))
        assert unstated in again
        # It is another count: that one is of today.
        assert f"{unstated} carried over" not in again
    assert carried_to_judge(house) == [line]
    tells = f"Counted through on 20.11.: {missing}, not stated yet."
    sheets = [f"/floor/tables/1/{name}/sheet/?on=floor" for name in ("close", "count-through")]
    floor = at_desktop(house.cast.frans)
    with clock.frozen(house.at):
        assert [tells in floor.get(each).content.decode() for each in sheets] == [True, True]
    house.tap(state_difference, table_id=house.table_id(), missing_cents=-cents)
    with clock.frozen(house.at):
        assert [tells in floor.get(each).content.decode() for each in sheets] == [False, False]
    assert over_short() == [(cents, False, True)]
    assert carried_to_judge(house) == []
    assert "floor" in Event.objects.latest("id").audiences
    assert [each.word for each in open_items.may_be_carried(house.room_id)] == ["plays_on.1"]


def test_tables_that_run_are_read_once_for_a_checklist_on_its_page_and_as_the_day_closes(running: House) -> None:
    house = running
    counts_through(house, stacks=stacks_of(house, cents=199_00))
    page = at_desktop(house.cast.mari)

    def readings(act: Callable[[], object]) -> list[str]:
        with CaptureQueriesContext(connection) as queries:
            act()
        return [each["sql"] for each in queries if '"tables_countedthrough"."opening_id" IN' in each["sql"]]

    with clock.frozen(house.at):
        shown = readings(lambda: page.get("/cage/day/"))
    items = carrying(house.room_id)
    closing = readings(lambda: house.tap(close_day, house.cast.mari, carrying=items))

    # The page also says what ends with the day.
    assert (len(shown), len(closing)) == (2, 1)


def test_what_was_carried_ends_where_it_is_stated_after_the_clock_was_set_back(running: House) -> None:
    house = running
    counts_through(house, stacks=stacks_of(house, cents=199_00), stands=False)
    house.close_day()
    closed = GamingDay.objects.get()
    house.next_day(hours=8)
    house.at -= timedelta(hours=12)
    answer = counts_through(house, stacks=stacks_of(house, cents=199_00))

    house.tap(state_difference, table_id=house.table_id(), missing_cents=-answer.data["difference_cents"])

    (item,) = [each for each in carried_of(closed) if each.item.kind == "over_short"]
    assert (item.is_open, item.done_at) == (False, house.at)


def test_what_is_over_is_not_settled_where_nothing_is_in_play_for_a_moment(running: House) -> None:
    """Three euros more lie there than the log has: with the last stack still there nothing is in play, and it runs."""
    house = running
    in_play = house.figures()["in_play"]
    stacks = stacks_of(house, cents=200_00)
    stacks[-1]["stack_cents"] = 3_00
    stacks[0]["stack_cents"] = in_play - sum(each["stack_cents"] for each in stacks[1:-1])
    counts_through(house, stacks=stacks)
    house.close_day()
    closed = GamingDay.objects.get()
    house.next_day(hours=8)

    for each in stacks[:-1]:
        house.tap(leave_seat, None, table_id=house.table_id(), **each)

    assert house.figures()["in_play"] == 0
    (item,) = [each for each in carried_of(closed) if each.item.kind == "over_short"]
    assert (item.cents, item.is_open) == (3_00, True)


@pytest.mark.parametrize("becomes", ["counted again", "closed"])
def test_what_was_carried_as_missing_ends_where_it_is_found(running: House, becomes: str) -> None:
    house = running
    cents = counts_through(house, stacks=stacks_of(house, cents=199_00), stands=False).data["difference_cents"]
    house.close_day()
    closed = GamingDay.objects.get()
    house.next_day(hours=8)
    house.at += timedelta(minutes=5)

    # One stack had been miscounted by as much.
    found = stacks_of(house, cents=199_00)
    found[0]["stack_cents"] -= cents
    if becomes == "counted again":
        counts_through(house, stacks=found)
    else:
        for each in found:
            house.tap(leave_seat, None, table_id=house.table_id(), **each)
        house.tap(close_table, table_id=house.table_id())
        house.at -= timedelta(seconds=1)

    (item,) = [each for each in carried_of(closed) if each.item.kind == "over_short"]
    assert (item.cents, item.is_open, item.done_at) == (cents, False, house.at)


@pytest.mark.slow
@pytest.mark.parametrize(("is_found", "queries", "lines"), [(True, 1, 0), (False, None, 1)])
def test_what_vanished_as_its_table_closed_is_read_no_more_with_each_push(
    running: House, is_found: bool, queries: int | None, lines: int
) -> None:
    house = running
    cents = counts_through(house, stacks=stacks_of(house, cents=199_00), stands=False).data["difference_cents"]
    house.close_day()
    house.next_day(hours=8)
    stacks = stacks_of(house, cents=199_00)
    stacks[0]["stack_cents"] -= cents if is_found else 0
    for each in stacks:
        house.tap(leave_seat, None, table_id=house.table_id(), **each)
    assert len(list(carried_lines(house.cast.room))) == 1
    house.tap(close_table, table_id=house.table_id())

    with CaptureQueriesContext(connection) as captured:
        found = list(carried_lines(house.cast.room))

    assert len(found) == lines
    assert queries in (None, len(captured))


def test_more_than_lies_in_play_is_stated_or_carried_too_beside_what_the_floor_judges_of_it(running: House) -> None:
    house = running
    counts_through(house, stacks=stacks_of(house, cents=200_00))

    def words() -> list[str]:
        return [each.word for each in open_items.may_be_carried(house.room_id)]

    assert words() == ["plays_on.1", "over_short.1", "to_judge.1"]
    todo = ToDo.objects.get(done_at=None)
    house.tap(judge, table_id=house.table_id(), todo_id=todo.pk)
    counts_through(house, stacks=stacks_of(house, cents=200_00))

    assert words() == ["plays_on.1", "over_short.1"]


def test_a_table_that_plays_on_says_that_taps_wait_while_no_day_is_open(running: House) -> None:
    """On its tablet and on the floor's page, which are told of it with the day's end."""
    house = running
    counts_through(house, stacks=stacks_of(house, cents=199_00))

    def shown() -> tuple[bool, bool]:
        floor = fragment(house.room_id, "table.1.floor", "en").html
        return dealer_screen(room_id=house.room_id, number=1).is_day_over, "waits on its tablet until" in floor

    assert shown() == (False, False)
    house.close_day()
    assert shown() == (True, True)
    assert {"table.1.floor", "table.1.dealer"} <= set(Event.objects.latest("id").audiences)
    house.next_day(hours=8)
    assert shown() == (False, False)


def test_a_new_day_begins_anew_for_who_plays_on_and_the_old_ones_report_stays(running: House) -> None:
    house = running
    house.tap(start_shift, staff_id=house.cast.anna.pk)
    house.tap(push_dealer, table_id=house.table_id(), dealer_id=house.cast.anna.pk)
    Seating.objects.filter(seat_number=1).update(short_buy_in_cents=50_00, long_break_at=house.at)
    counts_through(house)
    house.close_day()
    closed = GamingDay.objects.get()
    with clock.frozen(house.at):
        before = day_report(house.cast.room, closed.date)

    began = house.next_day(hours=8)

    with clock.frozen(house.at):
        after = day_report(house.cast.room, closed.date)
    assert (after.night, after.players, after.dealers) == (before.night, before.players, before.dealers)
    assert any(each.seats_taken_tenths for each in after.night)
    first = Seating.objects.get(seat_number=1)
    assert (first.short_buy_in_cents, first.long_break_at) == (0, None)
    old, new = Down.objects.order_by("id")
    assert (old.day_id, old.ended_at is not None) == (closed.pk, True)
    assert (new.day_id, new.dealer_id, new.ended_at, new.counts_rack) == (began.pk, house.cast.anna.pk, None, None)


@pytest.mark.slow
def test_a_days_hours_stay_on_its_report_however_long_the_table_plays_on(running: House) -> None:
    house, first = running, GamingDay.objects.get()
    counts_through(house)
    house.close_day()
    with clock.frozen(house.at):
        before = day_report(house.cast.room, first.date).players
    house.next_day(hours=8)
    counts_through(house)
    house.close_day()
    house.at += timedelta(hours=20)
    house.next_day(hours=8)

    with clock.frozen(house.at):
        assert day_report(house.cast.room, first.date).players == before


def test_hours_are_of_the_day_for_who_plays_on(running: House) -> None:
    house, lee = running, Seating.objects.get(seat_number=1).player
    limits = {"player_id": lee.pk, "kind": "hours", "amount": 120}
    house.tap(set_own_limit, house.cast.mari, **limits)
    counts_through(house)
    house.close_day()

    day = house.next_day(hours=8)

    assert Seating.objects.get(seat_number=1).plays_until == day.opened_at + timedelta(hours=2)
    house.at += timedelta(minutes=90)
    with clock.frozen(house.at):
        assert "1 h 30 min played today" in AtTheTables().known_today(house.cast.room, lee, may=())
        (hours,) = {each.seconds for each in day_report(house.cast.room).players}
    assert hours == 90 * 60


@pytest.mark.slow
def test_hours_that_are_limited_between_two_days_hold_from_the_new_one_on(running: House) -> None:
    lee = Seating.objects.get(seat_number=1).player
    counts_through(running)
    running.close_day()
    running.tap(set_own_limit, running.cast.mari, player_id=lee.pk, kind="hours", amount=120)

    day = running.next_day(hours=8)

    assert Seating.objects.get(seat_number=1).plays_until == day.opened_at + timedelta(hours=2)


def test_a_count_holds_until_something_is_done_at_the_table(running: House) -> None:
    counts_through(running)
    running.settle(40_00, winners=(2,), dealt_in=tuple(SEVEN.values()))

    with pytest.raises(DayNotFinished, match="table 1"):
        running.tap(close_day, running.cast.mari, carrying=carrying(running.room_id))
    counts_through(running)
    running.close_day()


def test_the_checklist_of_the_day_leads_to_the_table_that_is_open_for_who_may_look_at_it(running: House) -> None:
    pages = [at_desktop(running.cast.staff[name]).get("/cage/day/").content.decode() for name in ("mari", "olavi")]

    assert ['<a href="/floor/tables/1/">table 1</a>' in page for page in pages] == [True, False]
    assert ["table 1" in page for page in pages] == [True, True]


def test_stacks_of_more_than_lies_in_play_are_asked_about_and_left_to_the_floor_once(running: House) -> None:
    house = running
    through = "/floor/tables/1/count-through/"
    stacks: dict[str, Any] = {f"stack_{each['seating_id']}": "200" for each in stacks_of(house)}
    in_play = house.figures()["in_play"]
    over = 1_400_00 - in_play
    says = f"1,400\xa0¤ is more than lies in play at this table: {in_play // 100:,}\xa0¤"
    with pytest.raises(MoreThanInPlay, match=says):
        counts_through(house, stands=False)
    frans = at_desktop(house.cast.frans)
    refused = tap(frans, through, version=house.table().version, **stacks)
    assert 'data-again="stands"' in refused.content.decode()
    assert not CountedThrough.objects.exists()
    assert not ToDo.objects.exists()

    counted = tap(frans, through, version=house.table().version, stands="1", **stacks)

    assert difference(over, house.cast.room) in counted.content.decode()
    todo = ToDo.objects.get()
    assert (todo.kind, todo.data["over_cents"]) == ("stack_above_play", over)
    html = fragment(house.room_id, "floor", "en").html
    assert f"Counted through: stacks of {money(1_400_00, house.cast.room)} were counted" in html
    assert f"{money(over, house.cast.room)} more than lay in play" in html
    house.tap(judge, table_id=house.table_id(), todo_id=todo.pk)
    counts_through(house)
    assert ToDo.objects.count() == 1


def test_a_count_through_that_is_put_right_takes_it_off_again(running: House) -> None:
    counts_through(running, stacks=stacks_of(running, cents=300_00))
    over = counts_through(running).data["difference_cents"]
    assert [todo.data["over_cents"] for todo in ToDo.objects.filter(done_at=None)] == [over]

    counts_through(running, stacks=stacks_of(running, cents=199_00), stands=False)

    assert not ToDo.objects.filter(done_at=None).exists()


def test_every_stack_is_counted_and_none_of_anybody_else(running: House) -> None:
    there = stacks_of(running)
    for wrong in (there[1:], [*there, there[0]], [*there, {"seating_id": 10**9, "stack_cents": 1_00}], []):
        with pytest.raises(Malformed):
            counts_through(running, stacks=wrong)
    with pytest.raises(Malformed):
        counts_through(running, stacks=[{**there[0], "stack_cents": -1_00}, *there[1:]])
    with pytest.raises(Stale):
        counts_through(running, version=running.table().version - 1)
    running.deal()
    with pytest.raises(HandInProgress):
        counts_through(running)
    assert not CountedThrough.objects.exists()


def test_what_was_wished_and_linked_at_a_table_that_plays_on_goes_on_too(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2, Timo=1, Mika=2)
    Opening.objects.filter(table_id=house.table_id(2)).update(feeds=house.table(1).opening)
    seating = Seating.objects.get(player=house.player("Lee"))
    house.tap(ask_table_change, table_id=house.table_id(1), seating_id=seating.pk)
    waits = house.tap(join_list, game_id=house.game().pk, player_id=house.player("Ville").pk).data["waiting"]
    house.close_drawer()
    for number in (1, 2):
        counts_through(house, number)
    closed = house.close_day()
    began = house.next_day(hours=8)

    assert closed.data["ended"]["table_changes"] == []
    assert Waiting.objects.get(id=waits).ended_why == "day_closed"
    assert {house.table(number).opening.day_id for number in (1, 2)} == {began.pk}  # type: ignore[union-attr]
    assert [other.number for other in linked(house.table(1))] == [2]


def test_the_last_orbit_may_be_announced_between_two_days(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.close_drawer()
    counts_through(house)
    house.close_day()
    house.tap(announce_last_orbit, table_id=house.table_id(), hands=3)
    house.next_day(hours=8)

    opening = house.table().opening
    assert opening is not None
    assert opening.is_closing


def test_closing_a_day_asks_as_often_whatever_was_played(house: House):
    def queries_needed() -> int:
        items = carrying(house.room_id)
        assert [each["item"] for each in items] == ["plays_on.1", "over_short.1", "to_judge.1"]
        with CaptureQueriesContext(connection) as queries:
            house.tap(close_day, house.cast.mari, carrying=items)
        return len(queries)

    def played(*cents: int) -> int:
        for each in cents:
            house.settle(each, winners=(2,), dealt_in=tuple(SEVEN.values()))
        counts_through(house)
        count = queries_needed()
        house.at += timedelta(hours=16)
        house.next_day(hours=8)
        return count

    house.open(1, **SEVEN)
    house.close_drawer()
    # The first day's drawer is read as its own day closes.
    played(60_00)

    assert played(60_00) == played(60_00, 80_00, 40_00)


def test_what_was_carried_in_years_is_not_read_for_each_push_of_the_floor(house: House) -> None:
    day = GamingDay.objects.get()
    with as_owner(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO cage_carrieditem"
            " (room_id, day_id, stage, kind, number, rows, reason, carried_at, carried_by_id)"
            " SELECT %s, %s, 'operations', 'doubt', n, '[1]', 'looked_into', %s, 1 FROM generate_series(1, 3000) n",
            [house.room_id, day.pk, house.at],
        )
        cursor.execute("ANALYZE cage_carrieditem")

    with CaptureQueriesContext(connection) as queries:
        assert list(carried_lines(house.cast.room)) == []
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {queries[0]['sql']}")
        plan = "\n".join(line for (line,) in cursor.fetchall())

    assert "carried_item_by_kind" in plan, plan
