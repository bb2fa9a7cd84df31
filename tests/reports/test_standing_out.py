"""Whose figure stands out from the room's: worked examples, then what holds of any."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.reports.standing_out import CASES_MIN, Figure, Mark, expected, mark_of, times_tenths


@pytest.mark.parametrize(
    ("mine", "room", "mark", "times"),
    [
        # 1,000 of 4,000 hands, 40 undone in the room: ten would be theirs, and three square roots of ten are 9.49.
        pytest.param((19, 1000), (40, 4000), Mark.NONE, 19, id="within three spreads"),
        pytest.param((20, 1000), (40, 4000), Mark.STANDS_OUT, 20, id="beyond three spreads"),
        pytest.param((5, 10), (5, 1000), Mark.STANDS_OUT, 1000, id="just enough cases"),
        pytest.param((4, 10), (4, 1000), Mark.FEW, 1000, id="too few cases, however far"),
        pytest.param((0, 1000), (40, 4000), Mark.NONE, 0, id="no case"),
        pytest.param((40, 4000), (40, 4000), Mark.NONE, 10, id="alone in the room"),
        pytest.param((6, 0), (6, 4000), Mark.NONE, None, id="cases of nothing that was counted"),
        pytest.param((300, 1000), (1000, 4000), Mark.STANDS_OUT, 12, id="a fifth more of very many"),
    ],
)
def test_a_figure_is_held_against_the_room_s(mine, room, mark, times):
    mine, room = Figure(*mine), Figure(*room)

    assert mark_of(mine, room) == mark
    assert times_tenths(mine, room) == times


def test_a_rate_is_told_for_as_many_as_its_basis_says():
    assert Figure(3, 400).rate_hundredths(100) == 75
    assert Figure(3, 4).rate_hundredths(1) == 75
    assert Figure(3, 0).rate_hundredths(1) is None


figures = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 2_000)), min_size=1, max_size=8)


@given(figures)
def test_who_stands_out_is_above_the_room_with_cases_enough_and_not_everybody_is(rows):
    each = [Figure(*row) for row in rows]
    room = Figure(sum(one.count for one in each), sum(one.basis for one in each))
    marked = [one for one in each if mark_of(one, room) == Mark.STANDS_OUT]

    assert all(one.count >= CASES_MIN and one.count > expected(one, room) for one in marked)
    worked = [one for one in each if one.basis]
    assert not worked or any(one not in marked for one in each)


@given(figures, st.integers(0, 60))
def test_more_cases_of_as_much_work_are_never_less_conspicuous(rows, more):
    room, one = Figure(sum(row[0] for row in rows), sum(row[1] for row in rows) + 1), Figure(*rows[0])
    order = [Mark.FEW, Mark.NONE, Mark.STANDS_OUT]
    other = Figure(max(one.count, CASES_MIN) + more, one.basis)

    assert order.index(mark_of(other, room)) >= order.index(mark_of(Figure(max(one.count, 5), one.basis), room))
