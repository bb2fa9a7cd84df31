"""A table that is about to close: nobody new sits down there, and who was called to it keeps the place in the list."""

import json

import pytest
from django.test import Client

from casino.audit.models import Event
from casino.waiting.models import Waiting
from casino.waiting.services.lists import call_player, join_list
from tables.errors_moves import TableCloses
from tables.models import Seating
from tables.selectors.dealer import dealer_screen
from tables.services.closing import announce_last_orbit, take_back_last_orbit
from tables.services.opening import close_table, open_table
from tables.services.playing_over import play_over
from tables.services.seating import hold_seat, leave_seat, take_back_leaving
from tests.tables.conftest import House
from tests.tables.test_moving import sits
from tests.taps import at_desktop, tap

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]


@pytest.fixture
def floor(house: House) -> Client:
    return at_desktop(house.cast.frans)


def joins(house: House, nickname: str) -> int:
    answer = house.tap(join_list, game_id=house.game().pk, player_id=house.player(nickname).pk)
    return int(answer.data["waiting"])


def closes(house: House, number: int = 1, hands: int = 5) -> None:
    house.tap(announce_last_orbit, table_id=house.table_id(number), hands=hands)


@pytest.mark.rule("H2.22")
def test_nobody_new_sits_down_or_is_called_where_the_last_orbit_is_announced(house):
    table = house.open(1, Lee=1, Kai=2)
    timo = joins(house, "Timo")
    lee = sits(house, "Lee")
    house.tap(hold_seat, table_id=table.pk, seating_id=lee.pk, is_held=True)
    closes(house)

    with pytest.raises(TableCloses):
        house.seat("Mika", 5)
    with pytest.raises(TableCloses):
        house.tap(call_player, waiting_id=timo, table_id=table.pk, seat_number=5)
    with pytest.raises(TableCloses):
        house.tap(play_over, table_id=table.pk, seating_id=lee.pk, player_id=house.player("Mika").pk)

    house.tap(take_back_last_orbit, table_id=table.pk)
    house.seat("Mika", 5)


def test_the_tables_own_players_come_back_as_long_as_it_runs(house):
    table = house.open(1, Lee=1, Kai=2)
    kai, lee = sits(house, "Kai"), sits(house, "Lee")
    house.tap(hold_seat, table_id=table.pk, seating_id=kai.pk, is_held=True)
    closes(house)

    house.tap(hold_seat, table_id=table.pk, seating_id=kai.pk, is_held=False)
    house.tap(leave_seat, table_id=table.pk, seating_id=lee.pk, stack_cents=200_00)
    lee.refresh_from_db()
    house.tap(take_back_leaving, table_id=table.pk, seating_id=lee.pk, version=lee.version)

    assert Seating.objects.filter(table=table, left_at=None, is_held=False).count() == 2


@pytest.mark.rule("H2.22", "H2.6")
def test_who_was_called_to_it_waits_again_in_the_old_place_when_it_is_announced(house):
    table = house.open(1, Lee=1, Kai=2)
    house.open(2, Jo=1)
    timo, mika = joins(house, "Timo"), joins(house, "Mika")
    house.tap(call_player, waiting_id=timo, table_id=table.pk, seat_number=5)
    house.tap(call_player, waiting_id=mika, table_id=house.table_id(2), seat_number=5)

    closes(house)

    waits, called = Waiting.objects.get(id=timo), Waiting.objects.get(id=mika)
    assert (waits.status, waits.table_id, waits.missed_calls) == ("waiting", None, 0)
    assert called.status == "called"
    assert waits.place < called.place
    data = json.loads(Event.objects.get(name="tables.announce_last_orbit").text)["data"]
    assert data["calls_ended"] == [timo]
    house.tap(call_player, waiting_id=timo, table_id=house.table_id(2), seat_number=6)


def test_who_was_called_to_a_table_that_closes_at_once_waits_again(house):
    house.tap(open_table, table_id=house.table_id(), game_id=house.game().pk)
    timo = joins(house, "Timo")
    house.tap(call_player, waiting_id=timo, table_id=house.table_id(), seat_number=5)

    answer = house.tap(close_table, table_id=house.table_id())

    assert answer.data["calls_ended"] == [timo]
    assert Waiting.objects.get(id=timo).status == "waiting"


@pytest.mark.helsinki
def test_the_screens_offer_no_seat_there(house, floor):
    table = house.open(1, Lee=1, Kai=2)
    house.open(2, Jo=1)
    timo = joins(house, "Timo")
    lee = sits(house, "Lee")
    house.tap(hold_seat, table_id=table.pk, seating_id=lee.pk, is_held=True)
    over = f"/floor/tables/1/seatings/{lee.pk}/over/sheet/"
    assert "Seat a player" in floor.get("/floor/tables/1/").text
    assert over in floor.get("/floor/tables/1/seats/1/sheet/").text

    closes(house)

    assert "Seat a player" not in floor.get("/floor/tables/1/").text
    sheet = floor.get("/floor/tables/1/seats/5/sheet/").text
    assert "Sit down" not in sheet
    assert "H2.22" in sheet
    sheet = floor.get(f"/floor/waiting/{timo}/sheet/").text
    assert 'name="table_number" value="2"' in sheet
    assert 'name="table_number" value="1"' not in sheet
    assert over not in floor.get("/floor/tables/1/seats/1/sheet/").text
    answer = tap(floor, "/floor/tables/1/seats/5/", player_id=str(house.player("Mika").pk))
    assert answer.status_code == 409
    assert not any(seat.called for seat in dealer_screen(room_id=house.room_id, number=1).seats)


def test_the_floor_is_told_before_that_a_call_will_end(house, floor):
    table = house.open(1, Lee=1, Kai=2)
    timo = joins(house, "Timo")
    assert "called" not in floor.get("/floor/tables/1/close/sheet/").text
    house.tap(call_player, waiting_id=timo, table_id=table.pk, seat_number=5)

    assert "1 player called here waits again" in floor.get("/floor/tables/1/close/sheet/").text
