"""
Tips that two have counted and that lie apart until payroll has them, day by day. Cents.

What lies in a table's tip boxes, and what was taken out of them by nobody who may, is the felt's own (`TableFelt`).
What the simulated room's book says where tips are each dealer's own stands here too.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from casino.simulation.felt import TipBox


def added_to(book: str) -> str:
    """Return a book by which tips are each dealer's own."""
    own, count = re.subn(r'^tips = "pooled"$', 'tips = "per_dealer"', book, flags=re.MULTILINE)
    assert count == 1, "the book says nothing of pooled tips"
    return own


@dataclass(eq=False)
class Closed:
    """
    A box that was taken along from a table, at the end of the down of this number. `id` is the number of the house's
    row, and `day` the date of the gaming day on which it was logged: None and "" until then.
    """

    table: int
    down: int
    box: TipBox
    id: int | None = None
    day: str = ""


@dataclass(eq=False)
class Mistake:
    """
    A box that hangs on though it was logged as taken along: the number of the house's row, who had dealt into it, what
    was noted to lie there then (cents), who logged it, and who took that back, "" until then.
    """

    table: int
    id: int
    dealers: frozenset[str]
    noted: int
    closed_by: str
    taken_back_by: str = ""


@dataclass(frozen=True)
class Count:
    """A count of a box, as the house's row should say it: who dealt into that box, and of which gaming day it is."""

    id: int
    day: str
    dealers: frozenset[str]
    cents: int
    noted: int


@dataclass
class Tips:
    """What is owed of each gaming day, by its date: counted and not handed on; and what was counted of it in all."""

    owed: Counter[str] = field(default_factory=Counter)
    counted: Counter[str] = field(default_factory=Counter)
    # Where tips are each dealer's own: the boxes that lie with dealers, the counts, and those that payroll has.
    closed: list[Closed] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)
    counts: list[Count] = field(default_factory=list)
    handed: set[int] = field(default_factory=set)
    # How often each receipt was printed, by its number.
    prints: Counter[int] = field(default_factory=Counter)
    # What lay apart before the first night.
    before: int | None = None
    played: Counter[str] = field(default_factory=Counter)

    @property
    def chips(self) -> int:
        """Return the chips that lie apart."""
        return self.owed.total()

    def take(self, day: str, cents: int) -> None:
        """Add the chips of a counted box, in cents, to what is owed of a gaming day."""
        self.owed[day] += cents
        self.counted[day] += cents
        self.played["taken"] += 1

    def at(self, table: int, *, is_logged: bool) -> list[Closed]:
        """Return the boxes that were taken along from a table, in order: those in the log, or those not in it yet."""
        return [each for each in self.closed if each.table == table and (each.id is not None) == is_logged]

    def mistaken(self, table: int) -> Mistake | None:
        """Return the box of a table that the log has as taken along and that hangs there, None where there is none."""
        found = (each for each in self.mistakes if each.table == table and not each.taken_back_by)
        return next(found, None)

    def hand_on(self, day: str) -> int:
        """
        Hand all that is owed of a gaming day to payroll; return it in cents: the chips are the house's own from now on.
        """
        self.played["handed on"] += 1
        self.handed |= {count.id for count in self.counts if count.day == day}
        return self.owed.pop(day)


def shared(cents: int, seconds: Mapping[int, int]) -> dict[int, int]:
    """
    Return the shares in cents of one box's tips by dealer, by the seconds dealt; cents left over go to the largest
    fractions.
    """
    whole = sum(seconds.values())
    shares = {dealer: cents * each // whole for dealer, each in seconds.items()}
    by_cut = sorted(seconds, key=lambda dealer: (-(cents * seconds[dealer] % whole), -seconds[dealer], dealer))
    for dealer in by_cut[: cents - sum(shares.values())]:
        shares[dealer] += 1
    return shares
