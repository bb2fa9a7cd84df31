"""What a player brings who changes tables or comes back, and who may change at all."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis.strategies import integers, none, one_of

from casino.poker.table_change import (
    Because,
    Brings,
    Left,
    StackKept,
    Stakes,
    against_change,
    brings_on_coming_back,
    brings_on_moving,
)

NIGHT = datetime(2026, 11, 20, 20, tzinfo=UTC)
NL_2_2 = Stakes("no_limit", 2_00, 2_00, 100_00, 400_00)
NL_5_5 = Stakes("no_limit", 5_00, 5_00, 500_00, 1_000_00)
PL_2_2 = Stakes("pot_limit", 2_00, 2_00, 100_00, 400_00)
BANZAI = Stakes("no_limit", 25, 50, 2_50, 5_00)


@pytest.mark.rule("H1.65", "H2.8")
def test_to_the_same_stakes_the_whole_stack_goes_along_also_above_the_maximum():
    assert brings_on_moving(730_00, here=NL_2_2, there=NL_2_2) == Brings(730_00, 730_00, Because.WHOLE_STACK)


@pytest.mark.rule("H1.66", "H2.8")
@pytest.mark.parametrize(("stack", "brings"), [(1_500_00, 1_000_00), (730_00, 730_00)])
def test_to_other_stakes_the_whole_stack_up_to_the_maximum(stack, brings):
    assert brings_on_moving(stack, here=NL_2_2, there=NL_5_5) == Brings(brings, brings, Because.OTHER_STAKES)


@pytest.mark.rule("H1.67", "H2.8")
def test_to_another_structure_the_minimum_is_enough():
    assert brings_on_moving(730_00, here=NL_2_2, there=PL_2_2) == Brings(100_00, 400_00, Because.OTHER_STRUCTURE)


@pytest.mark.rule("R5", "R-§3-1")
def test_where_the_house_says_so_the_whole_stack_goes_to_any_game():
    brings = brings_on_moving(730_00, here=NL_2_2, there=PL_2_2, other_structure_frees_stack=False)

    assert brings == Brings(730_00, 730_00, Because.WHOLE_STACK)


def test_a_short_stack_is_filled_up_by_who_moves_by_their_own_wish():
    """A11."""
    assert brings_on_moving(40_00, here=NL_2_2, there=NL_2_2) == Brings(100_00, 100_00, Because.FILLS_UP)
    assert brings_on_moving(40_00, here=NL_2_2, there=NL_2_2, tops_up=False).least_cents == 40_00


@pytest.mark.rule("H1.64")
def test_back_at_the_first_stakes_the_stack_left_there_counts_if_it_was_larger():
    """A12."""
    left = Left(600_00, NIGHT)

    brings = brings_on_moving(200_00, here=NL_5_5, there=NL_2_2, left_there=left)
    assert brings == Brings(600_00, 600_00, Because.COMES_BACK)
    assert brings_on_moving(400_00, here=NL_5_5, there=NL_2_2, left_there=Left(300_00, NIGHT)).least_cents == 400_00


@pytest.mark.rule("H1.64", "H2.18")
@pytest.mark.parametrize(
    ("left", "least", "most"),
    [
        pytest.param(250_00, 250_00, 400_00, id="what-was-left"),
        pytest.param(30_00, 100_00, 400_00, id="never-under-the-minimum"),
        pytest.param(900_00, 900_00, 900_00, id="A10-whole-above-the-maximum"),
    ],
)
def test_a_returning_player_continues_with_the_amount_held_on_leaving(left, least, most):
    brings = brings_on_coming_back(
        Left(left, NIGHT), at=NIGHT + timedelta(hours=4), game=NL_2_2, kept=StackKept.EVENING, minutes=30
    )

    assert brings == Brings(least, most, Because.COMES_BACK)


@pytest.mark.rule("U46")
@pytest.mark.parametrize(
    ("left", "minutes", "expected"),
    [
        pytest.param(8_00, 20, Brings(8_00, 8_00, Because.COMES_BACK_ABOVE_MAXIMUM), id="DX-U23-after-20-minutes"),
        pytest.param(8_00, 30, Brings(8_00, 8_00, Because.COMES_BACK_ABOVE_MAXIMUM), id="after-30-minutes"),
        pytest.param(8_00, 31, None, id="DX-U23-after-31-minutes"),
        pytest.param(5_00, 5, None, id="no-more-than-ten-blinds"),
    ],
)
def test_banzai_remembers_a_stack_above_ten_big_blinds_for_half_an_hour(left, minutes, expected):
    back = NIGHT + timedelta(minutes=minutes)

    assert (
        brings_on_coming_back(Left(left, NIGHT), at=back, game=BANZAI, kept=StackKept.ABOVE_MAXIMUM, minutes=30)
        == expected
    )


def test_nothing_is_remembered_of_who_never_left_or_where_the_house_does_not():
    for left, kept in ((None, StackKept.EVENING), (Left(900_00, NIGHT), StackKept.NOT)):
        assert brings_on_coming_back(left, at=NIGHT, game=NL_2_2, kept=kept, minutes=30) is None


@pytest.mark.rule("R6", "R7", "R-§3-2", "R-§3-3")
@pytest.mark.parametrize(
    ("left", "entered", "number", "second_after", "why"),
    [
        pytest.param(8, 6, 3, None, None, id="DX-R3"),
        pytest.param(8, 7, 3, None, None, id="DX-R4"),
        pytest.param(8, 8, 3, None, Because.LEAVES_TWO_FEWER, id="DX-R5"),
        pytest.param(8, 7, 1, 8, Because.LEAVES_TABLE_ONE_FEWER, id="DX-R6"),
        pytest.param(8, 6, 1, 7, None, id="DX-R7"),
        pytest.param(8, 5, 2, 7, None, id="DX-R24"),
    ],
)
def test_who_may_change_between_tables_of_the_same_limits(left, entered, number, second_after, why):
    assert why == against_change(
        left_players=left,
        entered_players=entered,
        left_number=number,
        second_players_after=second_after,
        two_fewer=True,
        table_one_first=True,
    )


def test_a_house_without_these_rules_forbids_no_change():
    assert (
        against_change(left_players=2, entered_players=9, left_number=1, two_fewer=False, table_one_first=False) is None
    )


@given(integers(0, 5_000_00), one_of(none(), integers(0, 5_000_00)))
def test_nobody_who_moves_by_their_own_wish_begins_below_the_minimum(stack, left):
    left_there = None if left is None else Left(left, NIGHT)
    for there in (NL_2_2, NL_5_5, PL_2_2):
        brings = brings_on_moving(stack, here=NL_2_2, there=there, left_there=left_there)

        assert brings.least_cents >= there.min_cents
        assert brings.allows(brings.least_cents)
        assert not brings.allows(brings.least_cents - 1)
