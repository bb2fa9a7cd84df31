"""What a hand gives back of what it had brought several pools."""

import pytest

from jackpot.rules.put_right import back_from

OLD, NEW, NEWEST = 1, 2, 3


@pytest.mark.parametrize(
    ("cents", "went", "expected"),
    [
        pytest.param(1_00, [], {OLD: 1_00}, id="it went nowhere else"),
        pytest.param(1_00, [(NEW, 2_00)], {NEW: 1_00}, id="the newest alone"),
        pytest.param(3_00, [(NEW, 2_00)], {NEW: 2_00, OLD: 1_00}, id="the newest, then the first"),
        pytest.param(3_00, [(NEW, 1_00), (NEWEST, 1_00)], {NEWEST: 1_00, NEW: 1_00, OLD: 1_00}, id="newest first"),
        pytest.param(2_00, [(NEW, 2_00), (NEW, -1_00)], {NEW: 1_00, OLD: 1_00}, id="what was given back is gone"),
        pytest.param(2_00, [(NEW, 2_00), (OLD, -1_00)], {NEW: 2_00}, id="each gives back its own"),
        pytest.param(2_00, [(NEW, 1_00), (OLD, 5_00)], {OLD: 2_00}, id="the first one got more"),
        pytest.param(7_00, [(OLD, 5_00), (NEW, 1_00)], {NEW: 1_00, OLD: 6_00}, id="the first one gives its rest too"),
    ],
)
def test_what_came_last_goes_back_first(cents: int, went: list[tuple[int, int]], expected: dict[int, int]) -> None:
    assert back_from(cents, had=OLD, went=went) == expected
