"""Rake by share and by tiers: what the sources state, then what holds for any pot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.poker.rake import rake_by_pot
from casino.poker.rake_ways import ShareRake, TierRake

ROYAL = TierRake(((0, 20_00), (1000_01, 30_00), *((n * 1000_00 + 1, (20 * n + 10) * 1_00) for n in range(2, 10)),
                  (10_000_01, 200_00)))  # fmt: skip

shares = st.builds(
    ShareRake,
    rate_bp=st.integers(1, 20_00),
    fixed_cents=st.integers(0, 2_00),
    maximum_cents=st.none() | st.integers(1, 20).map(lambda chips: chips * 50),
    chip_cents=st.sampled_from([1, 50]),
)


@pytest.mark.rule("L-P18", "L-P19", "L-P20")
@pytest.mark.parametrize(
    ("way", "pot", "expected"),
    [
        pytest.param(ShareRake(rate_bp=5_00), 80_00, 4_00, id="A-percentage"),
        pytest.param(ShareRake(rate_bp=5_00, maximum_cents=3_00), 80_00, 3_00, id="A-with-a-maximum"),
        pytest.param(ShareRake(fixed_cents=2_00), 80_00, 2_00, id="B-fixed"),
        pytest.param(ShareRake(rate_bp=5_00, fixed_cents=1_00), 80_00, 5_00, id="C-both"),
        pytest.param(
            ShareRake(rate_bp=5_00, fixed_cents=1_00, maximum_cents=4_50), 80_00, 4_50, id="C-maximum-of-both"
        ),
        pytest.param(ShareRake(rate_bp=5_00, chip_cents=50), 79_80, 3_50, id="down-to-the-smallest-chip"),
        pytest.param(ShareRake(fixed_cents=2_00), 1_99, 0, id="a-pot-smaller-than-the-charge"),
    ],
)
def test_a_share_a_fixed_sum_or_both_up_to_the_maximum(way, pot, expected):
    assert rake_by_pot([pot], way=way) == (expected,)


@pytest.mark.rule("U94")
@pytest.mark.parametrize(
    ("pot", "expected"), [pytest.param(40, 1, id="DX-U8"), pytest.param(2_50, 3, id="half-a-cent-goes-up")]
)
def test_a_raked_hand_pays_a_cent_at_least_and_the_nearest_cent(pot, expected):
    assert ShareRake(rate_bp=1_00, minimum_cents=1, maximum_cents=1_00).total(pot) == expected


@pytest.mark.rule("U92")
def test_the_main_pot_pays_a_share_and_passes_it_on_where_it_cannot():
    way = ShareRake(rate_bp=5_00)

    assert rake_by_pot([40_00, 60_00], way=way) == (5_00, 0)
    assert rake_by_pot([4_00, 96_00], way=way) == (0, 5_00)


@pytest.mark.rule("R-§28")
@pytest.mark.parametrize(
    ("pot", "expected"),
    [
        *(pytest.param(pot, rake, id=f"EX-R3-{pot}") for pot, rake in [(1000, 20), (1500, 30), (12_000, 200)]),
        *(pytest.param(pot, rake, id=f"DX-R1-{pot}") for pot, rake in [(1001, 30), (2000, 30), (2001, 50), (3001, 70)]),
        *(pytest.param(pot, rake, id=f"DX-R2-{pot}") for pot, rake in [(9001, 190), (10_000, 190), (10_001, 200)]),
    ],
)
def test_tiers_take_a_fixed_amount_by_the_size_of_the_pot(pot, expected):
    assert rake_by_pot([pot * 1_00], way=ROYAL) == (expected * 1_00,)


@pytest.mark.rule("R-§28")
def test_a_tier_is_never_more_than_the_pot():
    assert (ROYAL.total(19_99), ROYAL.total(20_00)) == (0, 20_00)


@given(pots=st.lists(st.integers(0, 300_00), min_size=1, max_size=6), way=shares)
def test_a_share_is_within_its_bounds_and_paid_in_chips(pots, way):
    taken = rake_by_pot(pots, way=way)

    assert sum(taken) == way.total(sum(pots)) <= sum(pots)
    assert sum(taken) % way.chip_cents == 0
    assert way.maximum_cents is None or sum(taken) <= way.maximum_cents
    assert all(0 <= rake <= pot for rake, pot in zip(taken, pots, strict=True))


@given(way=shares)
def test_the_maximum_is_reached_from_its_mark_on_and_not_before(way):
    mark = way.maximum_from_cents()

    if mark is None:
        assert way.maximum_cents is None
    else:
        assert way.total(mark) == way.maximum_cents
        assert way.total(mark - 1) < way.maximum_cents


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"rate_bp": -1},
        {"rate_bp": 100_01},
        {"fixed_cents": 1_00, "maximum_cents": 0},
        {"rate_bp": 1, "minimum_cents": 2, "maximum_cents": 1},
        {"rate_bp": 1, "maximum_cents": 75, "chip_cents": 50},
        {"rate_bp": 1, "chip_cents": 0},
    ],
)
def test_what_makes_no_share_is_an_error(fields):
    with pytest.raises(ValueError, match=r"share|maximum|chip"):
        ShareRake(**fields)


@pytest.mark.parametrize("tiers", [(), ((1, 5),), ((0, 5), (0, 6)), ((0, 5), (10, 5)), ((0, 5), (10, 11)), ((0, -1),)])
def test_what_makes_no_tiers_is_an_error(tiers):
    with pytest.raises(ValueError, match="tier"):
        TierRake(tiers)
