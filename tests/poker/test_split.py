"""Split pots and odd chips."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.poker.seats import clockwise
from casino.poker.split import split_pot
from casino.rulebooks import load


@pytest.mark.rule("H5.36", "H5.37")
@pytest.mark.parametrize(
    ("cents", "unit", "expected"),
    [
        pytest.param(40_00, 1_00, {3: 20_00, 7: 20_00}, id="even"),
        pytest.param(41_00, 1_00, {3: 21_00, 7: 20_00}, id="one-odd-chip"),
        pytest.param(45_00, 5_00, {3: 25_00, 7: 20_00}, id="A52-the-smallest-chip-is-five"),
        pytest.param(41_50, 1_00, {3: 21_00, 7: 20_50}, id="less-than-a-chip-follows-the-odd-chip"),
    ],
)
def test_the_odd_chip_goes_to_the_sharer_next_after_the_button(cents, unit, expected):
    assert split_pot(cents, winners_clockwise_from_button=[3, 7], unit_cents=unit) == expected


@pytest.mark.rule("H5.37")
def test_several_odd_chips_go_one_each_from_the_button_on():
    winners = clockwise([2, 5, 9], after=5)

    assert split_pot(11_00, winners_clockwise_from_button=winners, unit_cents=1_00) == {9: 4_00, 2: 4_00, 5: 3_00}


@pytest.mark.rule("U32")
@pytest.mark.parametrize(
    ("cents", "expected"),
    [
        pytest.param(10_02, {4: 3_34, 6: 3_34, 2: 3_34}, id="DX-U6"),
        pytest.param(10_01, {4: 3_34, 6: 3_34, 2: 3_33}, id="DX-U7"),
    ],
)
def test_at_unibet_cents_that_are_left_over_go_one_each_from_the_button_on(cents, expected):
    units = {game.smallest_chip_cents for game in load("unibet").games}

    assert units == {1}
    assert split_pot(cents, winners_clockwise_from_button=clockwise([2, 4, 6], after=3), unit_cents=1) == expected


@pytest.mark.rule("H1.68", "H5.42")
def test_main_and_side_pot_each_have_their_odd_chip():
    shares = [split_pot(pot, winners_clockwise_from_button=[1, 4], unit_cents=1_00) for pot in (21_00, 11_00)]

    assert shares == [{1: 11_00, 4: 10_00}, {1: 6_00, 4: 5_00}]


@pytest.mark.rule("H5.36")
@given(
    cents=st.integers(0, 5_000_00),
    winners=st.lists(st.integers(1, 12), min_size=1, unique=True),
    unit=st.sampled_from([1, 50, 1_00, 5_00]),
)
def test_shares_add_up_to_the_pot_and_differ_by_less_than_two_chips(cents, winners, unit):
    shares = split_pot(cents, winners_clockwise_from_button=winners, unit_cents=unit)

    assert sum(shares.values()) == cents
    assert list(shares) == winners
    assert max(shares.values()) - min(shares.values()) <= unit


@pytest.mark.parametrize(("cents", "winners", "unit"), [(1, [], 1), (1, [2, 2], 1), (-1, [2], 1), (1, [2], 0)])
def test_a_split_that_makes_no_sense_is_an_error(cents, winners, unit):
    with pytest.raises(ValueError, match=r"winners|pot"):
        split_pot(cents, winners_clockwise_from_button=winners, unit_cents=unit)
