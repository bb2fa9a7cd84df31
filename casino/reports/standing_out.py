"""
Whose figure stands out from the room's. Pure: counts in, words for a mark out.

Hands that are undone, boxes that are short: each comes about by chance too, and of few cases nothing can be said. By
chance alone so many cases as the room's average would give somebody, `expected`, mostly are within some square roots of
it (a Poisson's spread). Who has more than `SPREADS` of them beyond it, and no less than `CASES_MIN` cases, stands out.

Both are what counting says, in every house alike, and no keys of the book: it is signed by those whom this measures
(docs/readings.md).
"""

from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

CASES_MIN, SPREADS = 5, 3


class Mark(StrEnum):
    """What is said of one figure: nothing, that it is of too few cases to say anything, that it stands out."""

    NONE = ""
    FEW = "few"
    STANDS_OUT = "stands_out"


@dataclass(frozen=True)
class Figure:
    """So many cases among so many of their basis, of one person or of the room."""

    count: int
    basis: int

    def rate_hundredths(self, per: int) -> int | None:
        """Return cases per `per` of the basis, in hundredths; None where there was nothing to have a case of."""
        return round(self.count * per * 100 / self.basis) if self.basis else None


def expected(mine: Figure, room: Figure) -> float:
    """Return how many cases the room's average would give somebody."""
    return room.count * mine.basis / room.basis if room.basis else 0.0


def times_tenths(mine: Figure, room: Figure) -> int | None:
    """Return how many times the room's average somebody's rate is, in tenths; None where either is not known."""
    average = expected(mine, room)
    return round(10 * mine.count / average) if average else None


def mark_of(mine: Figure, room: Figure) -> Mark:
    """Say whether somebody's figure stands out from the room's, or is of too few cases to tell."""
    if not mine.count:
        return Mark.NONE
    if mine.count < CASES_MIN:
        return Mark.FEW
    average = expected(mine, room)
    beyond = mine.count - average > SPREADS * sqrt(average)
    return Mark.STANDS_OUT if mine.basis and beyond else Mark.NONE
