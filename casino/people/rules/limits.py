"""
The limits that players set for themselves: a day's buy-in, hours of play.

Lowered at once, raised from the next gaming day. No limit at all is the loosest one: taking a limit away is raising it.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Wish:
    """What a player asked for: cents or minutes, None for no limit, said on a gaming day (days count up)."""

    amount: int | None
    day: int


@dataclass(frozen=True)
class Limit:
    """What holds now (None: nothing), and what is to hold from the next gaming day, if that is something else."""

    amount: int | None = None
    coming: Wish | None = None

    @property
    def wished(self) -> int | None:
        """Return what the player asked for last, whether or not it holds yet."""
        return self.coming.amount if self.coming else self.amount


def is_stricter(one: int | None, other: int | None) -> bool:
    """Say whether `one` leaves less than `other`."""
    return one is not None and (other is None or one < other)


def stricter(one: int | None, other: int | None) -> int | None:
    """Return the one that leaves less."""
    return one if is_stricter(one, other) else other


def wish(limit: Limit, new: Wish) -> Limit:
    """
    Return the limit once a player has asked for another one.

    What leaves less holds at once, and a raise that had not begun yet is forgotten. What leaves more waits for the next
    gaming day, in place of whatever waited before.
    """
    now = on(limit, new.day)
    if new.amount == now.amount or is_stricter(new.amount, now.amount):
        return Limit(new.amount)
    return Limit(now.amount, coming=new)


def on(limit: Limit, day: int) -> Limit:
    """Return the limit as it stands on a gaming day: a raise of an earlier day has begun."""
    if limit.coming is not None and limit.coming.day < day:
        return Limit(limit.coming.amount)
    return limit


def limit_on(day: int, wishes: Iterable[Wish]) -> Limit:
    """Return the limit on a gaming day, from all that the player ever asked for, first one first."""
    limit = Limit()
    for new in wishes:
        limit = wish(limit, new)
    return on(limit, day)


def joined(one: Limit, other: Limit) -> tuple[int | None, ...]:
    """
    Return what the one record of a person has to ask for, in this order, when another one is joined to it.

    The stricter limit holds at once; of what was asked for last the stricter comes the next day.
    """
    now, wished = stricter(one.amount, other.amount), stricter(one.wished, other.wished)
    if (now, wished) == (one.amount, one.wished):
        return ()
    return (now,) if wished == now else (now, wished)
