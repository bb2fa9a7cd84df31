"""Bans, own exclusions, own limits, pairs kept apart: at the list, the seat, the cage, and for who sits already."""

import json
from datetime import timedelta

import pytest

from casino.audit.models import Event
from casino.cage.errors import OverOwnBuyInLimit
from casino.cage.services import (
    cancel_slip,
    cash_out,
    close_day,
    deposit,
    open_day,
    request_buy_in,
    take_money,
    withdraw,
)
from casino.errors import NotFound, Refusal, SeeTheFloor
from casino.live.areas import TODO
from casino.people.errors import (
    PlayerBanned,
    PlayerExcludedOwnWish,
)
from casino.people.models import Exclusion, KeptApart, Player
from casino.people.services import (
    end_keeping_apart,
    set_own_limit,
)
from casino.rooms.selectors import rule_book_in_force
from casino.waiting.models import Waiting
from tables.errors_people import HoursUsedUp, PlayersKeptApart
from tables.models import Seating, ToDo
from tables.services.chips import bring_chips
from tables.services.seating import leave_seat
from tests.tables.conftest import House
from tests.tables.desk import YEAR_END, FloorDesk

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]


@pytest.fixture
def desk(house: House) -> FloorDesk:
    return FloorDesk(house)


# ---- each refusal at each place


@pytest.mark.parametrize("place", ["list", "seat", "cage"])
@pytest.mark.parametrize(
    ("how", "expected"), [("ban", PlayerBanned), ("own_wish", PlayerExcludedOwnWish)], ids=["ban", "own-wish"]
)
def test_who_is_excluded_joins_no_list_takes_no_seat_and_buys_nothing(desk, how, expected, place):
    getattr(desk, how)("Timo")

    with pytest.raises(expected):
        {"list": desk.join, "seat": desk.sit, "cage": desk.buy}[place]("Timo")


@pytest.mark.helsinki
@pytest.mark.rule("H1.75")
def test_players_kept_apart_are_not_called_nor_seated_to_one_table(desk):
    desk.apart("Lee", "Timo")
    waits = desk.join("Timo")

    with pytest.raises(PlayersKeptApart):
        desk.call(waits)
    with pytest.raises(PlayersKeptApart) as refused:
        desk.sit("Timo")
    desk.buy("Timo")

    _, book = rule_book_in_force(desk.house.room_id, at=desk.house.at)
    assert refused.value.clause_at(book) == "H1.75"
    desk.house.open(2)
    desk.house.seat("Timo", 1, number=2)


@pytest.mark.rule("H1.75")
def test_a_seat_promised_to_one_keeps_the_other_from_the_table_too(desk):
    desk.apart("Mika", "Timo", "Pekka")
    desk.call(desk.join("Mika"), seat=5)

    with pytest.raises(PlayersKeptApart):
        desk.sit("Timo")
    with pytest.raises(PlayersKeptApart):
        desk.call(desk.join("Pekka"), seat=6)
    assert KeptApart.objects.count() == 3


@pytest.mark.rule("H1.75")
def test_a_pair_that_sits_together_already_is_the_floors_to_judge_and_ends_with_a_word(desk):
    desk.apart("Lee", "Kai")

    todo = ToDo.objects.get()
    assert (todo.kind, todo.data) == ("kept_apart", {"seats": [1, 2]})
    assert Seating.objects.filter(left_at=None).count() == 2
    assert "Seats 1 · 2 are kept apart" in [line.text for line in TODO.gather(room_id=desk.house.room_id)]
    pair = KeptApart.objects.get()
    desk.house.tap(leave_seat, table_id=desk.table.pk, seating_id=desk.seating("Kai").pk, stack_cents=0)
    with pytest.raises(PlayersKeptApart):
        desk.sit("Kai", 3)
    desk.house.tap(end_keeping_apart, apart_id=pair.pk)
    desk.sit("Kai", 3)
    with pytest.raises(NotFound):
        desk.house.tap(end_keeping_apart, apart_id=pair.pk)


def test_a_limit_of_hours_refuses_list_call_seat_and_chips_for_the_seat(desk):
    desk.limit("Timo", "hours", 60)
    desk.limit("Lee", "hours", 0)
    waits = desk.join("Timo")
    desk.sit("Timo", 7)
    desk.house.at += timedelta(hours=2)

    with pytest.raises(HoursUsedUp):
        desk.join("Lee")
    with pytest.raises(HoursUsedUp):
        desk.ask(desk.seating("Timo"))
    with pytest.raises(HoursUsedUp):
        desk.house.tap(
            bring_chips, table_id=desk.table.pk, seating_id=desk.seating("Timo").pk, chips_cents=1_00, stack=100_00
        )
    desk.house.tap(leave_seat, table_id=desk.table.pk, seating_id=desk.seating("Timo").pk, stack_cents=0)
    with pytest.raises(HoursUsedUp):
        desk.sit("Timo", 8)
    assert Waiting.objects.get(id=waits).status == "seated"


def test_hours_that_are_used_up_are_told_the_floor_and_take_no_seat_by_themselves(desk):
    began = desk.seating("Lee").sat_down_at
    desk.limit("Lee", "hours", 90)

    line = next(line for line in TODO.gather(room_id=desk.house.room_id) if line.key.startswith("hours."))

    assert line.shown_from == began + timedelta(minutes=90)
    assert desk.seating("Lee").left_at is None
    desk.limit("Lee", "hours", 30)
    assert desk.seating("Lee").plays_until == began + timedelta(minutes=30)


