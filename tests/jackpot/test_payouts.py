"""What a jackpot pays: each printed row to the cent, and the law behind the tables."""

import json
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.poker.cards import cards_of
from casino.poker.variants import Variant
from casino.rulebooks import load
from casino.rulebooks.jackpots import PaysBy
from jackpot.rules.claims import PlayedHand, ShownHand, judge
from jackpot.rules.payout import Payout, base_after, law_shares, payout, payout_of

JACKPOT = load("helsinki").jackpots[0]
FIRST, SECOND = JACKPOT.categories
# Category, players, losers, winners, then per cents as printed: each loser, each winner, each other, and in all.
ROWS = json.loads((Path(__file__).parent / "vectors" / "payouts.json").read_text())
SUMS = (1_000_00, 12_345_67, 99_999_99)


def paid(
    number: int, players: int, losers: int, winners: int, *, cents: int, pays_by: PaysBy = PaysBy.PRINTED, coin: int = 1
) -> Payout:
    category = JACKPOT.categories[number - 1]
    of = {"participants": players, "losers": losers, "winners": winners}
    return payout(category, pays_by=pays_by, **of, sum_cents=cents, coin_cents=coin)


def part(cents: int, per_cent: str | None) -> int:
    return int((Decimal(cents) * Decimal(per_cent or 0) / 100).to_integral_value(ROUND_FLOOR))


def test_every_row_of_both_tables_is_there():
    assert [sum(row[0] == number for row in ROWS) for number in (1, 2)] == [76, 76]


@pytest.mark.rule("H7.7", "H7.13", "H7.31", "H7.32", "L-P42", "L-P38")
@pytest.mark.parametrize("cents", SUMS)
def test_every_row_pays_as_printed_to_the_cent(cents):
    for number, players, losers, winners, loser, winner, other, total in ROWS:
        found = paid(number, players, losers, winners, cents=cents)

        each = (found.loser_cents, found.winner_cents, found.other_cents)
        assert each == (part(cents, loser), part(cents, winner), part(cents, other)), (number, players, losers, winners)
        assert found.is_printed
        assert found.losers + found.winners + found.others == players
        # No share loses more than a cent to rounding, and nothing is lost: the rest stays.
        assert 0 <= Decimal(cents) * Decimal(total) / 100 - found.paid_cents < players
        assert found.paid_cents + found.stays_cents == cents


def test_where_the_smallest_coin_is_a_crown_no_share_has_less_and_the_rest_stays():
    found = paid(1, 7, 1, 1, cents=12_345_67, coin=1_00)

    assert (found.loser_cents, found.winner_cents, found.other_cents) == (4_938_00, 2_469_00, 493_00)
    assert found.stays_cents == 12_345_67 - 9_872_00


@pytest.mark.rule("H7.7", "H7.31", "H7.32")
@pytest.mark.parametrize("cents", SUMS)
def test_by_formula_a_category_pays_its_whole_share(cents):
    for number, players, losers, winners, *_rest in ROWS:
        found = paid(number, players, losers, winners, cents=cents, pays_by=PaysBy.FORMULA)

        whole = 80 if number == 1 else players + 13
        assert found.law_cents == cents * whole // 100
        assert not found.is_printed
        assert 0 <= found.beside_law_cents < players


@pytest.mark.rule("H7.31")
@pytest.mark.parametrize(
    ("players", "losers", "winners", "each", "total"),
    [
        pytest.param(8, 1, 1, (12_000_00, 6_000_00, 999_00), 23_994_00, id="E-H7.31a"),
        pytest.param(6, 2, 4, (6_750_00, 2_625_00, 0), 24_000_00, id="E-H7.31b"),
        pytest.param(9, 1, 2, (12_000_00, 3_431_70, 857_10), 24_006_00, id="E-H7.31c"),
    ],
)
def test_the_first_categorys_examples(players, losers, winners, each, total):
    found = paid(1, players, losers, winners, cents=30_000_00)

    assert (found.loser_cents, found.winner_cents, found.other_cents) == each
    assert found.paid_cents == total
    assert found.law_cents == 24_000_00
    assert found.beside_law_cents == 24_000_00 - total


@pytest.mark.rule("H7.31")
def test_what_the_misprint_would_consistently_be():
    loser, winner, other = law_shares(FIRST.law, participants=9, losers=1, winners=2)

    assert (loser, winner) == (Fraction(40_000), Fraction(80_000, 7))
    assert loser + 2 * winner + 6 * other == 80_000
    by_formula = paid(1, 8, 1, 1, cents=30_000_00, pays_by=PaysBy.FORMULA)
    assert (by_formula.other_cents, by_formula.paid_cents) == (1_000_00, 24_000_00)


