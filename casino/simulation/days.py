"""
The days that were closed: what is counted of each, what was carried over its end, and what became of it. Cents.

Nothing here has heard of the house's checklist. Of a day are its drawer, its runners' banks, its counts of the vault,
and each box that was dropped on it.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from casino.simulation.boxes import Box
from casino.simulation.vault import VaultCount

OPERATIONS, COUNTED = "operations", "counted"


@dataclass
class Day:
    """
    A day that is closed for operations: by how many cents the newest count of each of its drawers and banks differs, by
    its word in calls, in money and in chips; which boxes were dropped on it, and what was carried, each by its word
    ("box.3") with the reason: at the end of its operations, and of its counts. `vault` are its counts of the vault;
    `left` is what it had to carry of all that is reckoned apart, by its words.
    """

    id: int
    drawers: dict[str, tuple[int, int]]
    boxes: list[Box]
    vault: list[VaultCount]
    left: set[str]
    carried: dict[tuple[str, str], str] = field(default_factory=dict)
    is_counted: bool = False

    def differs_cents(self, boxes: Iterable[Box]) -> tuple[int, int]:
        """Return by how much all that was counted of it differs in money and in chips, with these boxes' chips."""
        counted = [*self.drawers.values(), *(count.difference for count in self.vault)]
        money = sum(cents for cents, _ in counted)
        chips = sum(cents for _, cents in counted)
        return money, chips + sum(box.difference for box in boxes)


@dataclass
class Days:
    """All days that the simulation's staff have closed, and what of the one that runs has been counted."""

    all: list[Day] = field(default_factory=list)
    # The sessions of drawers and banks by their words, and what the newest count of each found: money, and chips.
    drawers: dict[str, tuple[int, int]] = field(default_factory=dict)
    played: Counter[str] = field(default_factory=Counter)
    _dropped: set[int] = field(default_factory=set)

    def waiting(self) -> list[Day]:
        """Return the days that are not closed as counted, the oldest first."""
        return [day for day in self.all if not day.is_counted]

    def closes(self, day: int, boxes: Iterable[Box], vault: list[VaultCount], left: set[str]) -> Day:
        """A day closes for operations, with what is dropped by now, and what is left open."""
        dropped = [box for box in boxes if box.dropped and box.id not in self._dropped]
        self._dropped.update(box.id for box in dropped)
        self.all.append(Day(day, self.drawers, dropped, vault, left))
        self.drawers = {}
        self.played["closed"] += 1
        return self.all[-1]
