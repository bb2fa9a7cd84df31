"""How long somebody has played, for the limit of hours that players set for themselves."""

from collections.abc import Iterable
from datetime import datetime, timedelta


def played(sittings: Iterable[tuple[datetime, datetime | None]], *, at: datetime) -> timedelta:
    """
    Return how long a player has sat, from (sat down, left or None): two seats at once count once.

    Breaks count: the seat is held for them. A sitting that begins after `at` (the clock was set back) counts nothing.
    """
    total, counted_to = timedelta(), None
    for began, left in sorted((began, min(left or at, at)) for began, left in sittings):
        begins = max(began, counted_to) if counted_to else began
        if left > begins:
            total += left - begins
            counted_to = left
    return total


def plays_until(sittings: Iterable[tuple[datetime, datetime | None]], *, limit_minutes: int, at: datetime) -> datetime:
    """Return when the hours of a player who plays on from `at` are used up; a moment not after `at`: they are."""
    return at + timedelta(minutes=limit_minutes) - played(sittings, at=at)
