"""Absence hand by hand: which markers are laid down, and what each way back costs."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.poker.blinds import after, as_last, next_hand
from casino.poker.missed import Missed, between, owed_to_come_back
from casino.poker.positions import BlindTerms, Entry, LastHand, NextHand, Occupant, Post, PostKind
from casino.poker.straddles import Straddle

TERMS = BlindTerms(2_00, 4_00, seats=9)
SEATED = tuple(Occupant(seat, 100 + seat) for seat in (1, 2, 3, 4, 5, 6))
# Button in seat 1, small blind in seat 2, big blind in seat 3.
LAST = LastHand(1, 101, 2, 102, 3, 103)


def away(occupants: tuple[Occupant, ...], *seats: int) -> tuple[Occupant, ...]:
    return changed(occupants, *seats, is_held=True)


def changed(occupants: tuple[Occupant, ...], *seats: int, **to: object) -> tuple[Occupant, ...]:
    return tuple(replace(o, **to) if o.seat_number in seats else o for o in occupants)  # type: ignore[arg-type]


def deal(occupants: tuple[Occupant, ...], last: LastHand | None, terms: BlindTerms = TERMS) -> NextHand:
    hand = next_hand(occupants, last, terms=terms)
    assert hand is not None
    return hand


def played(
    occupants: tuple[Occupant, ...], last: LastHand | None, hands: int
) -> tuple[tuple[Occupant, ...], LastHand | None]:
    for _ in range(hands):
        hand = deal(occupants, last)
        occupants, last = after(hand, occupants), as_last(hand, occupants)
    return occupants, last


def missed(occupants: tuple[Occupant, ...]) -> dict[int, Missed]:
    return {o.seat_number: o.missed for o in occupants if o.missed}


def post_of(hand: NextHand, seat: int) -> Post | None:
    return next((post for post in hand.posts if post.seat_number == seat), None)


@pytest.mark.rule("H4.35", "H4.36", "H4.38")
def test_absent_at_the_turn_of_the_big_blind_both_are_missed_at_once():
    hand = deal(away(SEATED, 4), LAST)

    assert hand.big_blind == 5
    assert hand.missed == ((4, Missed.BOTH),)


@pytest.mark.rule("H4.36")
def test_absent_after_the_big_blind_was_paid_the_small_one_alone_is_missed():
    hand = deal(away(SEATED, 3), LAST)

    assert (hand.small_blind, hand.big_blind) == (None, 4)
    assert hand.missed == ((3, Missed.SMALL),)


@pytest.mark.rule("H4.37")
def test_however_long_the_absence_there_are_two_markers_at_most():
    occupants, last = played(away(SEATED, 3), LAST, 1)
    assert missed(occupants) == {3: Missed.SMALL}

    occupants, last = played(occupants, last, 4)
    assert missed(occupants) == {3: Missed.SMALL}

    for _ in range(12):
        occupants, last = played(occupants, last, 1)
    assert missed(occupants) == {3: Missed.BOTH}
    assert Missed.BOTH.markers == 2


@pytest.mark.rule("H4.35")
def test_who_is_away_between_two_turns_misses_nothing():
    occupants, last = played(away(SEATED, 6), LAST, 2)
    back = changed(occupants, 6, is_held=False)

    assert missed(back) == {}
    assert 6 in deal(back, last).dealt_in


@pytest.mark.rule("H4.40", "H4.42")
def test_what_coming_back_at_once_costs():
    blinds = {"small_blind_cents": 2_00, "big_blind_cents": 4_00}

    assert owed_to_come_back(Missed.BOTH, **blinds) == (4_00, 2_00)
    assert owed_to_come_back(Missed.SMALL, **blinds) == (2_00, 0)
    assert owed_to_come_back(Missed.NONE, **blinds) == (4_00, 0)


@pytest.mark.rule("H4.40")
def test_both_missed_and_posted_the_small_one_is_dead():
    occupants, last = played(away(SEATED, 4), LAST, 3)
    back = changed(occupants, 4, is_held=False, entry=Entry.POSTS)

    hand = deal(back, last)

    assert post_of(hand, 4) == Post(4, PostKind.MISSED, 4_00, 2_00)
    assert 4 in hand.dealt_in
    assert missed(after(hand, back)) == {}


@pytest.mark.rule("H4.42")
def test_the_small_one_alone_missed_and_posted_is_live():
    occupants, last = played(away(SEATED, 3), LAST, 2)
    back = changed(occupants, 3, is_held=False, entry=Entry.POSTS)

    assert post_of(deal(back, last), 3) == Post(3, PostKind.MISSED, 2_00, 0)


@pytest.mark.rule("H4.39", "H4.41")
@pytest.mark.parametrize("seat", [pytest.param(4, id="both-missed"), pytest.param(3, id="the-small-one-missed")])
def test_whoever_waits_for_the_own_big_blind_pays_nothing_of_what_was_missed(seat):
    occupants, last = played(away(SEATED, seat), LAST, 3)
    back = changed(occupants, seat, is_held=False)
    assert missed(back)

    while (hand := deal(back, last)).big_blind != seat:
        assert seat in hand.waiting
        back, last = after(hand, back), as_last(hand, back)

    assert post_of(hand, seat) == Post(seat, PostKind.BIG_BLIND, 4_00)
    assert missed(after(hand, back)) == {}


@pytest.mark.rule("H4.43", "H4.34")
@pytest.mark.parametrize("markers", [Missed.BOTH, Missed.SMALL, Missed.NONE])
def test_next_after_the_big_blind_a_live_straddle_is_all_that_is_paid(markers):
    back = changed(SEATED, 5, missed=markers, entry=Entry.STRADDLES)

    hand = deal(back, LAST, replace(TERMS, straddle=Straddle.LIVE))

    assert hand.big_blind == 4
    assert post_of(hand, 5) == Post(5, PostKind.STRADDLE, 8_00)
    assert hand.first_to_act == 6
    assert missed(after(hand, back)) == {}


@pytest.mark.rule("H4.43")
def test_elsewhere_whoever_would_straddle_waits():
    back = changed(SEATED, 6, missed=Missed.BOTH, entry=Entry.STRADDLES)

    hand = deal(back, LAST, replace(TERMS, straddle=Straddle.LIVE))

    assert 6 in hand.waiting
    assert missed(after(hand, back)) == {6: Missed.BOTH}


@pytest.mark.rule("H4.34")
def test_a_new_player_who_posts_and_straddles_posts_the_straddle_alone():
    newcomer = changed(SEATED, 5, entry=Entry.POSTS, straddles=True)

    hand = deal(newcomer, LAST, replace(TERMS, straddle=Straddle.LIVE))

    assert post_of(hand, 5) == Post(5, PostKind.STRADDLE, 8_00)


@pytest.mark.rule("H4.23")
def test_of_the_draw_whoever_is_away_on_the_first_hand_misses_blinds():
    hand = next_hand(away(SEATED, 2, 4), None, terms=TERMS, first_button=1)

    assert hand is not None
    assert (hand.button, hand.small_blind, hand.big_blind) == (1, 3, 5)
    assert dict(hand.missed) == {2: Missed.SMALL, 4: Missed.BOTH}


@pytest.mark.rule("H4.24")
def test_a_new_player_who_has_not_played_yet_misses_no_blind():
    newcomer = changed(SEATED, 4, entry=Entry.WAITS, is_held=True)

    assert deal(newcomer, LAST).missed == ()


@pytest.mark.rule("H4.29")
def test_a_big_blind_that_stays_in_its_seat_passes_nobody():
    newcomer = (*(o for o in away(SEATED, 6) if o.seat_number != 3), Occupant(3, 203, Entry.POSTS))

    hand = deal(newcomer, LAST)

    assert hand.big_blind == 3
    assert hand.missed == ()


def test_between_two_seats_lie_those_met_going_clockwise():
    assert between(7, 2, seats=9) == {8, 9, 1}
    assert between(4, 5, seats=9) == frozenset()
    assert between(4, 4, seats=9) == frozenset()


@pytest.mark.rule("H4.37")
@given(st.data())
def test_through_any_evening_markers_are_two_at_most_and_nobody_dealt_in_keeps_any(data):
    occupants, last = SEATED, LAST
    for _ in range(data.draw(st.integers(1, 20))):
        toggled = data.draw(st.sets(st.integers(1, 6), max_size=2))
        entry = data.draw(st.sampled_from([Entry.WAITS, Entry.POSTS, Entry.STRADDLES]))
        occupants = tuple(
            replace(o, is_held=not o.is_held, entry=entry if o.missed else o.entry) if o.seat_number in toggled else o
            for o in occupants
        )
        hand = next_hand(occupants, last, terms=replace(TERMS, straddle=Straddle.LIVE))
        if hand is None:
            continue
        laid_down = dict(hand.missed)
        held = {o.seat_number for o in occupants if o.is_held}
        assert laid_down.keys() <= held
        assert not laid_down.keys() & set(hand.dealt_in)
        for post in hand.posts:
            assert (post.live_cents, post.dead_cents) in {(2_00, 0), (4_00, 0), (4_00, 2_00), (8_00, 0)}
        before = {o.seat_number: o.missed for o in occupants}
        occupants = after(hand, occupants)
        assert all(o.missed.markers >= before[o.seat_number].markers for o in occupants if o.is_held)
        assert not any(o.missed for o in occupants if o.seat_number in hand.dealt_in)
        last = as_last(hand, occupants)
