"""Absence at a table: markers laid down by hands, every way back with its price, and what an undo gives back."""

from dataclasses import replace

import pytest

from tables.errors import EntryNotOffered, NoStraddles
from tables.models import Game, Hand, Seating
from tables.selectors.dealer import dealer_screen
from tables.selectors.dealer_shown import DealerScreen, HandStart, LaidDown, WayIn
from tables.services.corrections import undo_hand
from tables.services.hands import deal_hand, settle_hand, skip_hand, void_hand
from tables.services.seating import choose_entry, hold_seat, set_straddle
from tests.support.owner import as_owner
from tests.tables.conftest import House

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]


class Evening:
    """Five players; the first hand has been played: button in seat 1, blinds in seats 2 and 3."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.table = house.open(Lee=1, Kai=2, Timo=3, Ville=4, Aino=5)
        first = house.logged(60_00, dealt_in=(1, 2, 3, 4, 5), button=1, small_blind=2, big_blind=3)
        house.tap(settle_hand, house.cast.anna, table_id=self.table.pk, hand=first)

    def settle(self) -> Hand:
        hand, logged = self.house.table().hand, self.house.logged(60_00)
        if hand is not None:
            logged = replace(logged, hand_id=hand.hand_id)
        self.house.tap(settle_hand, self.house.cast.anna, table_id=self.table.pk, hand=logged)
        return Hand.objects.filter(table=self.table).latest("id")

    def seating(self, seat: int) -> Seating:
        return Seating.objects.get(table=self.table, seat_number=seat, left_at=None)

    def hold(self, seat: int, *, is_held: bool, **more: object) -> None:
        self.house.tap(
            hold_seat,
            self.house.cast.anna,
            table_id=self.table.pk,
            seating_id=self.seating(seat).pk,
            is_held=is_held,
            **more,
        )

    def entry(self, seat: int) -> tuple[str, str]:
        seating = self.seating(seat)
        return seating.entry, seating.missed

    def screen(self) -> DealerScreen:
        return dealer_screen(room_id=self.house.room_id, number=1)

    def next_start(self) -> HandStart:
        start = self.screen().start
        assert start is not None
        return start


@pytest.fixture
def evening(house: House) -> Evening:
    return Evening(house)


@pytest.mark.rule("H4.35", "H4.36", "H4.38")
def test_a_hand_lays_markers_before_whom_the_blinds_pass(evening):
    evening.hold(4, is_held=True)

    evening.settle()

    assert evening.entry(4) == ("waits", "both")
    assert evening.entry(5) == ("in", "")


@pytest.mark.rule("H4.36", "H4.37")
def test_the_small_one_first_and_never_more_than_two(evening):
    evening.hold(3, is_held=True)

    evening.settle()
    assert evening.entry(3) == ("waits", "small")

    for _ in range(8):
        evening.settle()
    assert evening.entry(3) == ("waits", "both")


@pytest.mark.rule("H4.40")
def test_who_posts_both_puts_one_in_front_and_one_into_the_pot(evening):
    evening.hold(4, is_held=True)
    evening.settle()

    evening.hold(4, is_held=False, entry="posts")
    hand = evening.settle()

    seat = hand.seats.get(seat_number=4)
    assert (seat.post, seat.live_cents, seat.dead_cents) == ("missed", 2_00, 2_00)
    assert evening.entry(4) == ("in", "")


@pytest.mark.rule("H4.36", "H4.40")
def test_who_comes_back_during_the_hand_that_marks_them_again_comes_in_as_they_chose(evening):
    evening.hold(3, is_held=True)
    evening.settle()
    while not any(each.seat == 3 for each in evening.next_start().laid_down):
        evening.settle()
    hand = evening.house.deal()
    assert evening.entry(3) == ("waits", "small")

    evening.hold(3, is_held=False, entry="posts")
    ahead = evening.screen().ahead[0]
    evening.settle()

    assert evening.entry(3) == ("posts", "both")
    assert ahead == evening.screen().ahead[0]
    assert [(post.seat, post.live, post.dead) for post in ahead.posts if post.kind == "missed"] == [(3, 2_00, 2_00)]
    evening.house.tap(undo_hand, evening.house.cast.anna, table_id=evening.table.pk, hand_id=hand.hand_id)
    assert evening.entry(3) == ("waits", "small")


@pytest.mark.rule("H4.39")
def test_who_says_nothing_waits_for_the_big_blind(evening):
    evening.hold(4, is_held=True)
    evening.settle()

    evening.hold(4, is_held=False)
    hand = evening.settle()

    assert not hand.seats.filter(seat_number=4).exists()
    assert evening.entry(4) == ("waits", "both")


@pytest.mark.rule("H4.43")
def test_who_would_straddle_comes_in_next_after_the_big_blind(evening):
    evening.hold(4, is_held=True)
    evening.settle()
    evening.hold(4, is_held=False, entry="straddles")
    while evening.next_start().big_blind != 3:
        assert 4 not in evening.next_start().dealt_in
        evening.settle()

    hand = evening.settle()

    seat = hand.seats.get(seat_number=4)
    assert (seat.post, seat.live_cents, seat.dead_cents) == ("straddle", 4_00, 0)
    assert evening.entry(4) == ("in", "")


def test_who_missed_nothing_is_back_at_once(evening):
    evening.hold(1, is_held=True)
    assert evening.seating(1).away_since is not None

    evening.hold(1, is_held=False)

    assert evening.seating(1).away_since is None
    assert 1 in evening.next_start().dealt_in


def test_an_undo_takes_the_markers_back(evening):
    evening.hold(4, is_held=True)
    hand = evening.settle()

    evening.house.tap(undo_hand, evening.house.cast.anna, table_id=evening.table.pk, hand_id=hand.hand_id)

    assert evening.entry(4) == ("in", "")


@pytest.mark.rule("H4.40")
def test_an_undo_makes_who_came_in_owe_again(evening):
    evening.hold(4, is_held=True)
    evening.settle()
    evening.hold(4, is_held=False, entry="posts")
    hand = evening.settle()

    evening.house.tap(undo_hand, evening.house.cast.anna, table_id=evening.table.pk, hand_id=hand.hand_id)

    assert evening.entry(4) == ("posts", "both")


@pytest.mark.rule("H3.19")
def test_a_void_hand_lays_no_marker(evening):
    evening.hold(4, is_held=True)

    hand = evening.house.logged()
    evening.house.tap(void_hand, evening.house.cast.anna, table_id=evening.table.pk, hand=hand, reason="misdeal")

    assert evening.entry(4) == ("in", "")


def test_a_hand_that_was_not_logged_lays_them_all_the_same(evening):
    evening.hold(4, is_held=True)

    evening.house.tap(skip_hand, evening.house.cast.anna, table_id=evening.table.pk, hand=evening.house.logged())

    assert evening.entry(4) == ("waits", "both")


@pytest.mark.rule("H4.36")
def test_the_ring_shows_markers_from_the_deal_on(evening):
    evening.hold(4, is_held=True)

    evening.house.tap(deal_hand, evening.house.cast.anna, table_id=evening.table.pk, hand=evening.house.logged())
    screen = evening.screen()

    assert screen.hand is not None
    assert screen.hand.start.laid_down == (LaidDown(4, 2),)
    assert 4 not in screen.ahead[0].dealt_in


def test_coming_back_during_the_hand_that_passed_one_still_owes(evening):
    evening.hold(4, is_held=True)
    evening.house.tap(deal_hand, evening.house.cast.anna, table_id=evening.table.pk, hand=evening.house.logged())
    evening.hold(4, is_held=False)

    evening.settle()

    assert evening.entry(4) == ("waits", "both")


@pytest.mark.rule("U36")
def test_a_house_where_everybody_waits_offers_nothing_else(evening):
    with as_owner():
        Game.objects.update(may_post_to_come_in=False, straddle="off")
    evening.hold(4, is_held=True)
    evening.settle()

    with pytest.raises(EntryNotOffered):
        evening.hold(4, is_held=False, entry="posts")

    offer = evening.screen().offer
    assert offer is not None
    assert offer.ways[2] == (WayIn("waits", 0, 0),)


@pytest.mark.rule("H4.31")
def test_a_way_in_can_be_changed_until_it_is_taken(evening):
    evening.hold(4, is_held=True)
    evening.settle()
    evening.hold(4, is_held=False, entry="posts")

    evening.house.tap(choose_entry, table_id=evening.table.pk, seating_id=evening.seating(4).pk, entry="waits")

    assert evening.entry(4) == ("waits", "both")


@pytest.mark.rule("H4.18")
def test_a_standing_straddle_is_posted_until_it_is_cancelled(evening):
    evening.house.tap(
        set_straddle,
        evening.house.cast.anna,
        table_id=evening.table.pk,
        seating_id=evening.seating(5).pk,
        straddles=True,
    )
    assert evening.next_start().big_blind == 4

    first = evening.settle()
    assert first.seats.get(seat_number=5).post == "straddle"
    assert first.seats.get(seat_number=5).live_cents == 4_00

    evening.house.tap(
        set_straddle,
        evening.house.cast.anna,
        table_id=evening.table.pk,
        seating_id=evening.seating(5).pk,
        straddles=False,
    )
    for _ in range(5):
        assert not evening.settle().seats.filter(post="straddle").exists()


@pytest.mark.rule("R-§11-5")
def test_a_straddle_asked_for_once_cards_are_out_holds_from_the_next_hand(evening):
    evening.house.deal()
    for seat in (5, 1):
        pk = evening.seating(seat).pk
        evening.house.tap(
            set_straddle, evening.house.cast.anna, table_id=evening.table.pk, seating_id=pk, straddles=True
        )

    assert not evening.settle().seats.filter(post="straddle").exists()
    assert evening.settle().seats.get(post="straddle").seat_number == 1


def test_a_game_without_straddles_says_so(evening):
    with as_owner():
        Game.objects.update(straddle="off")

    with pytest.raises(NoStraddles):
        evening.house.tap(
            set_straddle,
            evening.house.cast.anna,
            table_id=evening.table.pk,
            seating_id=evening.seating(5).pk,
            straddles=True,
        )
