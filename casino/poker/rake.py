"""
What the house takes from which pot (H1.82-H1.87, A13-A15).

A policy is data: it is stored with the hand that ran under it and travels to the tablet. Each way of charging is
a dataclass of its own with a `kind`, a `total` and its `shares`; the functions here work with any of them.
All amounts are cents.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate, pairwise
from typing import Any, ClassVar, TypeAlias

from casino.poker.charges import Charge, spread


@dataclass(frozen=True)
class StepRake:
    """
    A charge for each full block of all pots together: EUR 1 per full EUR 20, or per full EUR 10 (H1.85, H1.87).

    `maximum_cents` is the most that one hand pays (H1.83; A13: a hand, not a betting round), None for no maximum.
    A charge that would pass it is cut to it.

    :raises ValueError: block or charge is not positive, the charge is larger than its block, or the maximum
        is not positive.
    """

    block_cents: int
    charge_cents: int
    maximum_cents: int | None = None
    kind: ClassVar[str] = "step"

    def __post_init__(self) -> None:
        if not 0 < self.charge_cents <= self.block_cents:
            raise ValueError("a charge is more than nothing and no more than its block")
        if self.maximum_cents is not None and self.maximum_cents <= 0:
            raise ValueError("a maximum is more than nothing; leave it out for none")

    def total(self, total_cents: int) -> int:
        """Return the rake of a hand whose pots hold `total_cents` together (H1.84, H1.85; A14: nothing of a part)."""
        return self._after(total_cents // self.block_cents)

    def charges(self, pots: Sequence[int]) -> Iterator[Charge]:
        """Yield the charges with the pot in which their blocks begin (H1.86), in the order of formation."""
        # Laid end to end, a pot reaches from `start` to before `end`: a block that begins exactly between two
        # pots begins in the later one (A15).
        ends = (0, *accumulate(pots))
        blocks = self._blocks_paying(ends[-1])
        # Only a charge that the maximum cuts is smaller than the others, and it is the last one.
        whole = blocks if self._after(blocks) == blocks * self.charge_cents else blocks - 1
        for index, (start, end) in enumerate(pairwise(ends)):
            first, until = (min(self._blocks_before(offset), blocks) for offset in (start, end))
            if (times := min(until, whole) - first) > 0:
                yield Charge(index, self.charge_cents, times)
            if first <= whole < until:
                yield Charge(index, self._after(blocks) - self._after(whole))

    def steps(self, *, up_to_cents: int) -> Iterator[tuple[int, int]]:
        """Yield (pot from which, rake), from (0, 0) up to the maximum or to a pot of `up_to_cents`."""
        rake = -1
        for pot in range(0, up_to_cents + 1, self.block_cents):
            if self.total(pot) == rake:
                return
            rake = self.total(pot)
            yield pot, rake

    def last_charge_above_cents(self, total_cents: int) -> int:
        """Return where the last block that is charged for begins; 0 too where none is."""
        return max(self._blocks_paying(total_cents) - 1, 0) * self.block_cents

    def maximum_from_cents(self) -> int | None:
        """Return the smallest pot that pays the maximum; None where there is no maximum."""
        if self.maximum_cents is None:
            return None
        return -(-self.maximum_cents // self.charge_cents) * self.block_cents

    def _after(self, blocks: int) -> int:
        due = blocks * self.charge_cents
        return due if self.maximum_cents is None else min(due, self.maximum_cents)

    def _blocks_paying(self, total_cents: int) -> int:
        """Return how many full blocks are charged for: those after the maximum is reached are not."""
        blocks = total_cents // self.block_cents
        return blocks if self.maximum_cents is None else min(blocks, -(-self.maximum_cents // self.charge_cents))

    def _blocks_before(self, offset: int) -> int:
        return -(-offset // self.block_cents)


# The other houses' ways (per cent with caps, tiers, fixed, time charge) join this union as dataclasses of their
# own, and `_POLICIES` by their kind.
RakePolicy: TypeAlias = StepRake
_POLICIES: dict[str, type[RakePolicy]] = {StepRake.kind: StepRake}


def rake_by_pot(pots: Sequence[int], *, policy: RakePolicy) -> tuple[int, ...]:
    """
    Return what to take from each pot, in the order the pots were formed.

    `pots` is main pot first, an uncalled excess already returned (A15). The result has one amount per pot, never
    more than that pot; a pot that cannot bear a charge passes it on to the next that can. A pot known only as "at
    least" so much, from the maximum upwards, pays the maximum.

    :raises ValueError: a pot is negative.
    Rules: H1.84-H1.87, A15.
    """
    return spread(policy.charges(pots), pots)


def total_rake(pots: Sequence[int], *, policy: RakePolicy) -> int:
    """
    Return the rake of the hand: all pots together count (H1.84), whichever of them pays.

    :raises ValueError: a pot is negative.
    """
    return sum(rake_by_pot(pots, policy=policy))


def side_pots_decide(total_cents: int, *, policy: RakePolicy) -> bool:
    """
    Say whether, for this total, the sizes of main and side pots decide which of them pays (H1.86).

    The first charge always begins in the main pot, so only a second one can fall elsewhere. (A main pot smaller
    than one charge would pass it on; no game's blinds make one.)
    """
    return main_pot_pays_all_above(total_cents, policy=policy) > 0


def main_pot_pays_all_above(total_cents: int, *, policy: RakePolicy) -> int:
    """
    Return the amount above which the main pot pays the whole rake of a hand of `total_cents`.

    0 while there is at most one charge. The tablet stops asking for side pots once the main pot is known to hold more.
    """
    return policy.last_charge_above_cents(total_cents)


def rake_ladder(policy: RakePolicy, *, up_to_cents: int) -> tuple[tuple[int, int], ...]:
    """
    Return the steps (pot from which, rake) that the tablet shows what to take by, without a connection.

    It begins with (0, 0): the rake of a pot is that of the last step not above it. It ends with the maximum if
    that is reached by `up_to_cents`.
    """
    return tuple(policy.steps(up_to_cents=up_to_cents))


def maximum_from_cents(policy: RakePolicy) -> int | None:
    """Return the smallest pot that pays the maximum, None where there is none: the tablet's key "maximum"."""
    return policy.maximum_from_cents()


def rake_to_dict(policy: RakePolicy) -> dict[str, Any]:
    """Return the policy as plain data for JSON, its kind with it."""
    return {"kind": policy.kind, **asdict(policy)}


def rake_from_dict(data: Mapping[str, Any]) -> RakePolicy:
    """
    Return the policy that `rake_to_dict` wrote.

    :raises ValueError: the kind or a field is unknown, a field is missing, or the values make no policy.
    """
    fields = dict(data)
    kind = fields.pop("kind", None)
    if kind not in _POLICIES:
        raise ValueError(f"unknown rake policy {kind!r}; known: {', '.join(_POLICIES)}")
    try:
        return _POLICIES[kind](**fields)
    except TypeError as error:
        raise ValueError(f"rake policy {kind!r}: {error}") from error
