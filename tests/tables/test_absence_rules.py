"""How long a seat is held: the houses' limits, the clock's and the button's, as plain rules."""

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.poker.blinds import missed_while_played_over
from casino.poker.missed import Missed
from casino.poker.positions import BlindTerms, Entry, LastHand, Occupant
from casino.rulebooks import load
from casino.rulebooks.absence import Absence
from tables.rules.absence import button_passes, is_over, limit_at
from tests.cast import TONIGHT

SEATS = st.integers(1, 9)
TERMS = BlindTerms(2_00, 4_00, seats=9)


@pytest.mark.rule("H1.10", "R-§4", "U35", "U-R9")
@pytest.mark.parametrize(
    ("book", "minutes", "buttons", "only_with_list"),
    [("helsinki", 20, 0, False), ("royal", 0, 2, True), ("unibet", 10, 0, False), ("czech", 0, 0, False)],
)
def test_each_house_holds_seats_its_own_way(book, minutes, buttons, only_with_list):
    terms = load(book).absence

    assert (terms.limit_minutes, terms.buttons_max, terms.only_with_list) == (minutes, buttons, only_with_list)


@pytest.mark.rule("H1.10", "H1.8")
def test_the_limit_is_over_from_its_moment_on():
    terms = Absence(limit_minutes=20)
    limit = limit_at(terms, away_since=TONIGHT)
    assert limit == TONIGHT + timedelta(minutes=20)

    assert not is_over(terms, at=limit - timedelta(seconds=1), limit=limit, buttons_passed=9)
    assert is_over(terms, at=limit, limit=limit, buttons_passed=0)


@pytest.mark.rule("R-§4", "H1.9")
def test_a_moment_of_ones_own_outlasts_the_button():
    terms = Absence(buttons_max=2)
    assert limit_at(terms, away_since=TONIGHT) is None

    assert not is_over(terms, at=TONIGHT, limit=None, buttons_passed=1)
    assert is_over(terms, at=TONIGHT, limit=None, buttons_passed=2)
    assert not is_over(terms, at=TONIGHT, limit=TONIGHT + timedelta(minutes=1), buttons_passed=2)


@pytest.mark.rule("R-§4")
@given(buttons=st.lists(SEATS, min_size=2, max_size=12, unique=True), seat=SEATS)
def test_going_round_once_the_button_passes_every_seat_once(buttons, seat):
    order = [*sorted(buttons), min(buttons)]
    passed = [
        seat in button_passes(LastHand(before, 1, None, None, 1, 1), button=now, seats=9)
        for before, now in pairwise(order)
    ]

    assert sum(passed) == 1


@pytest.mark.rule("H4.50", "H4.37", "H4.38")
@given(seat=SEATS, last=SEATS, big=SEATS, missed=st.sampled_from(list(Missed)), is_own=st.booleans())
def test_a_holder_never_has_less_nor_more_than_two_markers_for_a_hand_played_over(seat, last, big, missed, is_own):
    holder = Occupant(seat, 1, Entry.WAITS if missed else Entry.IN, is_held=True, missed=missed)
    before = LastHand(last, 7, None, None, last, 1 if is_own else 2)

    after = missed_while_played_over(holder, before, big_blind=big, terms=TERMS)

    assert missed.markers <= after.markers <= 2
    assert after is Missed.BOTH or seat != big or (seat == last and is_own)
