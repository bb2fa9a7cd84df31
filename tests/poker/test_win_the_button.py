"""The winner of the hand gets the button, or the second of two."""

from dataclasses import replace

import pytest

from casino.poker.blinds import hands_ahead, next_hand
from casino.poker.positions import BlindTerms, ButtonRule, LastHand, NextHand, Occupant

TERMS = BlindTerms(2_00, 4_00, seats=9)
SEATED = tuple(Occupant(seat, 100 + seat) for seat in (1, 2, 3, 5, 6))
LAST = LastHand(1, 101, 2, 102, 3, 103)


def deal(rule: ButtonRule, last: LastHand | None, occupants: tuple[Occupant, ...] = SEATED) -> NextHand:
    hand = next_hand(occupants, last, terms=replace(TERMS, button=rule), first_button=1)
    assert hand is not None
    return hand


@pytest.mark.rule("H4.15")
def test_the_winner_gets_the_button_and_blinds_and_dealing_follow_it():
    hand = deal(ButtonRule.TO_THE_WINNER, replace(LAST, winner_seats=(5,)))

    assert (hand.button, hand.small_blind, hand.big_blind) == (5, 6, 1)
    assert hand.dealt_in == (6, 1, 2, 3, 5)
    assert hand.first_to_act == 2


@pytest.mark.rule("H4.17")
def test_of_those_who_share_a_pot_the_next_after_the_button_gets_it():
    hand = deal(ButtonRule.TO_THE_WINNER, replace(LAST, button_seat=3, winner_seats=(1, 2, 6)))

    assert hand.button == 6


@pytest.mark.rule("H4.15")
def test_where_nobody_knows_who_won_the_button_stays():
    assert deal(ButtonRule.TO_THE_WINNER, LAST).button == 1


@pytest.mark.rule("H4.15")
def test_nobody_misses_a_blind_where_the_winner_takes_them_along():
    away = tuple(replace(o, is_held=o.seat_number == 6) for o in SEATED)

    assert deal(ButtonRule.TO_THE_WINNER, replace(LAST, winner_seats=(5,)), away).missed == ()


@pytest.mark.rule("H4.16")
def test_with_two_buttons_one_rotates_and_the_other_sets_the_order_of_betting():
    first = deal(ButtonRule.TWO_BUTTONS, None)
    hand = deal(ButtonRule.TWO_BUTTONS, replace(LAST, winner_seats=(5,), betting_button_seat=1))

    assert (first.button, first.betting_button, first.first_to_act) == (1, 1, 2)
    assert (hand.button, hand.small_blind, hand.big_blind) == (2, 3, 5)
    assert (hand.betting_button, hand.first_to_act) == (5, 6)


@pytest.mark.rule("H4.17")
def test_a_split_pot_gives_the_betting_button_to_the_next_after_it_who_shares():
    hand = deal(ButtonRule.TWO_BUTTONS, replace(LAST, winner_seats=(1, 5), betting_button_seat=3))

    assert hand.betting_button == 5


@pytest.mark.parametrize(("rule", "count"), [(ButtonRule.TO_THE_WINNER, 1), (ButtonRule.TWO_BUTTONS, 5)])
def test_blinds_that_hang_on_the_winner_are_foreseen_for_one_hand(rule, count):
    assert len(hands_ahead(SEATED, LAST, count=5, terms=replace(TERMS, button=rule))) == count
