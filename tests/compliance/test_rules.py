"""What looks like structuring: each pattern at its bound, a cent beyond it, and what is none of them."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.compliance.rules import (
    JUST_BELOW,
    LITTLE_PLAYED,
    OTHER_MEANS,
    TOGETHER,
    UNNAMED,
    Crossing,
    Thresholds,
    both_ways,
    changed_means,
    findings,
)
from casino.rulebooks.compliance import Compliance
from tests.cast import TONIGHT

# The sum is 2,000 €: just below it is from 1,600 € on, much from 1,000 € on.
THRESHOLDS = Thresholds(2_000_00, Compliance(together_part_percent=25))
LEE = 7


def slips(*lines: tuple[str, int, int], person: int | None = LEE, drawer: int = 1, apart: int = 10) -> list[Crossing]:
    """Return slips of (kind or "kind method", cents, day), each some minutes after the one before."""
    found = []
    for index, (what, cents, day) in enumerate(lines):
        kind, _, method = what.partition(" ")
        at = TONIGHT + timedelta(days=day, minutes=index * apart)
        found.append(Crossing(index + 1, person, drawer, kind, method or "cash", cents, at, day))
    return found


def found(rows: list[Crossing], dealt: dict[tuple[int, int], int] | None = None) -> list[tuple[str, str, int]]:
    # Who has played much.
    hands = {(LEE, day): 100 for day in range(9)} if dealt is None else dealt
    return [(each.kind, each.way, each.cents) for each in findings(rows, hands, THRESHOLDS)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([("buy_in", 1_000_00, 0), ("buy_in", 1_000_00, 2)], [(TOGETHER, "in", 2_000_00)]),
        ([("buy_in", 1_000_00, 0), ("buy_in", 999_99, 2)], []),
        ([("buy_in", 1_000_00, 0), ("buy_in", 1_000_00, 3)], []),
        ([("buy_in", 2_000_00, 0)], []),
        # What a regular buys in for each night is no part of it, and a quarter of the sum is.
        ([("buy_in", 499_99, day) for day in range(9)], []),
        ([("buy_in", 1_500_00, 0), ("buy_in", 500_00, 1)], [(TOGETHER, "in", 2_000_00)]),
        # Measured by the day: many small ones are no smaller a part.
        ([("buy_in", 490_00, day) for day in (0, 0, 1, 1, 2, 2)], [(TOGETHER, "in", 2_940_00)]),
        # What reaches the sum by itself was asked about; the other one stands alone.
        ([("buy_in", 2_000_00, 0), ("buy_in", 500_00, 0)], []),
        ([("deposit", 1_000_00, 0), ("buy_in", 1_000_00, 1)], [(TOGETHER, "in", 2_000_00)]),
        # Off the deposit it was brought before.
        ([("deposit", 1_500_00, 0), ("buy_in deposit", 1_500_00, 0)], []),
        ([("cash_out", 1_200_00, 0), ("withdrawal", 800_00, 1)], [(TOGETHER, "out", 2_000_00)]),
        # What was left behind is claimed as it was left.
        ([("cash_out", 1_200_00, 0), ("claimed", 800_00, 1)], [(TOGETHER, "out", 2_000_00)]),
        # A prize is what was won.
        ([("prize", 1_200_00, 0), ("cash_out", 1_200_00, 0)], []),
        ([("buy_in", 1_200_00, 0), ("cash_out", 1_200_00, 0)], []),
    ],
)
def test_parts_below_the_sum_that_reach_it_within_the_days_are_told_each_way(lines, expected):
    assert found(slips(*lines)) == expected


def test_a_book_that_names_no_part_finds_the_smallest_too():
    rows = slips(*(("buy_in", 499_99, day) for day in range(9)))

    assert [each.kind for each in findings(rows, {}, Thresholds(1_000_00, Compliance()))] == [TOGETHER]


@pytest.mark.parametrize(
    ("cents", "expected"),
    [
        ((1_600_00, 1_999_99), [(JUST_BELOW, "in", 3_599_99)]),
        # As below the sum they reach it together all the same.
        ((1_599_99, 1_999_99), [(TOGETHER, "in", 3_599_98)]),
        ((1_600_00, 2_000_00), []),
        ((1_600_00,), []),
    ],
)
def test_several_just_below_the_sum_are_told_once(cents, expected):
    assert found(slips(*(("buy_in", each, 0) for each in cents))) == expected


def test_what_goes_on_day_by_day_is_one_finding_and_what_begins_anew_another():
    days = [0, 1, 2, 3, 8, 9]

    rows = findings(slips(*(("buy_in", 1_700_00, day) for day in days)), {}, THRESHOLDS)

    assert [(each.kind, [row.day for row in each.rows]) for each in rows] == [
        (JUST_BELOW, [0, 1, 2, 3]),
        (JUST_BELOW, [8, 9]),
    ]


@pytest.mark.parametrize(
    ("lines", "hands", "expected"),
    [
        ([("buy_in", 1_000_00, 0), ("cash_out", 1_000_00, 0)], 10, [(LITTLE_PLAYED, "", 1_000_00)]),
        ([("buy_in", 1_000_00, 0), ("cash_out", 1_000_00, 0)], 11, []),
        ([("buy_in", 1_000_00, 0), ("cash_out", 999_99, 0)], 0, []),
        # The chips may be kept overnight.
        ([("buy_in", 1_100_00, 0), ("cash_out", 1_000_00, 2)], 3, [(LITTLE_PLAYED, "", 1_000_00)]),
        # Money that lay on the deposit was no chips.
        ([("deposit", 1_500_00, 0), ("withdrawal", 1_500_00, 0)], 0, []),
    ],
)
def test_much_that_is_bought_and_cashed_again_with_few_hands_is_told(lines, hands, expected):
    assert found(slips(*lines), {(LEE, 0): hands}) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([("buy_in card", 1_000_00, 0), ("cash_out", 1_000_00, 0)], [(OTHER_MEANS, "", 1_000_00)]),
        ([("buy_in card", 999_99, 0), ("cash_out", 1_900_00, 0)], []),
        # Whoever wins is paid more than they brought, in whichever way.
        ([("buy_in", 1_500_00, 0), ("cash_out", 1_900_00, 0)], []),
        ([("deposit card", 1_500_00, 0), ("withdrawal", 1_500_00, 1)], [(OTHER_MEANS, "", 1_500_00)]),
        # Lost cash came as the cash that it goes as.
        ([("buy_in card", 1_000_00, 0), ("claimed", 1_900_00, 0)], []),
        # Cash that went by the deposit came as cash.
        ([("buy_in", 1_500_00, 0), ("cash_out deposit", 1_500_00, 0), ("withdrawal", 1_500_00, 1)], []),
    ],
)
def test_what_came_one_way_and_went_another_is_told(lines, expected):
    assert found(slips(*lines)) == expected


def test_change_of_foreign_notes_bought_no_chips_and_went_as_cash():
    brought, cashed = slips(("buy_in foreign", 1_654_90, 0), ("cash_out", 1_590_00, 0))
    rows = [replace(brought, change_cents=84_90), cashed]

    assert (both_ways(rows), changed_means(rows)) == (1_570_00, 1_654_90)


@given(
    st.lists(
        st.tuples(st.sampled_from(["buy_in", "cash_out"]), st.sampled_from(["cash", "card"]), st.integers(1, 10**6))
    )
)
def test_no_more_changed_its_means_than_came_and_than_went(lines):
    rows = slips(*((f"{kind} {method}", cents, 0) for kind, method, cents in lines))

    changed = changed_means(rows)

    assert 0 <= changed <= min(sum(row.cents for row in rows if row.way == way) for way in ("in", "out"))


def test_unnamed_amounts_just_below_the_sum_at_one_desk_and_close_in_time_are_told():
    lines = [("buy_in", 1_900_00, 0), ("buy_in", 1_700_00, 0)]

    assert found(slips(*lines, person=None, apart=60)) == [(UNNAMED, "in", 3_600_00)]
    assert found(slips(*lines, person=None, apart=61)) == []
    assert found([*slips(lines[0], person=None), *slips(lines[1], person=None, drawer=2)]) == []
    assert found(slips(("buy_in", 1_900_00, 0), ("cash_out", 1_900_00, 0), person=None)) == []
    assert found(slips(("buy_in", 1_900_00, 0), ("buy_in", 500_00, 0), person=None)) == []


def test_nobody_is_told_of_by_another_person_s_slips():
    one, other = slips(("buy_in", 1_900_00, 0)), slips(("buy_in", 1_900_00, 0), person=8)

    assert found([*one, *other]) == []
