"""Opening a table, drawing for the button, closing."""

import pytest

from casino.cage.errors_days import DayNotFinished
from casino.cage.services import close_day
from casino.errors import NotPermitted, Stale
from casino.rooms.errors import NoOpenDay
from casino.rooms.models import GamingDay
from tables.errors import HandInProgress, NoSuchSeat, SeatsOccupied, TableAlreadyOpen, TableClosed
from tables.models import Game, Opening
from tables.selectors.next_hand import next_hand_at, seated
from tables.services.opening import close_table, open_table, record_draw
from tables.services.seating import leave_seat
from tables.services.setup import offer_games
from tests.cast import command
from tests.support.owner import as_owner
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses


@pytest.mark.rule("H2.1")
def test_the_floor_opens_a_table_with_a_game_on_offer(house: House) -> None:
    table = house.open(1)

    assert table.opening is not None
    assert table.opening.game == house.game()
    assert table.opening.opened_by_id == house.cast.frans.pk
    assert table.opening.rule_book_version_id


def test_a_dealer_does_not_open_tables(house: House) -> None:
    with pytest.raises(NotPermitted):
        house.tap(open_table, house.cast.anna, table_id=house.table_id(), game_id=house.game().pk)


def test_an_open_table_is_not_opened_again(house: House) -> None:
    table = house.open(1)

    with pytest.raises(TableAlreadyOpen):
        house.tap(open_table, table_id=table.pk, game_id=house.game().pk)

    assert Opening.objects.filter(table=table).count() == 1


def test_a_screen_that_shows_an_older_table_does_not_open_it(house: House) -> None:
    with pytest.raises(Stale):
        house.tap(open_table, table_id=house.table_id(), game_id=house.game().pk, version=house.table().version - 1)


def test_no_table_opens_without_a_gaming_day(house: House) -> None:
    GamingDay.objects.update(closed_at=house.at)

    with pytest.raises(NoOpenDay):
        house.open(1)


@pytest.mark.rule("H4.22", "H4.24", "U7", "U-R3")
def test_the_winner_of_the_draw_has_the_first_button(house: House) -> None:
    table = house.open(1, Lee=1, Kai=4, Timo=7)

    house.tap(record_draw, house.cast.anna, table_id=table.pk, winner_seat=4, seats=[1, 4, 7])

    opening = house.table().opening
    assert opening is not None
    assert opening.draw is not None
    assert opening.draw["players"] == [house.player(name).pk for name in ("Lee", "Kai", "Timo")]
    next_hand = next_hand_at(opening, seated(table.pk))
    assert next_hand is not None
    assert (next_hand.button, next_hand.small_blind, next_hand.big_blind) == (4, 7, 1)


def test_a_draw_after_the_first_hand_changes_nothing_at_the_table(house: House) -> None:
    table = house.open(1, Lee=1, Kai=4, Timo=7)
    house.settle(20_00)

    answer = house.tap(record_draw, house.cast.anna, table_id=table.pk, winner_seat=4, seats=[1, 4, 7])

    assert answer.data["counts"] is False
    opening = house.table().opening
    assert opening is not None
    assert opening.draw is None


def test_a_seat_that_the_game_does_not_have_is_not_drawn(house: House) -> None:
    table = house.open(1, Lee=1)

    with pytest.raises(NoSuchSeat):
        house.tap(record_draw, table_id=table.pk, winner_seat=11, seats=[1])


def test_a_table_closes_when_the_last_player_has_left(house: House) -> None:
    table = house.open(1)
    lee = house.seat("Lee", 1)

    with pytest.raises(SeatsOccupied):
        house.tap(close_table, table_id=table.pk)
    house.tap(leave_seat, table_id=table.pk, seating_id=lee.pk, stack_cents=200_00)
    house.tap(close_table, table_id=table.pk)

    assert house.table().opening is None
    opening = Opening.objects.get(table=table)
    assert opening.closed_by_id == house.cast.frans.pk
    with pytest.raises(TableClosed):
        house.tap(close_table, table_id=table.pk)


@pytest.mark.rule("H1.1")
def test_a_table_does_not_close_in_the_middle_of_a_hand(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    house.deal()

    with pytest.raises(HandInProgress):
        house.tap(close_table, table_id=table.pk)


def test_an_open_table_keeps_the_day_open(house: House) -> None:
    house.open(2)

    with pytest.raises(DayNotFinished) as refused:
        close_day(command(house.cast.mari, at=house.at))

    assert ["table", 2] in refused.value.data["still_open"]


def test_a_game_that_the_book_changed_is_a_game_of_its_own(house: House) -> None:
    table = house.open(1)
    running = house.game()
    with as_owner():
        Game.objects.filter(pk=running.pk).update(seats=8)

    house.tap(offer_games, house.cast.mari)

    opening = house.table().opening
    assert opening is not None
    assert opening.game_id == running.pk
    assert house.game().pk != running.pk
    assert not Game.objects.get(pk=running.pk).is_offered
    assert Game.objects.filter(room_id=house.room_id, is_offered=True).count() == 3
    assert table.number == 1


@pytest.mark.helsinki
def test_offering_the_same_games_again_changes_nothing(house: House) -> None:
    before = list(Game.objects.order_by("id").values())

    house.tap(offer_games, house.cast.mari)

    assert list(Game.objects.order_by("id").values()) == before
