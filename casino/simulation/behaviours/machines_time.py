"""Clocks are wrong: the house's is set by minutes, forth and back, and a tablet's is wrong by hours."""

from datetime import timedelta
from typing import TYPE_CHECKING

from casino.simulation import checks
from casino.simulation.behaviours import behaviour
from casino.simulation.front_door import WrongClock

if TYPE_CHECKING:
    from casino.simulation.night import Night

JUMPS_MINUTES = (-12, -5, -1, 1, 5, 12)
WRONG_HOURS = (-30, -3, 3, 30)


@behaviour("the house's clock is set", weight=0.6, fault="clock-jump")
def clock_is_set(night: "Night") -> str | None:
    """Set the clock of every process of the house 1, 5 or 12 minutes forth or back; every screen must be right then."""
    if not night.instance.may_break("clock"):
        return None
    by = night.rng.choice(JUMPS_MINUTES)
    night.set_clock(timedelta(minutes=by))
    night.tally.faults["clock set forth" if by > 0 else "clock set back"] += 1
    checks.check_screens(night.screens)
    return f"by {by} minutes"


@behaviour("a tablet's clock is wrong", weight=1, fault="clock-jump")
def tablet_is_wrong(night: "Night") -> str | None:
    """Send the next tap with a time 3 or 30 hours before or after the house's."""
    if night.manner is not None:
        return None
    off = timedelta(hours=night.rng.choice(WRONG_HOURS))
    night.manner = WrongClock(night.now, off)
    return f"by {off}"
