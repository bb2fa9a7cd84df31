"""
The ways in which houses reckon their rake (L-P17-L-P20, H1.85, U92-U95, R-§28).

Each is data with a `kind`, a `total` for all pots of a hand together, the `charges` that say which pot pays it, and the
pot from which the maximum is reached. All amounts are cents. `casino.poker.rake` works with any of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import ClassVar

from casino.poker.charges import Charge


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
        _check_maximum(self.maximum_cents)

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


@dataclass(frozen=True)
class ShareRake:
    """
    A share of all pots together, a fixed sum, or both (L-P18-L-P20); the main pot pays it (UA19).

    `rate_bp` are hundredths of a per cent. The share is rounded to the nearest cent, half a cent up (U94, UA19), the
    fixed sum added, and the whole rounded down to `chip_cents`, the smallest chip that it is taken in. It is
    `minimum_cents` at least and `maximum_cents` at most, None for no maximum. Pots that hold less pay nothing.

    :raises ValueError: neither a share nor a fixed sum, one of them negative, a share above the whole, a minimum
        above the maximum, or minimum or maximum no multiple of the chip.
    """

    rate_bp: int = 0
    fixed_cents: int = 0
    minimum_cents: int = 0
    maximum_cents: int | None = None
    chip_cents: int = 1
    kind: ClassVar[str] = "share"

    def __post_init__(self) -> None:
        if min(self.rate_bp, self.fixed_cents, self.minimum_cents) < 0 or self.rate_bp + self.fixed_cents == 0:
            raise ValueError("a rake is a share, a fixed sum or both")
        if self.rate_bp > 100_00:
            raise ValueError("a share is no more than the whole")
        if self.chip_cents <= 0:
            raise ValueError("a chip is worth something")
        _check_maximum(self.maximum_cents)
        if self.maximum_cents is not None and self.minimum_cents > self.maximum_cents:
            raise ValueError("the minimum is above the maximum")
        if self.minimum_cents % self.chip_cents or (self.maximum_cents or 0) % self.chip_cents:
            raise ValueError("minimum and maximum are paid in chips of chip_cents")

    def total(self, total_cents: int) -> int:
        """Return the rake of a hand whose pots hold `total_cents` together; 0 where they hold less than it."""
        share = (total_cents * self.rate_bp + 50_00) // 100_00
        due = share + self.fixed_cents
        due = max(due - due % self.chip_cents, self.minimum_cents)
        if self.maximum_cents is not None:
            due = min(due, self.maximum_cents)
        return due if due <= total_cents else 0

    def charges(self, pots: Sequence[int]) -> Iterator[Charge]:
        """Yield the one charge, on the main pot (UA19)."""
        yield from _on_the_main_pot(self.total(sum(pots)))

    def maximum_from_cents(self) -> int | None:
        """Return the smallest pot that pays the maximum; None where there is none, or where no share grows up to it."""
        if self.maximum_cents is None:
            return None
        lacking = self.maximum_cents - self.fixed_cents
        if lacking <= 0 or self.minimum_cents == self.maximum_cents:
            return self.maximum_cents
        if self.rate_bp == 0:
            return None
        return max(-(-(lacking * 100_00 - 50_00) // self.rate_bp), self.maximum_cents)


@dataclass(frozen=True)
class TierRake:
    """
    A fixed amount by the size of all pots together: 20 up to 1,000, 30 up to 2,000, and so on (R-§28).

    `tiers` are (pot from which, rake), both rising, beginning with a pot of 0. The main pot pays; pots that hold less
    than their rake pay nothing.

    :raises ValueError: no tier, the first does not begin with 0, they do not rise, or one takes more than its pot.
    """

    tiers: tuple[tuple[int, int], ...]
    kind: ClassVar[str] = "tiers"

    def __post_init__(self) -> None:
        # JSON and TOML know lists only; policies are compared and hashed.
        object.__setattr__(self, "tiers", tuple((pot, rake) for pot, rake in self.tiers))
        if not self.tiers or self.tiers[0][0] != 0 or self.tiers[0][1] < 0:
            raise ValueError("the first tier begins with a pot of 0")
        if any(not (before[0] < after[0] and before[1] < after[1]) for before, after in pairwise(self.tiers)):
            raise ValueError("tiers rise, in pot and in rake")
        if any(rake > pot for pot, rake in self.tiers[1:]):
            raise ValueError("a tier takes no more than its pot")

    def total(self, total_cents: int) -> int:
        """Return the rake of a hand whose pots hold `total_cents` together; 0 where they hold less than it."""
        due = next(rake for pot, rake in reversed(self.tiers) if pot <= total_cents)
        return due if due <= total_cents else 0

    def charges(self, pots: Sequence[int]) -> Iterator[Charge]:
        """Yield the one charge, on the main pot."""
        yield from _on_the_main_pot(self.total(sum(pots)))

    def maximum_from_cents(self) -> int:
        """Return the smallest pot that pays the last tier."""
        return max(self.tiers[-1])


def _on_the_main_pot(due_cents: int) -> Iterator[Charge]:
    if due_cents:
        yield Charge(0, due_cents)


def _check_maximum(maximum_cents: int | None) -> None:
    if maximum_cents is not None and maximum_cents <= 0:
        raise ValueError("a maximum is more than nothing; leave it out for none")
