"""What to hand over: the fewest pieces at the counter, and at a table what the game is played with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.cage.notes import cash_values, quick_sums
from casino.cage.rules import hand_over, to_play_with
from casino.rulebooks import load, shipped

HELSINKI = load("helsinki").chips_cents


@pytest.mark.parametrize(
    ("euros", "stake_euros", "pieces"),
    [
        pytest.param(200, 2, [(25, 4), (5, 16), (1, 20)], id="2/2"),
        pytest.param(100, 2, [(25, 2), (5, 6), (1, 20)], id="2/2 the least"),
        pytest.param(500, 5, [(100, 2), (25, 8), (5, 20)], id="5/5"),
        pytest.param(3, 2, [(1, 3)], id="less than four of anything"),
        pytest.param(4, 2, [(1, 4)], id="four of the smallest"),
    ],
)
def test_a_stack_suits_its_stake(euros: int, stake_euros: int, pieces: list[tuple[int, int]]) -> None:
    made = to_play_with(euros * 100, HELSINKI, stake_cents=stake_euros * 100)

    assert made == [(value * 100, count) for value, count in pieces]


@pytest.mark.parametrize("name", shipped())
def test_cash_is_counted_and_handed_over_in_the_notes_and_coins_of_the_room(name: str) -> None:
    values = cash_values(load(name).house.currency)

    assert list(values) == sorted(set(values), reverse=True)
    assert hand_over(12_347_00, values)
    assert sum(value * count for value, count in hand_over(12_347_00, values)) == 12_347_00


def test_crowns_are_not_euros() -> None:
    assert hand_over(7300_00, cash_values("CZK")) == [(5000_00, 1), (2000_00, 1), (200_00, 1), (100_00, 1)]
    assert max(cash_values("DKK")) == 500_00
    assert 20_00 in cash_values("SEK")
    assert cash_values("XXX") == ()


@given(
    book=st.sampled_from([load(name) for name in shipped()]),
    chips=st.integers(1, 200_000),
    stake_cents=st.integers(1, 100_00),
)
def test_whatever_is_handed_over_is_the_amount(book, chips: int, stake_cents: int) -> None:
    cents = chips * book.chip_cents

    for made in (to_play_with(cents, book.chips_cents, stake_cents=stake_cents), hand_over(cents, book.chips_cents)):
        assert sum(value * count for value, count in made) == cents
        assert [value for value, _ in made] == sorted({value for value, _ in made}, reverse=True)
        assert all(count > 0 for _, count in made)


@pytest.mark.parametrize(
    ("currency", "sums"),
    [
        pytest.param("EUR", [20, 50, 100, 200, 500], id="euros"),
        pytest.param("CZK", [200, 500, 1000, 2000, 5000], id="crowns"),
        pytest.param("DKK", [50, 100, 200, 500], id="few notes"),
        pytest.param("ISK", [], id="none listed"),
    ],
)
def test_sums_are_offered_by_the_notes_of_the_houses_currency(currency, sums):
    assert quick_sums(currency, chip_cents=1_00) == sums


def test_no_sum_is_offered_that_no_whole_chips_are_sold_for():
    assert quick_sums("EUR", chip_cents=100_00) == [100, 200, 500]
