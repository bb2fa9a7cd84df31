"""What may be bought, at the boundaries first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.poker.buyins import BelowBlind, BuyInLimits, MinimumLimits, Outcome, Stack, StackWord, decide_buy_in

LIMITS = BuyInLimits(min_cents=100_00, max_cents=400_00, big_blind_cents=4_00)
NO_MAXIMUM = BuyInLimits(min_cents=100_00, max_cents=None, big_blind_cents=4_00)
ALLOWED, REFUSED, STACK_NEEDED = Outcome.ALLOWED, Outcome.REFUSED, Outcome.STACK_NEEDED


def decide(
    amount: int, stack: Stack, limits: BuyInLimits = LIMITS, *, is_first: bool = False
) -> tuple[Outcome, str | None]:
    decision = decide_buy_in(amount, limits=limits, stack=stack, is_first=is_first)
    return decision.outcome, decision.why


@pytest.mark.rule("H2.14", "H2.17", "L-P24")
@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        (99_99, (REFUSED, "buy_in_first")),
        (100_00, (ALLOWED, None)),
        (400_00, (ALLOWED, None)),
        (400_01, (REFUSED, "buy_in_over_maximum")),
    ],
)
def test_a_new_player_buys_between_minimum_and_maximum(amount, expected):
    assert decide(amount, 0, is_first=True) == expected


@pytest.mark.rule("H2.15", "H1.62")
@pytest.mark.parametrize(
    ("stack", "amount", "expected"),
    [
        pytest.param(0, 99_99, (REFUSED, "buy_in_out_of_chips"), id="out-of-chips"),
        pytest.param(0, 100_00, (ALLOWED, None), id="out-of-chips-minimum"),
        pytest.param(3_99, 99_99, (REFUSED, "buy_in_below_blind"), id="A7-below-one-big-blind"),
        pytest.param(3_99, 100_00, (ALLOWED, None), id="A8-the-purchase-is-the-minimum"),
        pytest.param(StackWord.UNDER_BLIND, 50_00, (REFUSED, "buy_in_below_blind"), id="A7-a-word-will-do"),
    ],
)
def test_a_player_without_a_big_blind_buys_at_least_the_minimum(stack, amount, expected):
    assert decide(amount, stack) == expected


@pytest.mark.rule("H1.62", "H2.16", "H2.17")
@pytest.mark.parametrize(
    ("stack", "amount", "expected"),
    [
        pytest.param(4_00, 1, (ALLOWED, None), id="any-amount-from-one-big-blind"),
        pytest.param(150_00, 250_00, (ALLOWED, None), id="A6-to-the-maximum"),
        pytest.param(150_00, 250_01, (REFUSED, "buy_in_over_maximum"), id="A6-not-above-it"),
        pytest.param(700_00, 1_00, (REFUSED, "buy_in_over_maximum"), id="already-above-it"),
        pytest.param(StackWord.FULL, 1_00, (REFUSED, "buy_in_over_maximum"), id="full-is-a-word-too"),
    ],
)
def test_a_player_with_a_big_blind_tops_up_to_the_maximum(stack, amount, expected):
    assert decide(amount, stack) == expected


@pytest.mark.rule("H2.17")
def test_without_a_maximum_a_full_stack_tops_up_freely():
    assert decide(5_000_00, 9_000_00, NO_MAXIMUM) == (ALLOWED, None)
    assert decide(1_00, StackWord.FULL, NO_MAXIMUM) == (ALLOWED, None)


@pytest.mark.rule("H2.16", "H2.17")
@pytest.mark.parametrize(
    ("limits", "amount", "expected"),
    [
        pytest.param(LIMITS, 400_01, (REFUSED, "buy_in_over_maximum"), id="too-much-for-any-stack"),
        pytest.param(LIMITS, 100_00, (STACK_NEEDED, "stack_needed"), id="may-pass-the-maximum"),
        pytest.param(NO_MAXIMUM, 100_00, (ALLOWED, None), id="right-for-any-stack"),
        pytest.param(NO_MAXIMUM, 99_00, (STACK_NEEDED, "stack_needed_to_top_up"), id="right-only-with-a-big-blind"),
    ],
)
def test_an_unknown_stack_is_asked_for_only_when_the_answer_hangs_on_it(limits, amount, expected):
    assert decide(amount, None, limits) == expected


@pytest.mark.rule("H2.17")
def test_a_refusal_says_what_would_be_allowed():
    decision = decide_buy_in(300_00, limits=LIMITS, stack=150_00)

    assert decision.outcome is not Outcome.ALLOWED
    assert (decision.least_cents, decision.most_cents) == (1, 250_00)


def test_where_minimum_and_maximum_are_one_a_stack_below_a_blind_may_be_filled_up():
    limits = BuyInLimits(min_cents=100_00, max_cents=100_00, big_blind_cents=4_00)

    assert decide(97_00, 3_00, limits) == (ALLOWED, None)
    assert decide(97_01, 3_00, limits) == (REFUSED, "buy_in_over_maximum")


@pytest.mark.parametrize(
    ("limits", "amount", "expected"),
    [
        pytest.param(BuyInLimits(100_00, 400_00, 4_00, BelowBlind.TOPS_UP), 1_00, ALLOWED, id="A7-the-other-way"),
        pytest.param(
            BuyInLimits(100_00, 400_00, 4_00, minimum_limits=MinimumLimits.STACK), 97_00, ALLOWED, id="A8-the-other-way"
        ),
    ],
)
def test_the_other_readings_are_settings(limits, amount, expected):
    assert decide(amount, 3_00, limits)[0] is expected


@pytest.mark.rule("H2.17")
@given(stack=st.integers(0, 500_00), amount=st.integers(1, 500_00), is_first=st.booleans())
def test_no_purchase_lifts_a_stack_above_the_maximum(stack, amount, is_first):
    decision = decide_buy_in(amount, limits=LIMITS, stack=stack, is_first=is_first)

    if decision.outcome is Outcome.ALLOWED:
        assert stack + amount <= 400_00
        assert decision.most_cents is not None
        assert decision.least_cents <= amount <= decision.most_cents


@pytest.mark.parametrize(("amount", "stack"), [(0, 0), (-5, 0), (1_00, -1)])
def test_no_purchase_of_nothing(amount, stack):
    with pytest.raises(ValueError, match="more than nothing"):
        decide(amount, stack)


@pytest.mark.parametrize("fields", [(0, None, 4_00), (100_00, 99_00, 4_00), (100_00, None, 0)])
def test_limits_that_make_no_sense_are_an_error(fields):
    with pytest.raises(ValueError, match="buy-in"):
        BuyInLimits(*fields)
