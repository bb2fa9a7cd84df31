"""How long a place on a list may still take, from the seats that really came free; no clause, arithmetic."""

from dataclasses import dataclass
from datetime import datetime
from math import sqrt

# Fewer seats, or a shorter time, say nothing about how fast the game turns over.
OPENED_MIN = 3
MINUTES_MIN = 30
# What is beyond this is said to be beyond it, and figures are no finer than this.
MINUTES_MAX = 180
STEP_MINUTES = 5


@dataclass(frozen=True)
class Turnover:
    """How many seats of a game came free in so many minutes, as it was counted at a moment."""

    seats_opened: int
    minutes: int
    at: datetime


@dataclass(frozen=True)
class Wait:
    """A wait in minutes, from `least` to `most`; `most` is None beyond `MINUTES_MAX`. `at` is when it was measured."""

    least: int
    most: int | None
    at: datetime


def wait_for(turnover: Turnover | None, *, place: int, free: int = 0) -> Wait | None:
    """
    Return the wait of who is at a place (1 is first) while `free` seats are there to be called to; None: nobody knows.

    Seats come free one by one at the rate that was counted. The range is one standard deviation to either side, of the
    seats still to come and of the count itself, in steps of five minutes outwards.
    """
    if turnover is None or turnover.seats_opened < OPENED_MIN or turnover.minutes < MINUTES_MIN:
        return None
    needed = place - free
    if needed <= 0:
        return Wait(0, STEP_MINUTES, turnover.at)
    mean = needed * turnover.minutes / turnover.seats_opened
    spread = sqrt(1 / needed + 1 / turnover.seats_opened)
    least = int(mean / (1 + spread)) // STEP_MINUTES * STEP_MINUTES
    most = -int(-mean * (1 + spread) // STEP_MINUTES) * STEP_MINUTES
    if least >= MINUTES_MAX:
        return Wait(MINUTES_MAX, None, turnover.at)
    return Wait(least, most if most <= MINUTES_MAX else None, turnover.at)
