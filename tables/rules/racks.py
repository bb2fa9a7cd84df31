"""
At which pushes the rack is counted, and whose a difference is.

No source says any of it: how often is the house's (`dealers.rack` of its book).
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Asked:
    """One push of the gaming day at a table: whether a count was drawn, and whether the rack was counted then."""

    is_drawn: bool
    was_counted: bool

    @property
    def is_done(self) -> bool:
        return self.is_drawn and self.was_counted

    @property
    def is_missed(self) -> bool:
        return self.is_drawn and not self.was_counted


def counts_done(pushes: Sequence[Asked]) -> int:
    """Return how many counts of a day were drawn and made."""
    return sum(push.is_done for push in pushes)


def drawn_among(pushes: Sequence[Asked], *, within: int, per_day: int, is_closing: bool) -> int:
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
