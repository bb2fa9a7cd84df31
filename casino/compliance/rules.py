"""
What in a span of slips looks like structuring, or like its kin. Pure: rows in, findings out.

A finding is no wrong: it is a reason to look. Each rests on slips and on lost cash that was claimed, and says nothing
that is not in them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from casino.cage.rules import CASH, CLAIMED, DEPOSIT
from casino.rulebooks.compliance import Compliance

TOGETHER, JUST_BELOW, LITTLE_PLAYED = "together", "just_below", "little_played"
OTHER_MEANS, UNNAMED = "other_means", "unnamed"
KINDS = (TOGETHER, JUST_BELOW, LITTLE_PLAYED, OTHER_MEANS, UNNAMED)
IN, OUT = "in", "out"
# What crossed the counter: whether by a slip or as lost cash, and its id.
SLIP, CLAIM = "slip", "claim"
Source = tuple[str, int]


@dataclass(frozen=True)
class Crossing:
    """
    A paid slip: who (None: nobody was named), at which drawer, of which kind, by which means, how many cents, when.
    Or lost cash that was claimed (`CLAIMED`), with the `id` of the find.

    `cents` is what counts for the identity: of foreign notes what they were worth, `change_cents` of it more than they
    bought. `day` counts the room's gaming days, so that of two that follow one another it differs by one.
    """

    id: int
    person: int | None
    drawer_id: int
    kind: str
    method: str
    cents: int
    at: datetime
    day: int
    change_cents: int = 0

    @property
    def source(self) -> Source:
        return (CLAIM if self.kind == CLAIMED else SLIP, self.id)

    @property
    def way(self) -> str:
        """Return `IN` for what was brought, `OUT` for what was paid."""
        return IN if self.kind in ("buy_in", "deposit") else OUT

    @property
    def is_over_the_counter(self) -> bool:
        """Whether money crossed the counter: what goes to or comes off a deposit crosses it once, on another slip."""
        return self.method != DEPOSIT

    @property
    def is_chosen(self) -> bool:
        """Whether whoever it is could choose the amount: a prize is what was won."""
        return self.kind != "prize"


@dataclass(frozen=True)
class Thresholds:
    """The house's thresholds: `sum_cents` is from when on it must know who somebody is, per gaming day."""

    sum_cents: int
    book: Compliance

    @property
    def part_cents(self) -> int:
        """Return from how many cents on what somebody brings or is paid on a gaming day is a part of the sum."""
        return -(-self.sum_cents * self.book.together_part_percent // 100)

    @property
    def below_cents(self) -> int:
        """Return from how many cents on an amount is just below the sum."""
        return -(-self.sum_cents * self.book.just_below_percent // 100)

    @property
    def much_cents(self) -> int:
        """Return from how many cents on chips that are bought and cashed again are much."""
        return -(-self.sum_cents * self.book.little_played_percent // 100)

    def is_just_below(self, cents: int) -> bool:
        """Say whether an amount is just below the sum."""
        return self.below_cents <= cents < self.sum_cents


@dataclass(frozen=True)
class Finding:
    """
    Slips that look like something: its `kind`, who (None: nobody was named), which way ("": both), and how many cents.

    `hands`: how many were dealt to them on those gaming days; None where nobody asked.
    """

    kind: str
    person: int | None
    way: str
    rows: tuple[Crossing, ...]
    cents: int
    hands: int | None = None

    @property
    def sources(self) -> frozenset[Source]:
        return frozenset(row.source for row in self.rows)

    @property
    def last_at(self) -> datetime:
        return max(row.at for row in self.rows)


def ids_in(sources: Iterable[Source], what: str) -> frozenset[int]:
    """Return the ids of the slips (`SLIP`), or of the finds that were claimed (`CLAIM`), among these."""
    return frozenset(each for kind, each in sources if kind == what)


Rows = Sequence[Crossing]
Dealt = Mapping[tuple[int, int], int]


def findings(rows: Iterable[Crossing], dealt: Dealt, thresholds: Thresholds) -> list[Finding]:
    """
    Return what the slips look like, by person and then without one.

    `dealt`: hands by (person, day), none where there is no such key.
    """
    by_person: dict[int | None, list[Crossing]] = defaultdict(list)
    for row in sorted(rows, key=lambda each: (each.day, each.at, each.source)):
        by_person[row.person].append(row)
    nobody = by_person.pop(None, [])
    of_persons = [
        each for person, theirs in by_person.items() for each in _of_person(person, theirs, dealt, thresholds)
    ]
    return [*of_persons, *_unnamed(nobody, thresholds)]


def _of_person(person: int | None, rows: Rows, dealt: Dealt, thresholds: Thresholds) -> Iterator[Finding]:
    for way in (IN, OUT):
        small = [
            row
            for row in rows
            if row.way == way and row.is_over_the_counter and row.is_chosen and row.cents < thresholds.sum_cents
        ]
        below = [Finding(JUST_BELOW, person, way, tuple(run), _sum(run)) for run in _runs(
            [row for row in small if thresholds.is_just_below(row.cents)],
            thresholds.book.together_days,
            lambda window: len(window) >= thresholds.book.just_below_times,
        )]  # fmt: skip
        yield from below
        # By the day, as the sum itself is measured: small slips of one day are no smaller a part than one slip.
        of_day: dict[int, int] = defaultdict(int)
        for row in small:
            of_day[row.day] += row.cents
        parts = [row for row in small if of_day[row.day] >= thresholds.part_cents]
        for run in _runs(
            parts,
            thresholds.book.together_days,
            lambda window: len(window) > 1 and _sum(window) >= thresholds.sum_cents,
        ):
            # The same slips are not told twice: that each is just below says more.
            if not any({row.source for row in run} <= each.sources for each in below):
                yield Finding(TOGETHER, person, way, tuple(run), _sum(run))
    yield from _little_played(person, rows, dealt, thresholds)
    # Lost cash came to the cage as the cash that it goes as.
    moved = [row for row in rows if row.is_over_the_counter and row.is_chosen and row.kind != CLAIMED]
    for run in _runs(
        moved, thresholds.book.together_days, lambda window: changed_means(window) >= thresholds.much_cents
    ):
        yield Finding(OTHER_MEANS, person, "", tuple(run), changed_means(run))


def _little_played(person: int | None, rows: Rows, dealt: Dealt, thresholds: Thresholds) -> Iterator[Finding]:
    def hands(window: Rows) -> int:
        days = range(window[0].day, window[-1].day + 1)
        return sum(dealt.get((person or 0, day), 0) for day in days)

    def is_little_played(window: Rows) -> bool:
        return both_ways(window) >= thresholds.much_cents and hands(window) <= thresholds.book.little_played_hands

    chips = [row for row in rows if row.kind in ("buy_in", "cash_out")]
    for run in _runs(chips, thresholds.book.together_days, is_little_played):
        yield Finding(LITTLE_PLAYED, person, "", tuple(run), both_ways(run), hands(run))


def both_ways(rows: Rows) -> int:
    """Return how many cents of chips were bought and cashed out again."""
    bought = sum(row.cents - row.change_cents for row in rows if row.kind == "buy_in")
    return min(bought, sum(row.cents for row in rows if row.kind == "cash_out"))


def changed_means(rows: Rows) -> int:
    """
    Return how many cents came by one means and went by another.

    What comes and goes by the same means cancels out; of the rest the lesser of what only came and what only went.
    Foreign notes get their change in cash.
    """
    left: dict[str, int] = defaultdict(int)
    for row in rows:
        left[row.method] += row.cents if row.way == IN else -row.cents
        left[CASH] -= row.change_cents
    came, went = sum(max(each, 0) for each in left.values()), sum(max(-each, 0) for each in left.values())
    return min(came, went)


def _runs(rows: Rows, days: int, qualifies: Callable[[Rows], bool]) -> list[list[Crossing]]:
    """
    Return the slips of every window of so many gaming days that qualifies; windows with a slip in common are joined.

    `rows` are in the order of their days. Each window ends with a day on which there is a slip.
    """
    runs: list[list[Crossing]] = []
    for last in sorted({row.day for row in rows}):
        window = [row for row in rows if last - days < row.day <= last]
        if not qualifies(window):
            continue
        if runs and runs[-1][-1].day >= window[0].day:
            runs[-1] += [row for row in window if row not in runs[-1]]
        else:
            runs.append(window)
    return runs


def _unnamed(rows: Rows, thresholds: Thresholds) -> Iterator[Finding]:
    places: dict[tuple[int, str], list[Crossing]] = defaultdict(list)
    for row in rows:
        if thresholds.is_just_below(row.cents):
            places[row.drawer_id, row.way].append(row)
    apart = timedelta(minutes=thresholds.book.unnamed_minutes)
    for (_drawer, way), there in places.items():
        there.sort(key=lambda row: (row.at, row.id))
        groups = [[there[0]]]
        for before, row in pairwise(there):
            if row.at - before.at <= apart:
                groups[-1].append(row)
            else:
                groups.append([row])
        for group in groups:
            if len(group) >= thresholds.book.just_below_times:
                yield Finding(UNNAMED, None, way, tuple(group), _sum(group))


def _sum(rows: Rows) -> int:
    return sum(row.cents for row in rows)
