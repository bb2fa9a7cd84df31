"""
Tips that two have counted and that lie apart until payroll has them, day by day. Cents.

What lies in a table's tip box, and what was taken out of it by nobody who may, is the felt's own (`TableFelt`).
"""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Tips:
    """What is owed of each gaming day, by its date: counted and not handed on; and what was counted of it in all."""

    owed: Counter[str] = field(default_factory=Counter)
    counted: Counter[str] = field(default_factory=Counter)
    # What lay apart before the first night.
    before: int | None = None
    played: Counter[str] = field(default_factory=Counter)

    @property
    def chips(self) -> int:
        """Return the chips that lie apart."""
        return self.owed.total()

    def take(self, day: str, cents: int) -> None:
        """Two have counted a box and put its chips apart."""
        self.owed[day] += cents
        self.counted[day] += cents
        self.played["taken"] += 1

    def hand_on(self, day: str) -> int:
        """All that is left of a day goes to payroll; return how much, which is the house's own from now on."""
        self.played["handed on"] += 1
        return self.owed.pop(day)

    def told(self) -> str:
        """Return what was played of all this."""
        return ", ".join(f"{what} {count}" for what, count in sorted(self.played.items())) or "none"
