"""Time charges: whole periods, shares that add up, and nothing for who does not play."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.poker.time_charge import Payer, TimeCharge, time_from_dict, time_to_dict

EIGHT = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
HOURLY = TimeCharge(40_00, 60, Payer.TABLE)
QUARTERLY = TimeCharge(10_00, 15, Payer.TABLE)


@pytest.mark.rule("H7.18")
@pytest.mark.parametrize(
    ("charge", "total"), [pytest.param(HOURLY, 120_00, id="E-H7.18a"), pytest.param(QUARTERLY, 90_00, id="A-H7.9")]
)
def test_each_started_period_is_paid_whole(charge, total):
    now = EIGHT + timedelta(hours=2, minutes=10)
    started = [number for number in range(1, 99) if charge.begins_at(number, began_at=EIGHT) <= now]

    assert len(started) * charge.due_cents == total


@pytest.mark.rule("H7.18")
def test_the_first_period_begins_with_play_and_the_next_on_the_minute():
    assert HOURLY.begins_at(1, began_at=EIGHT) == EIGHT
    assert HOURLY.begins_at(2, began_at=EIGHT) == EIGHT + timedelta(hours=1)


@pytest.mark.rule("H1.91", "L-P21")
def test_players_pay_for_the_time_that_they_play():
    charge = TimeCharge(6_00, 30)

    assert charge.shares(present=[1, 2, 5], absent=[3]) == {1: 6_00, 2: 6_00, 3: 0, 5: 6_00}


@pytest.mark.rule("L-P21")
def test_the_absent_pay_where_the_house_says_so():
    charge = TimeCharge(6_00, 30, do_absent_pay=True)

    assert charge.shares(present=[1], absent=[3]) == {1: 6_00, 3: 6_00}


@pytest.mark.rule("H7.18", "L-P21")
def test_a_tables_charge_is_shared_and_odd_chips_begin_next_to_the_button():
    charge = TimeCharge(40_00, 60, Payer.TABLE, chip_cents=1_00)

    assert charge.shares(present=[1, 2, 4, 5, 7, 8], absent=[3], button=5) == {
        1: 7_00, 2: 7_00, 3: 0, 4: 6_00, 5: 6_00, 7: 7_00, 8: 7_00,
    }  # fmt: skip


def test_a_charge_is_rounded_down_to_the_chip_it_is_taken_in():
    assert TimeCharge(7_50, 30, chip_cents=1_00).due_cents == 7_00


@pytest.mark.parametrize("wrong", [(0, 30, Payer.PLAYER, 1), (1_00, 0, Payer.PLAYER, 1), (4_00, 30, Payer.TABLE, 5_00)])
def test_what_makes_no_charge_is_an_error(wrong):
    with pytest.raises(ValueError, match=r"charge|period"):
        TimeCharge(*wrong)


@given(
    charge=st.builds(
        TimeCharge,
        charge_cents=st.integers(5_00, 200_00),
        period_minutes=st.integers(1, 120),
        per=st.sampled_from(Payer),
        chip_cents=st.sampled_from([1, 50, 1_00, 5_00]),
        do_absent_pay=st.booleans(),
    ),
    seats=st.sets(st.integers(1, 12), min_size=1),
    away=st.sets(st.integers(1, 12)),
    button=st.integers(0, 12),
)
def test_shares_are_whole_chips_and_add_up(charge, seats, away, button):
    shares = charge.shares(present=sorted(seats - away), absent=sorted(seats & away), button=button)
    paying = seats if charge.do_absent_pay else seats - away

    assert set(shares) == seats
    assert all(cents % charge.chip_cents == 0 for cents in shares.values())
    if charge.per is Payer.TABLE:
        assert sum(shares.values()) == (charge.due_cents if paying else 0)
    else:
        assert {seat for seat, cents in shares.items() if cents} == paying
    assert time_from_dict(time_to_dict(charge)) == charge
