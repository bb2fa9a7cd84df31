"""Taking charges out of pots that may be too small for them (A15)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Charge(NamedTuple):
    """One amount in cents, the pot (index, main pot 0) that should pay it, and how often it is due there in a row."""

    pot: int
    cents: int
    times: int = 1


def spread(charges: Iterable[Charge], pots: Sequence[int]) -> tuple[int, ...]:
    """
    Return what each pot pays, in cents, never more than it holds.

    A pot that cannot bear a charge passes it whole to the next pot that can. Where none after it can, the charge
    is taken in parts from there on, then from the pots before it; one that all pots together cannot bear is not taken.

    :raises ValueError: a pot is negative.
    Rules: A15.
    """
    if any(pot < 0 for pot in pots):
        raise ValueError(f"a pot is negative: {list(pots)}")
    left = list(pots)
    if not left:
        return ()
    for charge in charges:
        # As many as their own pot can bear go at once: a pot beyond all maximums has a million blocks.
        borne = min(charge.times, left[charge.pot] // charge.cents)
        left[charge.pot] -= borne * charge.cents
        for _ in range(charge.times - borne):
            if charge.cents > sum(left):
                break
            _take(charge, left)
    return tuple(pot - rest for pot, rest in zip(pots, left, strict=True))


def _take(charge: Charge, left: list[int]) -> None:
    onwards = range(charge.pot, len(left))
    bearer = next((index for index in onwards if left[index] >= charge.cents), None)
    if bearer is not None:
        left[bearer] -= charge.cents
        return
    due = charge.cents
    for index in (*onwards, *range(charge.pot)):
        part = min(due, left[index])
        left[index] -= part
        due -= part
