"""
What the house takes from which pot (H1.82-H1.87, A13-A15, L-P17-L-P20, U92-U95, R-§28).

A policy is data: it is stored with the hand that ran under it and travels to the tablet. It names a way of reckoning
(`casino.poker.rake_ways`), and what a short table pays instead. All amounts are cents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from casino.poker.charges import spread
from casino.poker.rake_ways import ShareRake, StepRake, TierRake

RakeWay: TypeAlias = StepRake | ShareRake | TierRake
_WAYS: dict[str, type[RakeWay]] = {way.kind: way for way in (StepRake, ShareRake, TierRake)}


@dataclass(frozen=True)
class Relief:
    """What a hand with at most `participants_max` players at its start pays instead (U95)."""

    participants_max: int
    way: RakeWay


@dataclass(frozen=True)
class RakePolicy:
    """
    How a table takes its rake from pots.

    `relief` is for short tables, the shortest first. `is_due_without_flop`: also a hand that ends in the initial
    deal pays (RA8: R-§28 exempts none); elsewhere it does not (H1.90, U93).

    :raises ValueError: the reliefs' numbers of players do not rise from two on.
    """

    way: RakeWay
    relief: tuple[Relief, ...] = ()
    is_due_without_flop: bool = False

    def __post_init__(self) -> None:
        numbers = [1, *(relief.participants_max for relief in self.relief)]
        if any(before >= after for before, after in pairwise(numbers)):
            raise ValueError("reliefs are for two players, then for more and more")

    def at(self, participants: int) -> RakeWay:
        """Return how a hand is reckoned that began with so many players (U95, L-PQ11)."""
        return next((relief.way for relief in self.relief if participants <= relief.participants_max), self.way)

    def due_by_pot(self, pots: Sequence[int], *, participants: int, beyond_initial_deal: bool) -> tuple[int, ...]:
        """
        Return what each pot pays of the rake, main pot first.

        Without a flop that is nothing, unless the house says so (H1.90, RA8).

        :raises ValueError: a pot is negative.
        """
        if not (beyond_initial_deal or self.is_due_without_flop):
            return (0,) * len(pots)
        return rake_by_pot(pots, way=self.at(participants))

    def due_of_unknown_pot(self, *, participants: int, beyond_initial_deal: bool) -> int:
        """Return 0: without its pot nobody can say the rake of a hand; other charges can be said (`ChargePolicy`)."""
        return 0

    def is_more_due_above(self, cents: int, *, participants: int, beyond_initial_deal: bool) -> bool:
        """Say whether the maximum is not reached with so much (H1.83)."""
        reached_from = self.at(participants).maximum_from_cents()
        is_due = beyond_initial_deal or self.is_due_without_flop
        return is_due and (reached_from is None or cents < reached_from)


def rake_by_pot(pots: Sequence[int], *, way: RakeWay) -> tuple[int, ...]:
    """
    Return what to take from each pot, in the order the pots were formed.

    `pots` is main pot first, an uncalled excess already returned (A15, UA19). The result has one amount per pot, never
    more than that pot; a pot that cannot bear a charge passes it on to the next that can. A pot known only as "at
    least" so much, from the maximum upwards, pays the maximum.

    :raises ValueError: a pot is negative.
    Rules: H1.84-H1.87, A15, UA19.
    """
    return spread(way.charges(pots), pots)


def rake_to_dict(policy: RakePolicy) -> dict[str, Any]:
    """Return the policy as plain data for JSON: its way's kind and fields, and what else it says, if it does."""
    data = _way_to_dict(policy.way)
    if policy.relief:
        data["relief"] = [
            {"participants_max": relief.participants_max, **_way_to_dict(relief.way)} for relief in policy.relief
        ]
    if policy.is_due_without_flop:
        data["is_due_without_flop"] = True
    return data


def rake_from_dict(data: Mapping[str, Any]) -> RakePolicy:
    """
    Return the policy that `rake_to_dict` wrote.

    :raises ValueError: the kind or a field is unknown, a field is missing, or the values make no policy.
    """
    fields = dict(data)
    relief = [dict(short) for short in fields.pop("relief", ())]
    is_due_without_flop = fields.pop("is_due_without_flop", False)
    try:
        reliefs = tuple(Relief(short.pop("participants_max"), _way_from_dict(short)) for short in relief)
    except KeyError as error:
        raise ValueError(f"a relief lacks {error}") from error
    return RakePolicy(_way_from_dict(fields), reliefs, is_due_without_flop)


def _way_to_dict(way: RakeWay) -> dict[str, Any]:
    return {"kind": way.kind, **asdict(way)}


def _way_from_dict(fields: dict[str, Any]) -> RakeWay:
    kind = fields.pop("kind", None)
    if kind not in _WAYS:
        raise ValueError(f"unknown rake {kind!r}; known: {', '.join(_WAYS)}")
    try:
        return _WAYS[kind](**fields)
    except TypeError as error:
        raise ValueError(f"rake {kind!r}: {error}") from error
