"""What is missing at a table where everything was counted: stated by the floor, its over/short, and stated back."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from casino import clock
from casino.cage import open_items
from casino.cage.services import open_day
from casino.errors import Malformed, Stale
from casino.ledger.proof import problems
from casino.reports.selectors.day import day_report
from tables.errors_counts import StacksUncounted, TableNotCounted
from tables.models import Seating, TableDifference
from tables.selectors.counted_through import running_tables
from tables.services.differences import state_difference
from tables.services.opening import close_table
from tables.services.playing_on import count_through
from tables.services.seating import leave_seat
from tables.services.stacks import count_stack
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses


def closed(house: House, *stacks: int | None) -> list[Seating]:
    """Have Lee and Kai go with so much each (None: uncounted), and close the table."""
    house.open(1, Lee=1, Kai=2)
    seatings = list(Seating.objects.filter(table=house.table_id(), left_at=None).order_by("seat_number"))
    for seating, cents in zip(seatings, stacks, strict=True):
        arguments: dict[str, Any] = {} if cents is None else {"stack_cents": cents}
        house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, **arguments)
    house.tap(close_table, table_id=house.table_id())
    return seatings


def states(house: House, cents: int) -> None:
    house.tap(state_difference, table_id=house.table_id(), missing_cents=cents)


def sound(house: House) -> bool:
    return [each.detail for each in problems(house.room_id)] == []


def over_short(house: House) -> list[int]:
    with clock.frozen(house.at):
        return [ran.over_short_cents for ran in day_report(house.cast.room).tables]


def open_at_tables(house: House) -> list[str]:
    return [each.word for each in open_items.may_be_carried(house.room_id) if each.kind == "in_play"]


def test_what_is_missing_at_a_closed_table_is_its_over_short(house: House):
    closed(house, 190_00, 200_00)
    assert open_at_tables(house) == ["in_play.1"]
    with clock.frozen(house.at):
        page = at_desktop(house.cast.mari).get("/cage/day/").content.decode()
    shown = page[page.index("chips in play at table 1, where nobody sits") :][:90]
    assert "where nobody sits&nbsp;·&nbsp;10" in shown

    states(house, 10_00)

    assert house.figures() | {"in_play": 0, "difference": 10_00} == house.figures()
    assert open_at_tables(house) == []
    assert over_short(house) == [-10_00]
    assert TableDifference.objects.get().by_id == house.cast.frans.pk
    assert sound(house)


def test_what_explains_it_later_is_stated_back(house: House):
    first, _ = closed(house, 190_00, 200_00)
    states(house, 10_00)
    first.refresh_from_db()
    house.tap(count_stack, table_id=first.table_id, seating_id=first.pk, stack_cents=205_00, version=first.version)
    assert open_at_tables(house) == ["in_play.1"]

    states(house, -15_00)

    assert house.figures() | {"in_play": 0, "difference": -5_00} == house.figures()
    assert over_short(house) == [5_00]
    assert sound(house)


def test_what_a_late_fact_leaves_where_nothing_runs_is_the_new_days_to_finish(house: House):
    first, _ = closed(house, 190_00, 200_00)
    states(house, 10_00)
    house.close_drawer()
    house.close_day()
    house.at += timedelta(days=1)
    house.tap(open_day, house.cast.mari)
    assert open_at_tables(house) == []
    first.refresh_from_db()

    house.tap(count_stack, table_id=first.table_id, seating_id=first.pk, stack_cents=205_00, version=first.version)

    assert open_at_tables(house) == ["in_play.1"]
    house.close_day()
    with clock.frozen(house.at):
        report = day_report(house.cast.room)
    assert ("in_play.1", -15_00, True) in [(each.word, each.cents, each.is_open) for each in report.carried]
    assert sound(house)


def test_a_count_through_is_stated_and_holds(house: House):
    house.open(1, Lee=1, Kai=2)
    stacks = [{"seating_id": pk, "stack_cents": 195_00} for pk in Seating.objects.values_list("id", flat=True)]
    with pytest.raises(TableNotCounted):
        states(house, 10_00)
    house.tap(count_through, table_id=house.table_id(), version=house.table().version, stacks=stacks)

    states(house, 10_00)

    assert house.figures() | {"in_play": 390_00, "difference": 10_00} == house.figures()
    day = TableDifference.objects.get().day_id
    assert [each.is_counted for each in running_tables(house.room_id, day_id=day)] == [True]
    assert sound(house)


def test_what_nobody_counted_is_not_missing(house: House):
    closed(house, None, 200_00)

    with pytest.raises(StacksUncounted):
        states(house, 200_00)


def test_it_states_what_was_seen_and_something(house: House):
    closed(house, 190_00, 200_00)

    with pytest.raises(Stale):
        states(house, 9_00)
    with pytest.raises(Malformed):
        states(house, 0)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tables_tabledifference SET cents = cents + 100, in_play_cents = in_play_cents + 100",
        "UPDATE tables_tabledifference SET counted_cents = 100, in_play_cents = in_play_cents + 100",
        "DELETE FROM tables_tabledifference",
    ],
)
def test_the_proof_finds_what_was_planted(house: House, statement: str):
    closed(house, 190_00, 200_00)
    states(house, 10_00)
    assert sound(house)

    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE tables_tabledifference DISABLE TRIGGER USER")
        cursor.execute(statement)

    assert {each.what for each in problems(house.room_id)} - {"event"} == {"table_differences"}
