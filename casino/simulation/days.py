"""
The days that were closed: what is counted of each, what was carried over its end, and what became of it. Cents.

Nothing here has heard of the house's checklist. Of a day are the drawer and the runners' banks that were counted on it,
its counts of the vault, and each box that was dropped on it.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from casino.simulation.boxes import Box
from casino.simulation.vault import VaultCount

OPERATIONS, COUNTED = "operations", "counted"


@dataclass
class Opening:
    """
    A drawer or a runner's bank from its opening to its count, by the number of the house's row: who opened it, by
    theirs, on which gaming day, over which days' ends it was carried, and on which it was counted, 0 while it is open.
    `found` is what its newest count found: money, and chips.
    """

    session: int
    number: int
    by: int
    day: int
    is_bank: bool = False
    over: list[int] = field(default_factory=list)
    counted: int = 0
    found: tuple[int, int] = (0, 0)

    @property
    def word(self) -> str:
        """Return what names it in a call."""
        return f"{'bank' if self.is_bank else 'drawer'}.{self.number}"

    def was_open_on(self, day: int) -> bool:
        """Say whether it was open on a day, at whichever time of it."""
        return day in {self.day, self.counted, *self.over}


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
    # All openings of drawer and banks since the first night began, and the dates of all days, by their numbers.
    openings: list[Opening] = field(default_factory=list)
    dates: dict[int, str] = field(default_factory=dict)
    # What money and chips the drawer's counts of before the first night found missing.
    short_before: tuple[int, int] | None = None
    played: Counter[str] = field(default_factory=Counter)
    _dropped: set[int] = field(default_factory=set)

    @property
    def today(self) -> int:
        """Return the day that runs, or was the last to."""
        return max(self.dates)

    def opens(self, session: int, number: int, *, by: int, is_bank: bool = False) -> None:
        """A drawer or bank is opened."""
        self.openings.append(Opening(session, number, by, self.today, is_bank))

    def open_now(self) -> list[Opening]:
        """Return the openings of what is open."""
        return [each for each in self.openings if not each.counted]

    def opening_of(self, number: int) -> Opening:
        """Return the opening of a drawer or bank that is open."""
        return next(each for each in self.open_now() if each.number == number)

    def counts(self, number: int, found: tuple[int, int]) -> None:
        """A drawer or bank is counted and closed, with what that found of money and chips."""
        opening = self.opening_of(number)
        opening.counted, opening.found = self.today, found
        self.drawers[f"drawer.{opening.session}"] = found
        kind = opening.word.split(".")[0]
        self.played[f"{kind} counted later"] += bool(opening.over)
        self.played[f"{kind} differs later"] += bool(opening.over) and any(found)

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
