"""
At which pushes the rack is counted, and whether what its counts found is that a sale never was.

No source says any of it: how often is the house's (`dealers.rack` of its book).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum


@dataclass(frozen=True)
class Push:
    """One push of the gaming day at a table: whether a count was drawn, and whether the rack was counted then."""

    is_drawn: bool
    was_counted: bool

    @property
    def is_done(self) -> bool:
        return self.is_drawn and self.was_counted

    @property
    def is_missed(self) -> bool:
        return self.is_drawn and not self.was_counted


def counts_done(pushes: Sequence[Push]) -> int:
    """Return how many counts of a day were drawn and made."""
    return sum(push.is_done for push in pushes)


def drawn_among(pushes: Sequence[Push], *, within: int, per_day: int, is_closing: bool) -> int:
    """
    Return among how many this push is drawn for a count of the rack: one of so many is; 1 is a count for certain.

    `pushes` are those of the table's day before this one, the oldest first. Each push since the last count is as likely
    as any other of `within`, so nobody can tell which it is before the last of them. One that was drawn and not made is
    drawn again, and so is one at a closing table (`is_closing`) that has had fewer than `per_day`.
    """
    if pushes and pushes[-1].is_missed:
        return 1
    if is_closing and counts_done(pushes) < per_day:
        return 1
    since = 0
    for push in reversed(pushes):
        if push.is_done:
            break
        since += 1
    return max(1, within - since)


@dataclass(frozen=True)
class Sold:
    """
    A sale out of a rack: its places in the log, as a posting on the rack and as a transfer, and what it came to.
    `void_transfer_id` is of what said that it never was, None of one that stands.
    """

    place: int
    transfer_id: int
    at: datetime
    cents: int
    void_transfer_id: int | None = None


@dataclass(frozen=True)
class Found:
    """
    What a count of a rack has posted: chips too many and cash too little, in cents. `place` is that up to which it has
    seen the log, and `transfer_id` what it has posted; `late_at` the moment of one that came late, which has seen
    nothing of after it.
    """

    check_id: int
    place: int
    chips_over: int
    cash_short: int
    late_at: datetime | None = None
    transfer_id: int | None = None

    def has_seen(self, sold: Sold) -> bool:
        return self.place >= sold.place and (self.late_at is None or self.late_at >= sold.at)

    def may_explain(self, sold: Sold) -> bool:
        """Whether this count can have found the chips of `sold`: it came after the sale and before that was voided."""
        return self.has_seen(sold) and (self.transfer_id or 0) < (sold.void_transfer_id or math.inf)


def left_since(sold: Sold, all_counts: Iterable[Found], never: Iterable[Sold]) -> tuple[int, int]:
    """
    Return (chips over, cash short) in cents that counts after `sold` found, less the sales from it on that are voided
    as never made (`never`).
    """
    counts = [each for each in all_counts if each.has_seen(sold)]
    taken = sum(each.cents for each in never if each.place >= sold.place)
    return sum(each.chips_over for each in counts) - taken, sum(each.cash_short for each in counts) - taken


def spans_of(sold: Sold, never: Iterable[Sold]) -> list[Sold]:
    """
    Return the sales from which on counts may explain `sold`: itself, and each earlier one in `never` that was voided
    after it was posted.
    """
    before = (each for each in never if each.place < sold.place and (each.void_transfer_id or 0) > sold.transfer_id)
    return [sold, *before]


class HowMuch(Enum):
    """How much counts have found of what would lie in a rack, and be missing there, had a sale never been."""

    LESS = "less"
    MOST = "most"
    ALL = "all"


def found_of(sold: Sold, counts: Sequence[Found], never: Sequence[Sold], *, over_percent: int) -> HowMuch:
    """
    Return how much of a sale counts say that it never was: since it they have found its chips too many and its cash
    missing, net, beyond what `never` explains, the table's sales that are said so already; and so since each of these.

    ALL is all of both. MOST is all of one and more than `over_percent` of the other: the rest was lost there, or left,
    besides.
    Of what was sold in part both miss as much, and of what was sold none of the one lies there: that is LESS.
    """
    lefts = [left_since(since, counts, never) for since in spans_of(sold, never)]
    if all(min(left) >= sold.cents for left in lefts):
        return HowMuch.ALL
    if all(max(left) >= sold.cents and 100 * min(left) > over_percent * sold.cents for left in lefts):
        return HowMuch.MOST
    return HowMuch.LESS


def explained(counts: Sequence[Found], never: Iterable[Sold]) -> set[int]:
    """
    Return the counts (`check_id`) that differ by sales that never were and by nothing else, whichever of them found it.

    Each sale takes its chips and its cash from what one count has found of both, where there is one, else from one for
    each, else from one after the other. What counts found missing, and found again, no sale explains: somebody looks at
    each of them.
    """
    chips = {each.check_id: each.chips_over for each in counts}
    cash = {each.check_id: each.cash_short for each in counts}
    touched = set()
    for sold in sorted(never, key=lambda each: each.void_transfer_id or math.inf):
        seen = [each.check_id for each in counts if each.may_explain(sold)]
        seen.sort(key=lambda check: min(chips[check], cash[check]) < sold.cents)
        for rest in (chips, cash):
            left = sold.cents
            for check in sorted(seen, key=lambda check: rest[check] < sold.cents):
                taken = max(0, min(rest[check], left))
                rest[check] -= taken
                left -= taken
                if taken:
                    touched.add(check)
    return {check for check in touched if not chips[check] and not cash[check]}
