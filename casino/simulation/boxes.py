"""
The boxes of the felt: what really fell into each, beside what the log put there while it hung. Cents.

A place is a table and a kind of charge. Both sums of a place only grow with what falls there, so a box has what came
between its hanging and its drop.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

# The values of chips, the highest first; what is left over is counted by the cent.
VALUES = (500_00, 100_00, 25_00, 5_00, 1_00, 1)
# As cash is counted.
CASH_VALUES = (500_00, 200_00, 100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00, 50, 20, 10, 5, 2, 1)
KINDS = ("rake", "drop")
Place = tuple[int, str]


@dataclass(frozen=True)
class Sums:
    """What had fallen at a place by some moment: chips, and those that the log knew of (None where nobody can ask)."""

    fell: int
    logged: int | None


@dataclass
class Box:
    """A box: the house's number of its row, where it hangs or hung, and the sums when it was hung and dropped."""

    id: int
    place: Place
    # None: what fell while no numbered box hung there.
    number: int | None
    hung: Sums
    dropped: Sums | None = None
    is_counted: bool = False
    differs: bool = False
    # What its newest count found, less what it expected.
    difference: int = 0
    # Chips that somebody took out of it, before anybody counted.
    stolen: int = 0

    @property
    def chips(self) -> int:
        """Return what lies in a dropped box."""
        assert self.dropped is not None, "a box that hangs is not counted"
        return self.dropped.fell - self.hung.fell - self.stolen

    @property
    def by_the_log(self) -> int | None:
        """Return what the log has put into a dropped box, None where nobody can ask."""
        assert self.dropped is not None, "a box that hangs is not counted"
        if self.dropped.logged is None or self.hung.logged is None:
            return None
        return self.dropped.logged - self.hung.logged


@dataclass
class Boxes:
    """All boxes that the simulation's staff have hung, and what counts have found."""

    all: list[Box] = field(default_factory=list)
    hanging: dict[Place, Box] = field(default_factory=dict)
    # The sums of a place when its last box was dropped; none hung there before, the sums of the evening's begin.
    since: dict[Place, Sums] = field(default_factory=dict)
    # Where one was hung by mistake, and what had fallen there before lies in one of its own since.
    begun: set[Place] = field(default_factory=set)
    # By place: what counts have expected, what they found, what was stolen, and by how much more the log has of a wrong
    # pot than fell.
    expected: Counter[Place] = field(default_factory=Counter)
    counted: Counter[Place] = field(default_factory=Counter)
    stolen: Counter[Place] = field(default_factory=Counter)
    mistyped: Counter[Place] = field(default_factory=Counter)
    numbers: int = 0
    played: Counter[str] = field(default_factory=Counter)

    def next_number(self) -> int:
        """Return the number on the next empty box."""
        self.numbers += 1
        return 100 + self.numbers

    def drop(self, box: Box, sums: Sums) -> None:
        """Take a box down, which then waits for its count."""
        box.dropped = self.since[box.place] = sums
        self.hanging.pop(box.place, None)

    def is_known(self, place: Place) -> bool:
        """Say whether a box has hung at a place."""
        return place in self.begun or any(box.place == place for box in self.all)

    def waiting(self) -> list[Box]:
        """Return the boxes that were dropped and that nobody has counted."""
        return [box for box in self.all if box.dropped and not box.is_counted]


def pieces(cents: int, values: Sequence[int] = VALUES) -> list[dict[str, int]]:
    """
    Return a sum in cents as a count's body has it, `[{"value_cents", "count"}]`, in the fewest pieces; of 0 one row of
    none.
    """
    found = []
    for value in values:
        count, cents = divmod(cents, value)
        if count:
            found.append({"value_cents": value, "count": count})
    return found or [{"value_cents": values[0], "count": 0}]
