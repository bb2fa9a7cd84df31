"""
Slips that move a player's deposit, and whether their papers are signed.

Nothing here has heard of the house's rows: a paper is signed once its player has signed it and a cashier has said so.
"""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(eq=False)
class Paper:
    """A slip by the number of its row, and the gaming day on which it was paid."""

    slip: int
    day: int
    is_signed: bool = False
    is_void: bool = False

    @property
    def is_open(self) -> bool:
        """Say whether its day waits for a signature."""
        return not (self.is_signed or self.is_void)


@dataclass
class Papers:
    """All slips that have moved a deposit."""

    all: list[Paper] = field(default_factory=list)
    played: Counter[str] = field(default_factory=Counter)

    def unsigned(self, day: int = 0) -> list[Paper]:
        """Return those that nobody has signed, of a day or of all of them."""
        return [each for each in self.all if each.is_open and day in {0, each.day}]

    def is_paid(self, slip: int, day: int) -> Paper:
        """A slip that moves a deposit is paid."""
        self.all.append(Paper(slip, day))
        return self.all[-1]

    def is_taken_back(self, slip: int) -> None:
        """A slip is reversed, whichever it is."""
        for each in self.all:
            each.is_void |= each.slip == slip
