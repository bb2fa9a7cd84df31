"""
Blinds that an absent player misses, and what coming back costs (H4.35-H4.44, A38).

A player is absent while the seat is held; markers belong to the player, not to the seat. Amounts are cents.
"""

from collections.abc import Mapping
from enum import StrEnum

from casino.poker.seats import clockwise


class Missed(StrEnum):
    """The missed blind markers in front of a player: never more than two (H4.37)."""

    NONE = ""
    SMALL = "small"
    BOTH = "both"

    @property
    def markers(self) -> int:
        return (Missed.NONE, Missed.SMALL, Missed.BOTH).index(self)


def owed_to_come_back(missed: Missed, *, small_blind_cents: int, big_blind_cents: int) -> tuple[int, int]:
    """
    Return what a player posts to be dealt in at once: (live, dead), in cents.

    Both missed: the big blind live, the small blind dead (H4.40). Only the small blind: that one, live (H4.42).
    Whoever missed nothing and posts is new, and owes a new player's blind (H4.31).
    """
    if missed is Missed.SMALL:
        return small_blind_cents, 0
    return big_blind_cents, small_blind_cents if missed is Missed.BOTH else 0


def marked(absent: Mapping[int, Missed], *, passed: frozenset[int], at_small_blind: int | None) -> dict[int, Missed]:
    """
    Return the markers of absent players by seat as they lie once a hand is dealt; of those alone that it changes.

    `passed` are the seats that the big blind went past with this hand: absent at that turn, both are missed at once
    (H4.38). `at_small_blind` is the seat whose turn the small blind was, after it paid the big one (H4.36).
    """
    now = {
        seat: Missed.BOTH if seat in passed else Missed.SMALL
        for seat, missed in absent.items()
        if seat in passed or (seat == at_small_blind and missed is Missed.NONE)
    }
    return {seat: missed for seat, missed in now.items() if missed is not absent[seat]}


def between(first: int, last: int, *, seats: int) -> frozenset[int]:
    """Return the seats met going clockwise from `first` to `last`, neither counted; none from a seat to itself."""
    order = clockwise(range(1, seats + 1), after=first)
    return frozenset(order[: order.index(last)]) if first != last else frozenset()
