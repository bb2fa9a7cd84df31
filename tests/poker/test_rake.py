"""Rake by the step rule: the source's examples, A15's odd pots, then what holds for any pots."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.poker.rake import (
    RakePolicy,
    Relief,
    rake_by_pot,
    rake_from_dict,
    rake_to_dict,
)
from casino.poker.rake_ways import ShareRake, StepRake
from tests.poker.marks import main_pays_all_above

FIVE_PER_CENT = StepRake(block_cents=20_00, charge_cents=1_00)
TEN_PER_CENT = StepRake(block_cents=10_00, charge_cents=1_00)
AT_MOST_SIX = StepRake(block_cents=20_00, charge_cents=1_00, maximum_cents=6_00)

pots_of_cents = st.lists(st.integers(0, 500_00), min_size=1, max_size=9)
ways = st.builds(
    StepRake,
    block_cents=st.integers(1_00, 50_00),
    charge_cents=st.integers(1, 1_00),
    maximum_cents=st.none() | st.integers(1, 20_00),
)


@pytest.mark.rule("H1.82", "H1.84", "H1.85", "H1.86")
@pytest.mark.parametrize(
    ("pots", "expected"),
    [
        pytest.param([24_00, 16_00], (2_00, 0), id="E-H1.86a"),
        pytest.param([18_00, 6_00], (1_00, 0), id="E-H1.86b"),
        pytest.param([18_00, 18_00, 18_00], (1_00, 1_00, 0), id="E-H1.86c"),
        pytest.param([39_00], (1_00,), id="A14-below-a-full-block"),
        pytest.param([19_99], (0,), id="A14-one-cent-short"),
        pytest.param([20_00, 20_00], (1_00, 1_00), id="A15-boundary-between-pots"),
        pytest.param([20_00, 1_00, 20_00], (1_00, 1_00, 0), id="A15-a-small-pot-is-emptied"),
        pytest.param([20_00, 50, 19_50], (1_00, 0, 1_00), id="A15-too-small-a-pot-passes-it-on"),
        pytest.param([50, 50, 19_00], (0, 0, 1_00), id="A15-passed-on-twice"),
        pytest.param([50] * 40, (50, 50, *[0] * 38), id="A15-no-pot-can-bear-it-alone"),
        pytest.param([20_00, 0, 20_00], (1_00, 0, 1_00), id="A15-an-empty-pot"),
        pytest.param([], (), id="no-pot"),
    ],
)
def test_each_full_block_is_charged_to_the_pot_it_begins_in(pots, expected):
    assert rake_by_pot(pots, way=FIVE_PER_CENT) == expected


@pytest.mark.rule("H1.85")
def test_a_huge_pot_without_a_maximum_costs_no_more_to_rake_than_a_small_one():
    charges = list(FIVE_PER_CENT.charges([10**18, 10**18]))

    assert [(charge.pot, charge.cents, charge.times) for charge in charges] == [
        (0, 1_00, 5 * 10**14),
        (1, 1_00, 5 * 10**14),
    ]
    assert rake_by_pot([10**18], way=FIVE_PER_CENT) == (5 * 10**16,)
    assert main_pays_all_above(10**18, way=FIVE_PER_CENT) == 10**18 - 20_00


@pytest.mark.rule("H1.87")
@pytest.mark.parametrize(("pot", "expected"), [(9_99, 0), (10_00, 1_00), (39_00, 3_00)])
def test_the_rate_may_be_one_euro_per_full_ten(pot, expected):
    assert rake_by_pot([pot], way=TEN_PER_CENT) == (expected,)


@pytest.mark.rule("H1.83")
@pytest.mark.parametrize(
    ("pots", "expected"),
    [
        pytest.param([119_99], (5_00,), id="before-the-maximum"),
        pytest.param([120_00], (6_00,), id="at-the-maximum"),
        pytest.param([900_00, 900_00], (6_00, 0), id="far-above"),
        pytest.param([50_00, 900_00], (3_00, 3_00), id="the-first-blocks-count"),
    ],
)
def test_a_hand_pays_no_more_than_the_maximum(pots, expected):
    assert rake_by_pot(pots, way=AT_MOST_SIX) == expected


@pytest.mark.rule("H1.83")
def test_the_last_charge_is_cut_to_the_maximum():
    way = StepRake(block_cents=20_00, charge_cents=1_00, maximum_cents=2_50)

    assert rake_by_pot([45_00, 100_00], way=way) == (2_50, 0)
    assert tuple(way.steps(up_to_cents=200_00)) == ((0, 0), (20_00, 1_00), (40_00, 2_00), (60_00, 2_50))
    assert way.maximum_from_cents() == 60_00


def test_the_steps_say_what_to_take_and_end_with_the_maximum():
    assert tuple(FIVE_PER_CENT.steps(up_to_cents=45_00)) == ((0, 0), (20_00, 1_00), (40_00, 2_00))
    assert list(AT_MOST_SIX.steps(up_to_cents=10_000_00))[-1] == (120_00, 6_00)
    assert AT_MOST_SIX.maximum_from_cents() == 120_00
    assert FIVE_PER_CENT.maximum_from_cents() is None


@pytest.mark.rule("H1.83")
def test_a_pot_known_to_be_at_least_the_maximums_pays_the_maximum():
    threshold = AT_MOST_SIX.maximum_from_cents()
    assert threshold is not None

    assert rake_by_pot([threshold], way=AT_MOST_SIX) == (6_00,)


@pytest.mark.rule("H1.86")
@pytest.mark.parametrize(
    ("total", "main_above"),
    [
        pytest.param(19_99, 0, id="no-charge"),
        pytest.param(39_99, 0, id="one-charge"),
        pytest.param(40_00, 20_00, id="two-charges"),
        pytest.param(500_00, 100_00, id="the-maximum"),
    ],
)
def test_side_pots_are_asked_for_only_when_a_second_charge_may_fall_in_one(total, main_above):
    assert main_pays_all_above(total, way=AT_MOST_SIX) == main_above


@pytest.mark.parametrize(
    "policy",
    [
        RakePolicy(FIVE_PER_CENT),
        RakePolicy(AT_MOST_SIX, is_due_without_flop=True),
        RakePolicy(ShareRake(rate_bp=5_00), (Relief(3, ShareRake(rate_bp=5_00, maximum_cents=1_50)),)),
    ],
)
def test_a_policy_survives_json(policy):
    assert rake_from_dict(json.loads(json.dumps(rake_to_dict(policy)))) == policy


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "guess"},
        {},
        {"kind": "step", "block_cents": 20_00},
        {"kind": "step", "block_cents": 20_00, "charge_cents": 1_00, "cap": 3},
        {"kind": "step", "block_cents": 0, "charge_cents": 0},
        {"kind": "step", "block_cents": 1_00, "charge_cents": 2_00},
        {"kind": "step", "block_cents": 20_00, "charge_cents": 1_00, "maximum_cents": 0},
        {"kind": "step", "block_cents": 20_00, "charge_cents": 1_00, "relief": [{"kind": "share", "rate_bp": 1}]},
    ],
)
def test_what_makes_no_policy_is_an_error(data):
    with pytest.raises(ValueError, match=r"rake|charge|maximum|relief"):
        rake_from_dict(data)


def test_a_negative_pot_is_an_error():
    with pytest.raises(ValueError, match="negative"):
        rake_by_pot([20_00, -1], way=FIVE_PER_CENT)


@pytest.mark.rule("H1.86")
@given(pots=pots_of_cents, way=ways)
def test_no_pot_is_charged_more_than_it_holds(pots, way):
    assert all(0 <= rake <= pot for rake, pot in zip(rake_by_pot(pots, way=way), pots, strict=True))


@pytest.mark.rule("H1.83", "H1.84", "H1.85")
@given(pots=pots_of_cents, way=ways)
def test_the_hand_pays_for_each_full_block_of_all_its_pots_up_to_the_maximum(pots, way):
    due = sum(pots) // way.block_cents * way.charge_cents
    expected = due if way.maximum_cents is None else min(due, way.maximum_cents)

    assert sum(rake_by_pot(pots, way=way)) == expected == way.total(sum(pots))


@pytest.mark.rule("H1.86")
@given(pots=st.lists(st.integers(20, 500), min_size=1, max_size=9))
def test_pots_of_a_block_or_more_pay_as_the_derived_algorithm_says(pots):
    offsets = range(0, sum(pots) - 19, 20)
    starts = [sum(pots[:index]) for index in range(len(pots))]
    expected = tuple(
        sum(start <= offset < start + pot for offset in offsets) for start, pot in zip(starts, pots, strict=True)
    )

    assert rake_by_pot(pots, way=StepRake(block_cents=20, charge_cents=1)) == expected


@given(total=st.integers(0, 300_00), main=st.integers(1_00, 300_00), way=ways)
def test_a_main_pot_above_the_mark_pays_all(total, main, way):
    main = min(main, total)
    if main > main_pays_all_above(total, way=way) and main >= way.total(total):
        assert rake_by_pot([main, total - main], way=way) == (way.total(total), 0)


@given(pot=st.integers(0, 400_00), way=ways)
def test_the_steps_agree_with_the_rule(pot, way):
    steps = list(way.steps(up_to_cents=400_00))

    assert [rake for start, rake in steps if start <= pot][-1] == sum(rake_by_pot([pot], way=way))
