"""
Dealers' racks on the felt: what lies in each, what was put there, and who has sat there since it was counted. Cents.

Nothing here has heard of the house's downs: who takes chips out of a rack has dealt there since its last count. What
the simulated room's book says of racks stands here too.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

# So many counts are drawn and made on a day, each after at most so many pushes.
PER_DAY, WITHIN = 2, 3
_KEPT = f"rack = {{ is_kept = true, counted_pushes_per_day = {PER_DAY}, counted_within_pushes = {WITHIN} }}"


def added_to(book: str) -> str:
    """Return a book by which racks are brought to tables."""
    kept, count = re.subn(r"^rack = .*$", _KEPT, book, flags=re.MULTILINE)
    assert count == 1, "the book says nothing of racks"
    return kept


@dataclass(frozen=True)
class Theft:
    """Chips that the dealer of a table has taken out of its rack."""

    dealer: str
    cents: int


@dataclass
class Push:
    """A push at which a rack lay there: whether a count was drawn, and whether it was counted then."""

    is_drawn: bool
    was_counted: bool = False


@dataclass
class Rack:
    """
    A table's rack: what lies there, and what came and went as people have said it: `lies` and what was stolen since.

    `dealers` have sat there since the last count, the one of that moment first, each time that they came; before it was
    ever filled, nobody. `short` is what counts find missing. `asks` is the down for which nobody has taken it over yet.
    """

    lies: int = 0
    said: int = 0
    thefts: list[Theft] = field(default_factory=list)
    dealers: list[str] = field(default_factory=list)
    was_filled: bool = False
    short: int = 0
    # Of this gaming day.
    pushes: list[Push] = field(default_factory=list)
    asks: int | None = None

    @property
    def stolen(self) -> int:
        """Return what was stolen since the last count."""
        return sum(theft.cents for theft in self.thefts)

    def moves(self, cents: int, *, dealer: str) -> None:
        """Chips are put there, or (negative) taken away, and it is said; `dealer` deals there, "" for nobody."""
        self.lies += cents
        self.said += cents
        if cents > 0 and not self.was_filled:
            self.was_filled, self.dealers = True, [dealer] if dealer else []

    def is_robbed(self, dealer: str, cents: int) -> None:
        """Whoever deals there takes chips."""
        self.lies -= cents
        self.thefts.append(Theft(dealer, cents))

    def must_be_counted(self, *, is_closing: bool) -> bool:
        """Say whether a push now is certain to be drawn: the last one was missed, or it is the last of so many."""
        if self.pushes and self.pushes[-1].is_drawn and not self.pushes[-1].was_counted:
            return True
        done = [push.is_drawn and push.was_counted for push in self.pushes]
        since = next((at for at, is_done in enumerate(reversed(done)) if is_done), len(done))
        return since >= WITHIN - 1 or (is_closing and sum(done) < PER_DAY)

    def is_counted(self, *, dealer: str) -> list[Theft]:
        """It was counted; return what was stolen since the count before. `dealer` deals there from now on."""
        found, self.thefts = self.thefts, []
        self.short += sum(theft.cents for theft in found)
        self.said, self.dealers = self.lies, [dealer] if dealer else []
        return found


@dataclass
class Racks:
    """All racks, by the numbers of their tables."""

    at: dict[int, Rack] = field(default_factory=dict)
    # What the house says of racks from before the first night.
    before: dict[tuple[int, str], int] | None = None
    played: Counter[str] = field(default_factory=Counter)

    @property
    def chips(self) -> int:
        """Return the chips that lie in all racks."""
        return sum(rack.lies for rack in self.at.values())

    def of(self, number: int) -> Rack:
        """Return a table's rack."""
        return self.at.setdefault(number, Rack())

    def told(self) -> str:
        """Return what was played of all this."""
        return ", ".join(f"{what} {count}" for what, count in sorted(self.played.items())) or "none"
