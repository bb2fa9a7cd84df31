"""
Fill slips on the felt: what each runner was given, what really lies with them, and what was counted of it. Cents.

Nothing here has heard of the house's slips. What a runner loses or takes is missing where it is counted, and of nobody
else's: by slip, and in all by runner, added up. What the simulated room's book says of them stands here too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

WHAT = ("cash", "chips")
_BY_SLIP, _IN_ONE_STEP = "fills_in_one_step = false", "fills_in_one_step = true"
# A place that is filled: of which kind, and its number.
At = tuple[str, int]
# What is carried: by runner, cash or chips.
Carried = tuple[int, str]


def in_one_step(book: str) -> str:
    """Return a book by which two fill and empty a place at once."""
    assert book.count(_BY_SLIP) == 1, "the book says nothing of fills"
    return book.replace(_BY_SLIP, _IN_ONE_STEP)


@dataclass
class Fill:
    """
    A fill to a place, or a credit from it: the number of the house's row and of its paper, who asked, what was wished.

    `sent` is what the runner (by the number of their row) was given, `lies` what is left of it with them, `got` what
    two have counted.
    """

    id: int
    number: int
    kind: str
    at: At
    requested_by: str
    wished: Counter[str]
    status: str = "requested"
    runner: str = ""
    runner_id: int = 0
    sent: Counter[str] = field(default_factory=Counter)
    lies: Counter[str] = field(default_factory=Counter)
    got: Counter[str] = field(default_factory=Counter)
    differs: bool = False
    # The floor was one of the two who counted it.
    by_floor: bool = False

    @property
    def is_counted(self) -> bool:
        return self.status in {"verified", "returned"}

    def is_sent(self, runner: str, runner_id: int, load: Counter[str]) -> None:
        """Give it to a runner, with what they were really given."""
        self.status, self.runner, self.runner_id = "delivered", runner, runner_id
        self.sent, self.lies = load.copy(), load.copy()

    def is_short(self, what: str, cents: int) -> None:
        """Take cents of cash or chips that the log does not know of: the runner has lost or stolen them."""
        self.lies[what] -= cents

    def is_put_down(self, status: str) -> Counter[str]:
        """Two have counted it; return what they found, which lies there from now on."""
        self.status, self.got, self.lies = status, self.lies, Counter()
        self.differs = bool(list(self.missing()))
        return self.got

    def missing(self) -> Iterator[tuple[str, int]]:
        """Yield what a count has found missing, cash or chips."""
        for what in WHAT:
            if cents := self.sent[what] - self.got[what]:
                yield what, cents


@dataclass
class Fills:
    """All fill slips of the simulation's staff."""

    all: list[Fill] = field(default_factory=list)
    # What the house says of runners from before the first night.
    before: dict[tuple[int, str], int] | None = None
    played: Counter[str] = field(default_factory=Counter)

    @property
    def chips(self) -> int:
        """Return the chips that really lie with runners."""
        return sum(fill.lies["chips"] for fill in self.all)

    def at(self, *statuses: str) -> list[Fill]:
        """Return the slips of these statuses, in the order in which they were requested."""
        return [fill for fill in self.all if fill.status in statuses]

    def carried(self) -> Counter[Carried]:
        """Return what runners were given and nobody has counted yet."""
        return _added((fill.runner_id, what, fill.sent[what]) for fill in self.at("delivered") for what in WHAT)

    def missing(self) -> Counter[Carried]:
        """Return what counts have found missing."""
        found = (fill for fill in self.all if fill.is_counted)
        return _added((fill.runner_id, what, cents) for fill in found for what, cents in fill.missing())


def _added(found: Iterable[tuple[int, str, int]]) -> Counter[Carried]:
    sums: Counter[Carried] = Counter()
    for runner, what, cents in found:
        sums[runner, what] += cents
    return sums
