"""Seats round a table. Numbers start at 1 and run clockwise (H1.2)."""

from bisect import bisect_right
from collections.abc import Iterable


def clockwise(seats: Iterable[int], *, after: int) -> tuple[int, ...]:
    """
    Return `seats` in the order met going clockwise from the seat `after`; that seat itself comes last.

    `after` need not be among them. Rules: H1.2.
    """
    numbers = sorted(seats)
    first = bisect_right(numbers, after)
    return (*numbers[first:], *numbers[:first])
