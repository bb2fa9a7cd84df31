"""What leaves the pots of a hand, charge by charge, and what is pushed to the winners."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from casino.poker.charges import Charge, spread


class ChargePolicy(Protocol):
    """
    How a house charges hands: a rake, a jackpot's drop, a promotion. Amounts are cents.

    `is_due_without_flop`: a hand that ends in the initial deal pays too, so every pot is typed (RA8).
    """

    @property
    def is_due_without_flop(self) -> bool: ...

    def due_by_pot(self, pots: Sequence[int], *, participants: int, beyond_initial_deal: bool) -> tuple[int, ...]:
        """Return what each pot pays, never more than it holds; `pots` are what the charges before this one left."""
        ...

    def due_of_unknown_pot(self, *, participants: int, beyond_initial_deal: bool) -> int:
        """Return what is due of a hand although nobody says how large its pot was."""
        ...

    def is_more_due_above(self, cents: int, *, participants: int, beyond_initial_deal: bool) -> bool:
        """Say whether a hand pays more where all its pots hold more than this together."""
        ...


@dataclass(frozen=True)
class ChargedPots:
    """
    Amounts in cents; each `by_pot` has one per pot, main pot first.

    `by_pot` has what each kind of charge takes, in the order in which they are taken. Together with the push they
    add up to each pot.
    """

    pots: tuple[int, ...]
    by_pot: Mapping[str, tuple[int, ...]]
    push_by_pot: tuple[int, ...]

    def of(self, kind: str) -> int:
        """Return what the whole hand pays of one kind of charge, 0 where it is not charged."""
        return sum(self.by_pot.get(kind, ()))

    @property
    def push_cents(self) -> int:
        return sum(self.push_by_pot)

    def taking(self, taken: Mapping[str, int]) -> "ChargedPots":
        """
        Return it with what was really taken in place of what was due, so that it still adds up to each pot.

        `taken` is by kind, in the order of charges. What is lacking, lacks in the pots that were to pay last; what is
        too much came out of the main pot, or of the next that can bear it (H1.85, A15). More than the pots hold is
        taken from none of them.
        """
        left, by_pot = self.pots, {}
        for kind, cents in taken.items():
            by_pot[kind] = _taken(self.by_pot.get(kind, (0,) * len(left)), left, cents)
            left = tuple(pot - each for pot, each in zip(left, by_pot[kind], strict=True))
        return ChargedPots(self.pots, by_pot, left)


def _taken(due_by_pot: Sequence[int], pots: Sequence[int], cents: int) -> tuple[int, ...]:
    left, kept = cents, []
    for due, pot in zip(due_by_pot, pots, strict=True):
        kept.append(min(due, pot, left))
        left -= kept[-1]
    rest = [pot - each for pot, each in zip(pots, kept, strict=True)]
    more = spread([Charge(0, left)] if left else [], rest)
    return tuple(each + extra for each, extra in zip(kept, more, strict=True))


def charge_pots(
    *, pots: Sequence[int], participants: int, beyond_initial_deal: bool, charges: Mapping[str, ChargePolicy]
) -> ChargedPots:
    """
    Return who gets what of a hand's pots.

    `pots` are cents, main pot first, an uncalled excess already returned. `charges` are by kind, in the order in which
    they are taken: the rake is computed on the full pots, the drop comes out of what it leaves (A16).

    :raises ValueError: a pot is negative.
    Rules: H1.82-H1.91, H7.16, U93, U95, RA8.
    """
    if any(pot < 0 for pot in pots):
        raise ValueError(f"a pot is negative: {list(pots)}")
    left = tuple(pots)
    due = {}
    for kind, policy in charges.items():
        due[kind] = policy.due_by_pot(left, participants=participants, beyond_initial_deal=beyond_initial_deal)
        left = tuple(pot - taken for pot, taken in zip(left, due[kind], strict=True))
    return ChargedPots(tuple(pots), due, left)
