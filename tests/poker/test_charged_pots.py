"""Drop, and what is pushed after rake and drop."""

import json
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.poker.charged_pots import ChargePolicy, charge_pots
from casino.poker.drop import DropPolicy, drop_from_dict, drop_to_dict
from casino.poker.rake import RakePolicy, Relief, rake_by_pot
from casino.poker.rake_ways import ShareRake, StepRake, TierRake

RAKE = RakePolicy(StepRake(block_cents=20_00, charge_cents=1_00, maximum_cents=6_00))
DROP = DropPolicy(charge_cents=1_00, participants_min=6)
BOTH: dict[str, ChargePolicy] = {"rake": RAKE, "drop": DROP}


@pytest.mark.rule("H1.88", "H1.90", "H7.16")
@pytest.mark.parametrize(
    ("participants", "beyond", "expected"),
    [
        pytest.param(7, True, 1_00, id="E-H7.16a-flop-dealt"),
        pytest.param(7, False, 0, id="E-H7.16a-folded-before-the-flop"),
        pytest.param(5, True, 0, id="E-H7.16a-five-reach-the-river"),
        pytest.param(6, True, 1_00, id="exactly-six"),
    ],
)
def test_six_participants_and_a_card_after_the_initial_deal_make_a_drop(participants, beyond, expected):
    assert DROP.due_of_unknown_pot(participants=participants, beyond_initial_deal=beyond) == expected


@pytest.mark.rule("H1.88")
@pytest.mark.parametrize(
    ("pots", "rake", "drop", "push"),
    [
        pytest.param([24_00, 16_00], (2_00, 0), (1_00, 0), (21_00, 16_00), id="A16-drop-from-the-main-pot"),
        pytest.param([20_00], (1_00,), (1_00,), (18_00,), id="A16-rake-on-the-full-pot"),
        pytest.param([50, 19_50], (0, 1_00), (0, 1_00), (50, 17_50), id="A16-main-pot-too-small"),
        pytest.param([80, 80], (0, 0), (80, 20), (0, 60), id="A15-in-parts-when-none-can-alone"),
        pytest.param([80], (0,), (0,), (80,), id="pots-smaller-than-the-drop"),
        pytest.param([], (), (), (), id="no-pots"),
    ],
)
def test_rake_is_computed_on_full_pots_and_the_drop_comes_out_of_what_it_leaves(pots, rake, drop, push):
    settled = charge_pots(pots=pots, participants=6, beyond_initial_deal=True, charges=BOTH)

    assert (*settled.by_pot.values(), settled.push_by_pot) == (rake, drop, push)


@pytest.mark.rule("H1.90")
def test_no_flop_no_drop_and_no_rake():
    settled = charge_pots(pots=[400_00], participants=9, beyond_initial_deal=False, charges=BOTH)

    assert (settled.of("rake"), settled.of("drop"), settled.push_cents) == (0, 0, 400_00)


def test_a_table_charged_by_time_takes_no_rake_from_pots():
    settled = charge_pots(pots=[400_00], participants=9, beyond_initial_deal=True, charges={"drop": DROP})

    assert (settled.of("rake"), settled.of("drop")) == (0, 1_00)


@given(
    pots=st.lists(st.integers(0, 300_00), max_size=9),
    participants=st.integers(2, 12),
    beyond=st.booleans(),
    charges=st.sampled_from([BOTH, {"rake": RAKE}, {"drop": DROP}, {}]),
)
def test_every_pot_goes_to_house_jackpot_and_winners_whole(pots, participants, beyond, charges):
    settled = charge_pots(pots=pots, participants=participants, beyond_initial_deal=beyond, charges=charges)

    parts = zip(*settled.by_pot.values(), settled.push_by_pot, strict=True)
    assert [sum(part) for part in parts] == list(settled.pots) == pots
    assert min((*chain(*settled.by_pot.values()), *settled.push_by_pot, 0)) == 0
    if "rake" in charges and beyond:
        assert settled.of("rake") == sum(rake_by_pot(pots, way=RAKE.way))


def test_a_drop_policy_survives_json():
    policy = DropPolicy(charge_cents=2_00, participants_min=5)

    assert drop_from_dict(json.loads(json.dumps(drop_to_dict(policy)))) == policy


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "guess"},
        {"kind": "per_hand", "size": 3},
        {"kind": "per_hand", "charge_cents": 0},
        {"kind": "per_hand", "participants_min": 1},
    ],
)
def test_what_makes_no_drop_policy_is_an_error(data):
    with pytest.raises(ValueError, match=r"drop|participants"):
        drop_from_dict(data)


CAPPED = ShareRake(rate_bp=6_00, minimum_cents=1, maximum_cents=3_00)
SHORT = RakePolicy(CAPPED, (Relief(3, ShareRake(rate_bp=6_00, minimum_cents=1, maximum_cents=1_50)),))


@pytest.mark.rule("U95")
@pytest.mark.parametrize(
    ("participants", "expected"), [pytest.param(3, 1_50, id="DX-U10"), pytest.param(4, 2_40, id="four-begin")]
)
def test_a_hand_that_two_or_three_begin_pays_half_the_maximum(participants, expected):
    settled = charge_pots(pots=[40_00], participants=participants, beyond_initial_deal=True, charges={"rake": SHORT})

    assert settled.of("rake") == expected


@pytest.mark.rule("U93", "R-§28")
@pytest.mark.parametrize(
    ("is_due_without_flop", "expected"),
    [pytest.param(False, 0, id="DX-U11"), pytest.param(True, 20_00, id="RA8-as-written")],
)
def test_a_pot_won_before_the_flop_pays_only_where_the_house_says_so(is_due_without_flop, expected):
    rake = RakePolicy(TierRake(((0, 20_00), (1000_01, 30_00))), is_due_without_flop=is_due_without_flop)

    settled = charge_pots(pots=[70_00], participants=6, beyond_initial_deal=False, charges={"rake": rake})

    assert settled.of("rake") == expected


@pytest.mark.rule("H1.85")
@pytest.mark.parametrize(
    ("rake", "drop", "expected"),
    [
        pytest.param(3_00, 1_00, ((2_00, 1_00), (1_00, 0)), id="as-due"),
        pytest.param(2_00, 0, ((2_00, 0), (0, 0)), id="the-last-pot-pays-less"),
        pytest.param(6_00, 1_00, ((5_00, 1_00), (1_00, 0)), id="the-main-pot-pays-more"),
        pytest.param(42_00, 1_00, ((2_00, 40_00), (1_00, 0)), id="more-than-the-main-pot-holds"),
        pytest.param(500_00, 0, ((2_00, 1_00), (0, 0)), id="more-than-all-hold"),
    ],
)
def test_what_was_taken_comes_out_of_the_pots_whatever_was_due(rake, drop, expected):
    settled = charge_pots(pots=[39_00, 40_00], participants=6, beyond_initial_deal=True, charges=BOTH)

    taking = settled.taking({"rake": rake, "drop": drop})

    assert tuple(taking.by_pot.values()) == expected
    assert taking.of("rake") + taking.of("drop") + taking.push_cents == 79_00
