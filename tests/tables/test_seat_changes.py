"""Changing seats at a table: asked in order, what it costs, and taken back."""

import pytest

from casino.waiting.services.lists import call_player, join_list
from tables.errors import EntryNotOffered, HandInProgress, NoSuchSeat, NothingToTakeBack, SeatTaken
from tables.errors_seats import SeatPromised
from tables.models import Game, Seating
from tables.services.seat_change import ask_seat_change, change_seat, take_back_seat_change
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.test_missed_blinds import Evening

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]


@pytest.fixture
def evening(house: House) -> Evening:
    return Evening(house)


def ask(evening: Evening, seat: int, to: int | None = None, *, asks: bool = True) -> None:
    seating = evening.seating(seat)
    evening.house.tap(ask_seat_change, table_id=evening.table.pk, seating_id=seating.pk, asks=asks, seat_number=to)


def move(evening: Evening, seat: int, to: int, *, posts: bool = False) -> dict[str, object]:
    seating = evening.seating(seat)
    return evening.house.tap(
        change_seat, table_id=evening.table.pk, seating_id=seating.pk, seat_number=to, posts=posts
    ).data


# Button in seat 1, blinds in 2 and 3: the big blind comes to seat 4 next, then 5, 1, 2, 3.


@pytest.mark.rule("H4.46")
@pytest.mark.parametrize(("posts", "entry"), [(True, "posts"), (False, "waits")])
def test_further_from_the_blinds_a_player_posts_or_waits(evening, posts, entry):
    moved = move(evening, 4, 9, posts=posts)

    assert moved["further"]
    assert evening.entry(9) == (entry, "")
    assert (9 in evening.next_start().dealt_in) is posts


@pytest.mark.rule("H4.46")
def test_what_is_posted_for_the_new_seat_is_live(evening):
    move(evening, 4, 9, posts=True)

    hand = evening.settle()

    seat = hand.seats.get(seat_number=9)
    assert (seat.post, seat.live_cents, seat.dead_cents) == ("new_player", 2_00, 0)
    assert evening.entry(9) == ("in", "")


@pytest.mark.rule("H4.46")
def test_a_small_blind_missed_alone_is_posted_beside_the_big_one_and_is_one_again_when_taken_back(evening):
    Seating.objects.filter(pk=evening.seating(4).pk).update(missed="small", entry="waits")

    move(evening, 4, 9, posts=True)

    assert evening.entry(9) == ("posts", "both")
    evening.house.tap(take_back_seat_change, table_id=evening.table.pk, seating_id=evening.seating(9).pk)
    assert evening.entry(4) == ("waits", "small")
    move(evening, 4, 9, posts=True)
    seat = evening.settle().seats.get(seat_number=9)
    assert (seat.live_cents, seat.dead_cents) == (2_00, 2_00)


@pytest.mark.rule("H4.47")
def test_closer_to_the_blinds_costs_nothing(evening):
    ask(evening, 1, 9)
    moved = move(evening, 1, 9, posts=True)

    assert not moved["further"]
    assert evening.entry(9) == ("in", "")
    assert 9 in evening.next_start().dealt_in
    assert evening.seating(9).change_wished_at is None


@pytest.mark.rule("H4.46")
def test_markers_move_along(evening):
    evening.hold(4, is_held=True)
    evening.settle()

    move(evening, 4, 9)

    assert evening.entry(9) == ("waits", "both")


@pytest.mark.rule("H2.13")
def test_wishes_are_served_in_the_order_of_asking_and_the_log_names_who_was_passed_over(evening):
    ask(evening, 5)
    ask(evening, 2, 8)
    ask(evening, 1, 9)
    ask(evening, 3, 9)
    ask(evening, 5, 9)
    first = [evening.seating(5).pk, evening.seating(1).pk]

    assert move(evening, 3, 9)["wished_before"] == first


@pytest.mark.rule("H2.13")
def test_who_no_longer_wants_another_seat_says_so(evening):
    ask(evening, 5)
    ask(evening, 5, asks=False)

    assert evening.seating(5).change_wished_at is None
    assert move(evening, 3, 9)["wished_before"] == []


@pytest.mark.rule("H1.1", "H4.45")
def test_nobody_changes_during_a_hand_or_into_a_seat_that_is_not_free(evening):
    house = evening.house
    timo = house.tap(join_list, game_id=house.game().pk, player_id=house.player("Mika").pk).data["waiting"]
    house.tap(call_player, waiting_id=timo, table_id=evening.table.pk, seat_number=8)
    for to, refusal in ((2, SeatTaken), (8, SeatPromised), (11, NoSuchSeat)):
        with pytest.raises(refusal):
            move(evening, 4, to)

    house.deal()
    with pytest.raises(HandInProgress):
        move(evening, 4, 9)


@pytest.mark.rule("U11")
def test_where_everybody_waits_nobody_posts_for_a_seat(evening):
    with as_owner():
        Game.objects.update(may_post_to_come_in=False)

    with pytest.raises(EntryNotOffered):
        move(evening, 4, 9, posts=True)
    move(evening, 4, 9)


def test_a_change_is_taken_back_until_the_next_hand(evening):
    move(evening, 4, 9)
    seating = evening.seating(9)
    evening.house.tap(take_back_seat_change, table_id=evening.table.pk, seating_id=seating.pk)
    assert (evening.seating(4).pk, evening.entry(4)) == (seating.pk, ("in", ""))

    move(evening, 4, 9)
    evening.settle()
    with pytest.raises(NothingToTakeBack):
        evening.house.tap(take_back_seat_change, table_id=evening.table.pk, seating_id=seating.pk)


def test_a_change_is_not_taken_back_into_a_seat_that_was_taken_since(evening):
    move(evening, 4, 9)
    evening.house.seat("Mika", 4)

    with pytest.raises(SeatTaken):
        evening.house.tap(take_back_seat_change, table_id=evening.table.pk, seating_id=evening.seating(9).pk)


@pytest.mark.rule("H4.26", "H4.28")
def test_the_blinds_know_that_who_paid_them_has_gone_elsewhere(evening):
    move(evening, 3, 9)

    start = evening.next_start()

    assert (start.small_blind, start.big_blind) == (None, 4)
    assert Seating.objects.filter(table=evening.table, left_at=None).count() == 5
