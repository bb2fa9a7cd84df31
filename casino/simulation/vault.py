"""
The vault on the felt: what its counts have found, who made them, and what became of what differed. Cents.

Nothing here has heard of the house's rows. What lies in the vault, and what is gone from it since two counted it, is
the felt's own (`Felt`); its foreign notes are `Notes`'. What the simulated room's book says of it stands here too.
"""

from collections import Counter
from dataclasses import dataclass, field

from casino.simulation.foreign import Found

# Money and, last, chips.
WHAT = ("cash", "card_slips", "foreign", "chips")


def added_to(book: str) -> str:
    """Return a book by which the vault is counted on each gaming day."""
    assert "[cage]\n" in book, "the book says nothing of the cage"
    return book.replace("[cage]\n", "[cage]\nvault_counted_daily = true\n", 1)


@dataclass(eq=False)
class VaultCount:
    """
    A count of the vault, by the numbers of the house's row, of its paper and of its gaming day: who counted and who
    stood by, what lay there, and what of that was missing by what people have said (negative: there was more).
    """

    id: int
    number: int
    day: int
    counter: str
    beside: str
    lay: Counter[str]
    missing: Counter[str]
    notes: list[Found]
    is_judged: bool = False

    @property
    def differs(self) -> bool:
        """Say whether it found anything else than the log expected."""
        return any(self.missing.values())

    @property
    def is_open(self) -> bool:
        """Say whether the floor has yet to look at it."""
        return self.differs and not self.is_judged

    @property
    def difference(self) -> tuple[int, int]:
        """Return by how many cents money and chips differ from the log; negative: they are missing."""
        money = sum(self.missing[what] for what in WHAT if what != "chips")
        return -money, -self.missing["chips"]


@dataclass
class Vault:
    """All counts of the vault by the simulation's staff."""

    counts: list[VaultCount] = field(default_factory=list)
    # What money and chips counts of before the first night found missing.
    before: tuple[int, int] | None = None
    played: Counter[str] = field(default_factory=Counter)

    def of(self, day: int) -> list[VaultCount]:
        """Return the counts of a gaming day."""
        return [count for count in self.counts if count.day == day]

    def is_counted_since(self, day: int) -> bool:
        """Say whether it was counted on a gaming day, or on a later one."""
        return any(count.day >= day for count in self.counts)

    def left_by(self, name: str) -> set[str]:
        """Return by their words the counts that differ, that nobody has judged, and at which somebody was there."""
        return {
            f"vault_differs.{each.number}"
            for each in self.counts
            if each.is_open and name in (each.counter, each.beside)
        }

    def knew(self, day: int) -> set[str]:
        """Return who was there at the day's last count, and knows what was expected."""
        found = self.of(day)[-1:]
        return {name for count in found for name in (count.counter, count.beside)}

    def short(self) -> tuple[int, int]:
        """Return what money and chips all counts have found missing."""
        found = [count.difference for count in self.counts]
        return -sum(money for money, _ in found), -sum(chips for _, chips in found)

    def is_counted(self, count: VaultCount) -> None:
        """Add a count."""
        self.counts.append(count)
        self.played["counted"] += 1
        self.played["differ"] += count.differs
