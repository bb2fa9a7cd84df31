"""A screen whose program hangs: its socket stays open, and for hours nothing is read from it."""

from typing import TYPE_CHECKING

from casino.simulation import checks
from casino.simulation.behaviours import behaviour
from casino.simulation.slow_screen import SlowScreen

if TYPE_CHECKING:
    from casino.simulation.night import Night

# The screens that hear most.
AUDIENCES = ("floor", "lobby")


@behaviour("a screen hangs", weight=0.5, fault="slow-reader")
def hangs(night: "Night") -> str | None:
    """Open a second screen of the floor that reads nothing from its socket; one at a time. Nobody may wait for it."""
    if _hanging(night):
        return None
    screen = SlowScreen(url=night.instance.url, page="/floor/", listens_to=AUDIENCES, cookies=night.staff.floor.cookies)
    screen.open()
    night.screens.append((screen, night.staff.floor))
    night.tally.faults["screen that does not read"] += 1
    return "the floor's second one"


@behaviour("a hanging screen reads again", weight=0.2, fault="slow-reader")
def reads_again(night: "Night") -> str | None:
    """Let the hanging screen read again: it must show what there is now, whatever it has missed. Then close it."""
    found = _hanging(night)
    if not found:
        return None
    found[0].read_again()
    checks.check_screens(night.screens)
    found[0].close()
    night.screens = [(screen, device) for screen, device in night.screens if screen is not found[0]]
    return f"after {found[0].frames} fragments"


def _hanging(night: "Night") -> list[SlowScreen]:
    return [screen for screen, _ in night.screens if isinstance(screen, SlowScreen)]
