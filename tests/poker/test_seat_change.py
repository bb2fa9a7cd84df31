"""Changing the seat: further from the blinds costs a big blind, closer costs nothing."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.poker.blinds import next_hand
from casino.poker.missed import Missed
from casino.poker.positions import BlindTerms, Entry, LastHand, Occupant, Post, PostKind
from casino.poker.seat_change import hands_until_big_blind, is_further_from_the_blinds, moved

TERMS = BlindTerms(2_00, 4_00, seats=9)
SEATED = tuple(Occupant(seat, 100 + seat) for seat in (1, 2, 3, 5, 6))
LAST = LastHand(1, 101, 2, 102, 3, 103)


def test_the_big_blind_reaches_the_next_player_on_the_next_hand():
    present = frozenset({1, 2, 3, 5, 6})

    assert [hands_until_big_blind(seat, present, last_big_blind=3) for seat in (5, 6, 1, 2, 3, 8)] == [1, 2, 3, 4, 5, 3]


@pytest.mark.rule("H4.46", "H4.47")
@pytest.mark.parametrize(
    ("from_seat", "to_seat", "expected"),
    [
        pytest.param(5, 8, True, id="over-a-player-further"),
        pytest.param(5, 4, False, id="as-far-as-before"),
        pytest.param(1, 4, False, id="closer"),
        pytest.param(6, 7, False, id="over-an-empty-seat"),
        pytest.param(3, 4, False, id="who-has-just-paid-it-can-only-come-closer"),
    ],
)
def test_further_is_where_the_big_blind_comes_later(from_seat, to_seat, expected):
    assert is_further_from_the_blinds(SEATED, LAST, from_seat=from_seat, to_seat=to_seat) is expected


def test_before_the_first_hand_every_seat_is_alike():
    assert not is_further_from_the_blinds(SEATED, None, from_seat=5, to_seat=8)


@pytest.mark.rule("H4.46")
def test_further_the_player_posts_a_live_big_blind_or_waits():
    mover = SEATED[3]
    others = tuple(o for o in SEATED if o is not mover)

    posting = next_hand((*others, moved(mover, to_seat=8, is_further=True, posts=True)), LAST, terms=TERMS)
    waiting = next_hand((*others, moved(mover, to_seat=8, is_further=True, posts=False)), LAST, terms=TERMS)

    assert posting is not None
    assert waiting is not None
    assert Post(8, PostKind.NEW_PLAYER, 4_00) in posting.posts
    assert 8 in waiting.waiting


@pytest.mark.rule("H4.46", "H4.40")
def test_further_a_small_blind_missed_alone_comes_beside_the_big_one_dead():
    mover = replace(SEATED[3], missed=Missed.SMALL, entry=Entry.WAITS)
    others = tuple(o for o in SEATED if o.seat_number != mover.seat_number)

    posting = next_hand((*others, moved(mover, to_seat=8, is_further=True, posts=True)), LAST, terms=TERMS)

    assert posting is not None
    (post,) = (post for post in posting.posts if post.seat_number == 8)
    assert (post.live_cents, post.dead_cents) == (4_00, 2_00)


@pytest.mark.rule("H4.47")
def test_closer_costs_nothing_and_markers_move_along():
    mover = Occupant(1, 101, missed=Missed.SMALL, entry=Entry.WAITS)

    there = moved(mover, to_seat=4, is_further=False, posts=False)

    assert there == Occupant(4, 101, missed=Missed.SMALL, entry=Entry.WAITS)


@given(from_seat=st.sampled_from([1, 2, 3, 5, 6]), to_seat=st.sampled_from([4, 7, 8, 9]))
def test_there_and_back_again_never_costs_twice(from_seat, to_seat):
    there = is_further_from_the_blinds(SEATED, LAST, from_seat=from_seat, to_seat=to_seat)
    moved_there = (*(o for o in SEATED if o.seat_number != from_seat), Occupant(to_seat, 100 + from_seat))
    back = is_further_from_the_blinds(moved_there, LAST, from_seat=to_seat, to_seat=from_seat)

    assert not (there and back)
