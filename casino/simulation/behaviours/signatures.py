"""
Players sign the slips that move their deposits, and the cashier notes it: at once, late, or never.

Missing signatures are on the day's checklist. Before the day closes some are fetched, and the rest is carried over.
"""

from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.faults import may_travel_badly
from casino.simulation.papers import Paper

if TYPE_CHECKING:
    from casino.simulation.night import Night

# How often a cashier lets a player go without, and how often one is fetched back before the day closes.
FORGOTTEN_SHARE, FETCHED_SHARE = 0.25, 0.5


def is_paid(night: "Night", slip: int, *, moves_deposit: bool) -> None:
    """Have the player sign a paid slip that moves a deposit, and no other; the cashier forgets one in four."""
    path = f"/api/v1/cage/slips/{slip}"
    night.must_equal("whether a slip moves a deposit", night.staff.cage.get(path).body["moves_deposit"], moves_deposit)
    if not moves_deposit:
        return
    paper = night.papers.is_paid(slip, night.days.today)
    if night.rng.random() < FORGOTTEN_SHARE:
        night.papers.played["forgotten"] += 1
    else:
        is_signed(night, paper)


def is_signed(night: "Night", paper: Paper) -> None:
    """Have the cashier note that the player has signed a slip."""
    night.done(night.staff.cage, f"/api/v1/cage/slips/{paper.slip}/signature")
    paper.is_signed = True
    night.papers.played["signed"] += 1


@behaviour("a player signs what was forgotten", weight=2)
def is_signed_late(night: "Night") -> str | None:
    """Have a cashier note a signature that was forgotten, of whichever day; refused to the floor, and a second time."""
    papers = night.papers.unsigned()
    if not papers:
        return None
    paper = night.rng.choice(papers)
    path = f"/api/v1/cage/slips/{paper.slip}/signature"
    night.refused(night.staff.floor, path, code="not_permitted")
    may_travel_badly(night)
    is_signed(night, paper)
    night.refused(night.staff.cage_too, path, code="already_signed")
    night.papers.played["signed late"] += 1
    return f"slip {paper.slip}"


def fetch_back(night: "Night") -> None:
    """Have about half of the day's unsigned slips signed before the day closes."""
    for paper in night.papers.unsigned(night.days.today):
        if night.rng.random() < FETCHED_SHARE:
            is_signed(night, paper)
            night.papers.played["signed at the day's end"] += 1