def test_a_limit_of_buy_ins_says_what_is_left_at_the_cage_and_at_the_table(desk):
    desk.limit("Lee", "buy_in", 250_00)
    desk.buy("Lee", 100_00)
    desk.ask(desk.seating("Lee"), 100_00)

    with pytest.raises(OverOwnBuyInLimit) as refused:
        desk.ask(desk.seating("Lee"), 51_00)
    with pytest.raises(OverOwnBuyInLimit):
        desk.buy("Lee", 51_00)

    assert refused.value.data == {"limit_cents": 250_00, "left_cents": 50_00, "asked_cents": 51_00}
    assert "50\xa0¤ may still be bought today" in str(refused.value)
    desk.buy("Lee", 50_00)


def test_a_slip_that_waited_is_looked_at_again_when_money_is_taken(desk):
    slip = desk.ask(desk.seating("Lee"), 100_00).data["slip_id"]
    desk.limit("Lee", "buy_in", 99_00)

    with pytest.raises(OverOwnBuyInLimit):
        desk.house.tap(take_money, desk.house.cast.carla, slip_id=slip, drawer_id=desk.house.drawer_id, method="cash")
    desk.ban("Lee")
    with pytest.raises(PlayerBanned):
        desk.house.tap(take_money, desk.house.cast.carla, slip_id=slip, drawer_id=desk.house.drawer_id, method="cash")


def test_what_is_theirs_is_paid_out_whatever_stands_about_them(desk):
    carla, drawer = desk.house.cast.carla, desk.house.drawer_id
    lee = desk.id("Lee")
    desk.house.tap(deposit, carla, drawer_id=drawer, player_id=lee, amount_cents=300_00)
    desk.ban("Lee")
    desk.own_wish("Lee")

    desk.house.tap(withdraw, carla, drawer_id=drawer, player_id=lee, amount_cents=300_00)
    desk.house.tap(cash_out, carla, drawer_id=drawer, player_id=lee, amount_cents=50_00)


# ---- who reads what


@pytest.mark.helsinki
@pytest.mark.parametrize("who", ["anna", "frans", "carla"])
def test_the_dealer_is_told_to_see_the_floor_and_the_floor_what_it_is(desk, who):
    desk.ban("Timo", last_day=YEAR_END, clause="H1.76", reason="Marked cards on Friday")
    tap = {"anna": desk.sit, "frans": desk.join}
    staff = desk.house.cast.staff[who]

    with pytest.raises(Refusal) as refused:
        desk.buy("Timo") if who == "carla" else tap[who]("Timo", by=staff)

    text = str(refused.value) + json.dumps(refused.value.data)
    if who == "anna":
        assert (refused.type, text) == (SeeTheFloor, "See the floor.{}")
    else:
        assert refused.type is PlayerBanned
        assert text.startswith("H1.76: This player is banned.")
        assert "31 December 2026" in text
    assert "Marked cards" not in text
    # The log says why, whoever was told what.
    assert Event.objects.order_by("-id")[0].result == "player_banned"


def test_the_reason_stands_in_no_event(desk):
    desk.ban("Timo", reason="Marked cards on Friday")

    assert Exclusion.objects.get().reason == "Marked cards on Friday"
    assert not [event for event in Event.objects.all() if "Marked" in event.text or "Timo" in event.text]


def test_a_dealer_who_asks_for_chips_learns_nothing_of_a_limit(desk):
    desk.limit("Lee", "buy_in", 10_00)

    with pytest.raises(SeeTheFloor):
        desk.ask(desk.seating("Lee"), by=desk.house.cast.anna)


# ---- limits go on


def test_a_raise_holds_from_the_next_gaming_day_and_a_lower_limit_at_once(desk):
    assert desk.limit("Timo", "buy_in", 100_00).data["holds"] == "now"
    assert desk.limit("Timo", "buy_in", 500_00).data["holds"] == "next_day"
    with pytest.raises(OverOwnBuyInLimit):
        desk.buy("Timo", 101_00)
    assert desk.limit("Timo", "buy_in", 50_00).data["holds"] == "now"
    assert desk.limit("Timo", "buy_in", None).data["holds"] == "next_day"
    with pytest.raises(OverOwnBuyInLimit):
        desk.buy("Timo", 51_00)


@pytest.mark.helsinki
def test_a_raise_waits_over_the_close_of_the_day(house):
    timo, mari = house.player("Timo").pk, house.cast.mari
    house.tap(set_own_limit, player_id=timo, kind="buy_in", amount=100_00)
    house.tap(set_own_limit, player_id=timo, kind="buy_in", amount=300_00)

    def ask() -> None:
        slip = house.tap(request_buy_in, player_id=timo, amount_cents=200_00).data["slip_id"]
        house.tap(cancel_slip, slip_id=slip)

    with pytest.raises(OverOwnBuyInLimit):
        ask()
    house.close_drawer()
    house.tap(close_day, mari)
    house.tap(set_own_limit, player_id=timo, kind="hours", amount=None)
    house.at += timedelta(days=1)
    house.tap(open_day, mari)

    ask()


# ---- what it costs


@pytest.mark.parametrize(("is_watched", "more"), [(False, 0), (True, 2)], ids=["nobody-special", "watched"])
def test_a_look_at_a_player_costs_two_statements_more_for_those_about_whom_something_stands(
    desk, django_assert_num_queries, is_watched, more
):
    if is_watched:
        Player.objects.filter(pk=desk.id("Timo")).update(is_watched=True)

    with django_assert_num_queries(20 + more):
        desk.sit("Timo")
