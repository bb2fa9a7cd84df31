"""Who of a list is called next: the first who may sit there; and how long that call would last."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.floor.views import render_map
from casino.people.services import keep_apart, set_own_limit
from casino.poker.calls import CallRunsFrom, call_expires_at
from casino.waiting.models import Waiting
from casino.waiting.selectors.games import OfferedGame, games_on_map
from casino.waiting.services.lists import call_player
from tables.models import Seating
from tables.services.requests import ask_table_change
from tables.services.seating import leave_seat
from tables.services.setup import add_table
from tests.tables.conftest import House
from tests.tables.test_moving import by_royal_rules, sits
from tests.tables.test_next_steps import joins, steps

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]


def offer(house: House) -> OfferedGame:
    with clock.frozen(house.at):
        return next(each for each in games_on_map(house.room_id) if each.game.name == house.game().name)


def called_next(house: House) -> str:
    entry = offer(house).next_entry
    return str(entry.player) if entry else ""


def apart(house: House, *nicknames: str) -> None:
    house.tap(keep_apart, player_ids=[house.player(name).pk for name in nicknames])


@pytest.mark.rule("H1.75")
def test_who_is_kept_apart_from_somebody_there_holds_nobody_up_and_it_is_said(house: House):
    house.open(1, Lee=1, Kai=2)
    joins(house, "Timo", "Jo")
    apart(house, "Timo", "Kai")

    assert called_next(house) == "Jo"
    html = render_map(room_id=house.room_id)
    assert "may not sit there now" in html
    assert "Next on the list who may sit there" in html
    assert "Call T1/3" in html


@pytest.mark.rule("H1.75")
def test_at_another_table_they_are_called_as_everybody_is(house: House):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1, Pekka=2)
    joins(house, "Timo", "Jo")
    apart(house, "Timo", "Kai")

    assert [step[0::2] for step in steps(house)[:2]] == [("Timo", 2), ("Jo", 1)]


def test_who_has_used_up_their_hours_is_passed(house: House):
    house.open(1, Lee=1, Kai=2)
    joins(house, "Timo", "Jo")
    house.seat("Timo", 5)
    house.at += timedelta(minutes=61)
    house.tap(leave_seat, table_id=house.table_id(), seating_id=sits(house, "Timo").pk, stack_cents=200_00)
    joins(house, "Timo")
    Waiting.objects.filter(player=house.player("Timo"), status="waiting").update(place=1)
    house.tap(set_own_limit, player_id=house.player("Timo").pk, kind="hours", amount=60)

    assert called_next(house) == "Jo"


def test_who_sits_at_the_only_table_with_a_free_seat_holds_nobody_up(house: House):
    house.open(1, Lee=1, Kai=2)
    joins(house, "Jo")
    Waiting.objects.filter(player=house.player("Jo")).update(player=house.player("Kai"))
    joins(house, "Sara")

    assert called_next(house) == "Sara"


@pytest.mark.rule("R-§3-2")
def test_changes_are_proposed_by_the_tables_of_the_stakes_as_they_are_judged(house: House):
    by_royal_rules(house)
    house.tap(add_table, house.cast.mari, number=3)
    # Table 3 has two fewer than table 2: only then may somebody go there.
    house.open(1, Lee=1)
    house.open(2, Kai=1, Timo=2, Mika=3)
    house.open(3, Jo=1)
    house.tap(ask_table_change, table_id=house.table_id(2), seating_id=sits(house, "Kai").pk)

    assert [step[0] for step in steps(house)] == ["Kai"]


def test_it_costs_no_query_for_each_player(house: House):
    house.open(1, Lee=1, Kai=2)
    joins(house, "Timo", "Jo", "Sara")

    def queries_needed() -> int:
        with CaptureQueriesContext(connection) as queries:
            games_on_map(house.room_id)
        return len(queries)

    queries_needed()
    plain = queries_needed()
    apart(house, "Timo", "Kai")
    one = queries_needed()
    apart(house, "Sara", "Lee")

    # The pairs, penalties that run, and whether one of them has hours of their own.
    assert (one, queries_needed()) == (plain + 3, plain + 3)


@pytest.mark.rule("H2.6")
@pytest.mark.parametrize(
    ("after", "lasts"),
    [
        pytest.param(0, 180, id="called at once"),
        pytest.param(90, 90, id="what is left of the three minutes"),
        pytest.param(178, 60, id="a late call still lasts a minute"),
        pytest.param(180, 180, id="over before the call"),
    ],
)
def test_a_call_runs_from_the_opening_of_the_seat_and_lasts_a_minute_at_least(after, lasts):
    opened = datetime.fromisoformat("2026-11-20T20:00:00+00:00")
    called = opened + timedelta(seconds=after)

    until = call_expires_at(
        called_at=called,
        seat_opened_at=opened,
        joined_at=opened - timedelta(hours=1),
        seconds=180,
        runs_from=CallRunsFrom.SEAT_OPENING,
        seconds_least=60,
    )

    assert until - called == timedelta(seconds=lasts)


@pytest.mark.helsinki
@pytest.mark.rule("H2.6")
def test_how_long_a_call_would_last_is_shown_before_the_tap_where_it_runs_from_the_opening_of_the_seat(house: House):
    house.reads('call_runs_from = "seat_opening"')
    house.open(1, Lee=1, Kai=2, Mika=3)
    (timo,) = joins(house, "Timo")
    assert "call-left" not in render_map(room_id=house.room_id)
    house.tap(leave_seat, table_id=house.table_id(), seating_id=sits(house, "Mika").pk, stack_cents=200_00)
    left = Seating.objects.get(player=house.player("Mika")).left_at

    runs_out = offer(house).runs_out

    assert left is not None
    assert runs_out == (left + timedelta(minutes=3), 60)
    assert f'data-deadline="{runs_out[0].isoformat()}" data-least="60"' in render_map(room_id=house.room_id)
    called = house.tap(call_player, waiting_id=timo, table_id=house.table_id(), seat_number=3)
    assert datetime.fromisoformat(called.data["until"]) == runs_out[0]


@pytest.mark.helsinki
@pytest.mark.rule("H2.6")
def test_a_seat_that_nobody_has_sat_in_opens_with_its_table(house: House):
    house.reads('call_runs_from = "seat_opening"')
    (timo,) = joins(house, "Timo")
    house.at += timedelta(minutes=5)
    house.open(1, Lee=1, Kai=2)
    house.at += timedelta(minutes=1)

    runs_out = offer(house).runs_out

    assert runs_out is not None
    called = house.tap(call_player, waiting_id=timo, table_id=house.table_id(), seat_number=3)
    assert datetime.fromisoformat(called.data["until"]) == runs_out[0]


@pytest.mark.parametrize("reading", ["seat_opening", "call"])
def test_who_joined_after_the_seat_had_opened_has_the_whole_time(house: House, reading: str):
    house.reads(f'call_runs_from = "{reading}"')
    house.open(1, Lee=1, Kai=2, Mika=3)
    house.tap(leave_seat, table_id=house.table_id(), seating_id=sits(house, "Mika").pk, stack_cents=200_00)
    joins(house, "Timo")

    assert offer(house).runs_out is None
