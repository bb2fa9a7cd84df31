"""What leaves the pots of a hand for the house and the jackpot, and what is pushed to the winners."""

from collections.abc import Sequence
from dataclasses import dataclass

from casino.poker.charges import Charge, spread
from casino.poker.drop import DropPolicy, drop_by_pot, drop_due
from casino.poker.rake import RakePolicy, rake_by_pot


@dataclass(frozen=True)
class Settlement:
    """Amounts in cents; each `by_pot` has one per pot, main pot first. Rake, drop and push add up to each pot."""

    pots: tuple[int, ...]
    rake_by_pot: tuple[int, ...]
    drop_by_pot: tuple[int, ...]
    push_by_pot: tuple[int, ...]

    @property
    def rake_cents(self) -> int:
        return sum(self.rake_by_pot)

    @property
    def drop_cents(self) -> int:
        return sum(self.drop_by_pot)

    @property
    def push_cents(self) -> int:
        return sum(self.push_by_pot)

    def taking(self, *, rake_cents: int, drop_cents: int) -> "Settlement":
        """
        Return it with what was really taken in place of what was due, so that it still adds up to each pot.

        What is lacking, lacks in the pots that were to pay last; what is too much came out of the main pot, or of the
        next that can bear it (H1.85, A15). More than the pots hold is taken from none of them.
        """
        rakes = _taken(self.rake_by_pot, self.pots, rake_cents)
        raked = [pot - taken for pot, taken in zip(self.pots, rakes, strict=True)]
        drops = _taken(self.drop_by_pot, raked, drop_cents)
        pushes = tuple(pot - taken for pot, taken in zip(raked, drops, strict=True))
        return Settlement(self.pots, rakes, drops, pushes)


def _taken(due_by_pot: Sequence[int], pots: Sequence[int], cents: int) -> tuple[int, ...]:
    left, kept = cents, []
    for due, pot in zip(due_by_pot, pots, strict=True):
        kept.append(min(due, pot, left))
        left -= kept[-1]
    rest = [pot - each for pot, each in zip(pots, kept, strict=True)]
    more = spread([Charge(0, left)] if left else [], rest)
    return tuple(each + extra for each, extra in zip(kept, more, strict=True))


def settle(
    *,
    pots: Sequence[int],
    participants: int,
    beyond_initial_deal: bool,
    rake: RakePolicy | None,
    drop: DropPolicy | None,
) -> Settlement:
    """
    Return who gets what of a hand's pots.

    `pots` are cents, main pot first, an uncalled excess already returned. `rake` is None where none is taken from
    pots (a time charge, H1.91), `drop` where the table has no jackpot. The rake is computed on the full pots and
    the drop comes out of what it leaves (A16). Nothing is due if no card came after the initial deal (H1.90), unless
    the house's rake says so (RA8).

    :raises ValueError: a pot is negative.
    Rules: H1.82-H1.90, H7.16, U93, U95, RA8.
    """
    nothing = (0,) * len(pots)
    is_due = rake is not None and (beyond_initial_deal or rake.is_due_without_flop)
    rakes = rake_by_pot(pots, way=rake.at(participants)) if rake is not None and is_due else nothing
    raked = [pot - taken for pot, taken in zip(pots, rakes, strict=True)]
    due = drop_due(participants=participants, beyond_initial_deal=beyond_initial_deal, policy=drop)
    drops = drop_by_pot(raked, due_cents=due)
    pushes = tuple(pot - taken for pot, taken in zip(raked, drops, strict=True))
    return Settlement(tuple(pots), rakes, drops, pushes)
