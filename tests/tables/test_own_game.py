"""Which game a hand belongs to that comes late: its tablet says which one it showed, whatever its clock says."""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest

from tables.models import Hand, Opening, ToDo
from tables.rules.logged import LoggedHand
from tables.selectors.dealer import dealer_screen
from tables.services.hands import settle_hand
from tests.tables.conftest import House
from tests.tables.test_late_hands import FOUR, closed_and_opened_again, open_todos, tapped
from tests.tables.test_other_stakes import change

pytestmark = pytest.mark.two_houses

LARGE_CENTS = 300_00
AT_2_2, AT_5_5 = 10_00, 15_00  # the most that each game's rake takes of a pot


def hand_of(opening: Opening | int | None, *seats: int) -> LoggedHand:
    number = opening.pk if isinstance(opening, Opening) else opening
    return LoggedHand(
        uuid4(), winners=((seats[0],),), pots=(LARGE_CENTS,), opening_id=number,
        dealt_in=seats, button=seats[0], small_blind=seats[1], big_blind=seats[2],
    )  # fmt: skip


def arrives(house: House, hand: LoggedHand, at: datetime) -> Hand:
    tapped(house, settle_hand, at, hand=hand)
    return Hand.objects.get(hand_id=hand.hand_id)


def players(row: Hand) -> list[str]:
    return list(row.seats.order_by("seat_number").values_list("player__nickname", flat=True))


@pytest.mark.helsinki
def test_a_hand_of_the_game_of_now_by_a_clock_that_is_behind_is_no_hand_of_the_one_before(house: House) -> None:
    house.open(1, **FOUR)
    played_at = closed_and_opened_again(house)
    opening = house.table().opening

    row = arrives(house, hand_of(opening, 1, 2, 3), played_at)

    assert row.opening == opening
    assert row.due("rake") == AT_5_5
    assert players(row) == ["Pekka", "Jo", "Sara"]
    assert "late_fact" not in open_todos(house)


@pytest.mark.helsinki
def test_a_hand_of_a_game_that_was_closed_by_a_clock_that_is_ahead_is_still_of_that_game(house: House) -> None:
    house.open(1, **FOUR)
    first = house.table().opening
    closed_and_opened_again(house)
    before = house.positions()

    row = arrives(house, hand_of(first, 1, 2, 3, 4), house.at)

    assert row.opening == first
    assert row.due("rake") == AT_2_2
    # The moment says nothing about who sat there: the game does.
    assert players(row) == ["Lee", "Kai", "Timo", "Mika"]
    assert house.positions() == before
    assert open_todos(house) == ["late_fact"]


def test_the_games_of_other_tables_and_seats_that_the_game_never_had_are_not_believed(house: House) -> None:
    house.open(2, Ville=1, Riku=2)
    elsewhere = house.table(2).opening
    house.open(1, **FOUR)
    of_ten_seats = house.table().opening
    played_at = closed_and_opened_again(house)
    of_nine_seats = house.table().opening

    not_here = arrives(house, hand_of(elsewhere, 1, 2, 3, 4), played_at)
    nobody_knows = arrives(house, hand_of(2**62, 1, 2, 3, 4), played_at)
    cannot_be = arrives(house, hand_of(of_nine_seats, 1, 2, 10), played_at)

    assert {row.opening for row in (not_here, nobody_knows, cannot_be)} == {of_ten_seats}


@pytest.mark.helsinki
@pytest.mark.rule("L-P23")
def test_a_hand_dealt_before_the_stakes_changed_is_raked_by_its_own_also_by_a_wrong_clock(house: House) -> None:
    house.open(1, **FOUR)
    house.settle(40_00)
    old = house.table().opening
    change(house)
    house.settle(40_00)
    before = house.positions()

    row = arrives(house, hand_of(old, 1, 2, 3, 4), house.at)

    assert row.opening == old
    assert (row.due("rake"), row.taken("rake")) == (AT_2_2, AT_2_2)
    assert players(row) == ["Lee", "Kai", "Timo", "Mika"]
    assert house.positions() == before
    assert open_todos(house) == ["late_fact"]


@pytest.mark.helsinki
def test_without_its_game_the_moment_tells_by_which_stakes_a_hand_is_raked(house: House) -> None:
    house.open(1, **FOUR)
    house.settle(40_00)
    then = house.at
    house.at += timedelta(minutes=5)
    change(house)
    house.settle(40_00)

    assert arrives(house, hand_of(None, 1, 2, 3, 4), then).due("rake") == AT_2_2
    assert arrives(house, hand_of(None, 1, 2, 3, 4), house.at).due("rake") == AT_5_5
    assert list(ToDo.objects.order_by("id").values_list("kind", flat=True)) == ["late_fact", "hand_differs"]


def test_the_tablet_is_told_which_game_it_shows(house: House) -> None:
    house.open(1, **FOUR)

    screen = dealer_screen(room_id=house.room_id, number=1)

    assert screen.as_json()["opening_id"] == house.table().opening_id
