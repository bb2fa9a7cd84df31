"""Straddles by each rule: who, how much, and who acts first then."""

from dataclasses import replace

import pytest

from casino.poker.blinds import next_hand
from casino.poker.positions import BlindTerms, LastHand, NextHand, Occupant, PostKind
from casino.poker.straddles import Straddle, straddles

TERMS = BlindTerms(20_00, 50_00, seats=6)
# The next hand: button in seat 2, blinds in 3 and 4, first to act seat 5.
LAST = LastHand(1, 101, 2, 102, 3, 103)


def deal(rule: Straddle, *wanting: int, seats: tuple[int, ...] = (1, 2, 3, 4, 5, 6)) -> NextHand:
    occupants = [Occupant(seat, 100 + seat, straddles=seat in wanting) for seat in seats]
    hand = next_hand(occupants, LAST, terms=replace(TERMS, straddle=rule))
    assert hand is not None
    return hand


def posted(hand: NextHand) -> list[tuple[int, int]]:
    return [(post.seat_number, post.live_cents) for post in hand.posts if post.kind is PostKind.STRADDLE]


@pytest.mark.rule("H4.13", "U14")
@pytest.mark.parametrize("rule", [Straddle.OFF, Straddle.LIVE])
def test_without_a_straddle_the_player_left_of_the_big_blind_opens(rule):
    hand = deal(rule)

    assert (hand.button, hand.small_blind, hand.big_blind, hand.first_to_act) == (2, 3, 4, 5)
    assert posted(hand) == []


@pytest.mark.rule("H4.18", "H4.19")
def test_a_live_straddle_is_twice_the_big_blind_and_acts_last():
    hand = deal(Straddle.LIVE, 5, 6)

    assert posted(hand) == [(5, 100_00)]
    assert hand.first_to_act == 6


@pytest.mark.rule("H4.18")
def test_only_the_player_next_after_the_big_blind_may_post_a_live_straddle():
    assert posted(deal(Straddle.LIVE, 6, 1, 2, 3, 4)) == []


@pytest.mark.rule("H4.20", "H4.21")
@pytest.mark.parametrize(
    ("wanting", "straddler", "first"),
    [
        pytest.param((2, 5), 2, 3, id="the-button-has-priority"),
        pytest.param((1, 5), 1, 2, id="then-counter-clockwise"),
        pytest.param((5,), 5, 6, id="down-to-the-seat-after-the-big-blind"),
    ],
)
def test_a_mississippi_straddle_goes_to_the_button_first_and_then_counter_clockwise(wanting, straddler, first):
    hand = deal(Straddle.MISSISSIPPI, *wanting)

    assert posted(hand) == [(straddler, 100_00)]
    assert hand.first_to_act == first


@pytest.mark.rule("R3", "R4", "R-§11-1", "R-§11-2")
def test_straddles_to_the_button_double_and_the_last_one_acts_last():
    hand = deal(Straddle.TO_THE_BUTTON, 5, 6, 1)

    assert posted(hand) == [(5, 100_00), (6, 200_00), (1, 400_00)]  # DX-R21
    assert hand.first_to_act == 2


@pytest.mark.rule("R-§11-3", "R-§11-4")
def test_declines_the_first_the_button_alone_may_straddle():
    hand = deal(Straddle.TO_THE_BUTTON, 6, 2)

    assert posted(hand) == [(2, 100_00)]  # DX-R20
    assert hand.first_to_act == 3


@pytest.mark.rule("R-§11-2")
def test_the_button_may_be_the_last_of_many():
    assert posted(deal(Straddle.TO_THE_BUTTON, 5, 2)) == [(5, 100_00), (2, 200_00)]


@pytest.mark.parametrize("rule", list(Straddle))
def test_two_players_post_blinds_and_nothing_more(rule):
    assert posted(deal(rule, 1, 2, 3, seats=(2, 3))) == []


def test_blinds_never_straddle():
    for rule in Straddle:
        assert not {3, 4} & {seat for seat, _ in posted(deal(rule, 1, 2, 3, 4, 5, 6))}


def test_nobody_left_to_straddle():
    assert straddles(Straddle.LIVE, order=(), button=1, wanting=frozenset({1}), big_blind_cents=1) == ()
