"""
Thefts from the drawer, and overnight from whatever drawer or bank stayed open over the day's end.

A carried drawer goes on with the next day's slips, and is counted at a later day's end; a carried bank is counted in
the course of a later day. Its count must find missing exactly what was taken since its opening, on whichever day, and
that difference is of the day of the count.
"""

from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.banks import takes_out

if TYPE_CHECKING:
    from casino.simulation.night import Night

# How often something is gone by the morning from what stayed open.
GONE_SHARE = 0.4
# What is taken at once: notes, or chips.
TAKEN = {"cash": (20_00, 50_00, 100_00, 500_00), "chips": (5_00, 25_00, 100_00, 500_00)}


@behaviour("something is gone from the drawer", weight=1.5)
def is_gone(night: "Night") -> str | None:
    """
    Somebody steals cash or chips from the open drawer; nobody taps anything, and its count must find that missing.
    """
    drawer = night.felt.drawer
    found = [(what, cents) for what, values in TAKEN.items() for cents in values if cents <= getattr(drawer, what)]
    if not drawer.is_open or not found:
        return None
    what, cents = night.rng.choice(found)
    drawer.is_robbed(what, cents)
    night.felt.stolen += cents if what == "chips" else 0
    night.days.played["drawer robbed"] += 1
    night.days.played["drawer robbed later"] += bool(night.days.opening_of(1).over)
    return f"{cents // 100} € in {what}"


def robbed_overnight(night: "Night") -> None:
    """Between two evenings somebody steals from some of the drawers and banks that stayed open, without a tap."""
    for opening in night.days.open_now():
        if night.rng.random() >= GONE_SHARE:
            continue
        if opening.is_bank:
            takes_out(night, night.banks.at[opening.number])
        else:
            is_gone(night)