@pytest.mark.rule("H7.32")
@pytest.mark.parametrize(
    ("players", "losers", "winners", "each", "per_cent"),
    [
        pytest.param(10, 1, 2, (10_00, 3_00, 1_00), 23, id="E-H7.32a"),
        pytest.param(6, 1, 1, (10_00, 5_00, 1_00), 19, id="E-H7.32b"),
    ],
)
def test_the_second_categorys_examples(players, losers, winners, each, per_cent):
    found = paid(2, players, losers, winners, cents=100_00)

    assert (found.loser_cents, found.winner_cents, found.other_cents) == each
    assert found.paid_cents == per_cent * 100


@pytest.mark.rule("H7.31", "H7.32")
@pytest.mark.parametrize(("losers", "winners"), [(5, 1), (1, 5), (5, 5)])
def test_more_than_the_tables_know_go_by_the_law(losers, winners):
    for number, whole in ((1, 80), (2, 23)):
        found = paid(number, 10, losers, winners, cents=99_999_99)

        assert not found.is_printed
        assert 0 <= 99_999_99 * whole // 100 - found.paid_cents < 10


@pytest.mark.parametrize(("players", "losers", "winners"), [(6, 4, 3), (6, 0, 1), (6, 1, 0), (3, 2, 2)])
def test_nobody_is_paid_who_is_not_there(players, losers, winners):
    with pytest.raises(ValueError, match="participants"):
        paid(1, players, losers, winners, cents=1_000_00)


@pytest.mark.rule("H7.31", "H7.32")
@given(
    cents=st.integers(0, 10**11),
    players=st.integers(2, 12),
    losers=st.integers(1, 6),
    winners=st.integers(1, 6),
    number=st.sampled_from([1, 2]),
    pays_by=st.sampled_from(PaysBy),
)
def test_never_more_is_paid_than_there_is(cents, players, losers, winners, number, pays_by):
    if losers + winners > players:
        return

    found = paid(number, players, losers, winners, cents=cents, pays_by=pays_by)

    assert 0 <= found.paid_cents <= cents
    assert found.stays_cents == cents - found.paid_cents


@pytest.mark.rule("H7.33", "L-P43")
@pytest.mark.parametrize(
    ("before", "number", "players", "base", "house"),
    [
        pytest.param(4_000_00, 1, 6, 1_000_00, 200_00, id="E-H7.33a"),
        pytest.param(12_000_00, 2, 10, 9_240_00, 0, id="E-H7.33a-second"),
        pytest.param(5_000_00, 1, 6, 1_000_00, 0, id="just-the-guarantee"),
        pytest.param(4_999_80, 1, 6, 1_000_00, 4, id="a-little-less"),
    ],
)
def test_what_is_left_begins_the_next_sum_and_the_house_fills_it_up(before, number, players, base, house):
    found = paid(number, players, 1, 1, cents=before)

    after = base_after(found.stays_cents, seed_cents=JACKPOT.seed_cents)

    assert (after.base_cents, after.house_cents) == (base, house)


@pytest.mark.rule("H7.13", "H7.31", "H7.33")
def test_a_judged_claim_is_paid_by_its_category_and_numbers():
    """E-H7.13b: two losers at 21.667 %, a winner at 20 %, five others at 3.33 %."""
    hands = tuple(ShownHand(cards_of(each)) for each in ("Ac Kc", "Ad Kh", "7h 7s"))
    claim = PlayedHand(Variant.HOLDEM, cards_of("As Ah Kd 7c 7d"), hands, dealt_in=8)

    paid_out = payout_of(claim, judge(claim, JACKPOT), JACKPOT, sum_cents=1_000_00, coin_cents=1)
    lost = PlayedHand(Variant.HOLDEM, cards_of("As Ah Kd 7c 2d"), hands[:2], dealt_in=8)

    assert paid_out is not None
    found, base = paid_out
    assert (found.loser_cents, found.winner_cents, found.other_cents) == (216_67, 200_00, 33_30)
    assert (found.losers, found.winners, found.others) == (2, 1, 5)
    assert (base.base_cents, base.house_cents) == (1_000_00, found.paid_cents)
    assert payout_of(lost, judge(lost, JACKPOT), JACKPOT, sum_cents=1_000_00, coin_cents=1) is None
