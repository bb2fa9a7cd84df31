"""
Runners' banks on the felt: who holds each, what really lies there, and what its runner has taken out of it. Cents.

Nothing here has heard of the house's drawers. What a runner takes is missing when two count that bank, and of nobody
else's.
"""

from collections import Counter
from dataclasses import dataclass, field

from casino.simulation.fills import WHAT


@dataclass
class Bank:
    """A bank by its number: `runner` holds it, "" while it is closed. `missing` is what all its counts have found."""

    number: int
    runner: str = ""
    lies: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)
    missing: Counter[str] = field(default_factory=Counter)

    @property
    def expected(self) -> Counter[str]:
        """Return what lies there by the log: cash and chips in cents, thefts since its opening not subtracted."""
        return Counter({what: self.lies[what] + self.taken[what] for what in WHAT})

    def is_given(self, runner: str, load: Counter[str]) -> None:
        """Open it: a runner gets it with its float."""
        self.runner, self.lies = runner, load.copy()

    def moves(self, load: Counter[str]) -> None:
        """Add cash and chips in cents (negative: take them away), which the log knows of."""
        for what in WHAT:
            self.lies[what] += load[what]

    def is_robbed(self, what: str, cents: int) -> None:
        """Take cash or chips in cents that the log does not know of: its runner steals them."""
        self.lies[what] -= cents
        self.taken[what] += cents

    def is_counted(self) -> tuple[Counter[str], Counter[str]]:
        """Two have counted it, and nobody holds it; return what they found, and what was missing of it."""
        found, missing = self.lies, self.taken
        for what in WHAT:
            self.missing[what] += missing[what]
        self.runner, self.lies, self.taken = "", Counter(), Counter()
        return found, missing


@dataclass
class Banks:
    """All banks of the simulation's runners, by their numbers."""

    at: dict[int, Bank] = field(default_factory=dict)
    played: Counter[str] = field(default_factory=Counter)

    @property
    def chips(self) -> int:
        """Return the chips that lie in all banks."""
        return sum(bank.lies["chips"] for bank in self.at.values())

    def open(self) -> list[Bank]:
        """Return the banks that somebody holds, by number."""
        return [bank for _, bank in sorted(self.at.items()) if bank.runner]

    def holder(self, at: tuple[str, int]) -> str:
        """Return who holds a place that is filled, "" where it is no bank."""
        bank = self.at.get(at[1]) if at[0] == "drawer" else None
        return bank.runner if bank else ""
