"""What follows from a hand as it was logged and the table as it was: decided first, written afterwards."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from casino.poker.charged_pots import ChargePolicy, charge_pots
from tables.rules.logged import LoggedHand


@dataclass(frozen=True)
class SettledCharge:
    """
    What was due of one kind of charge and what was taken, in cents.

    `by_pot` is what each pot paid of `taken_cents`, main pot first; empty where none paid, or nobody knows the pots.
    """

    kind: str
    due_cents: int = 0
    taken_cents: int = 0
    by_pot: tuple[int, ...] = ()


@dataclass(frozen=True)
class HandSettlement:
    """
    What a hand was charged, every kind there is in the order in which they are taken, and what is pushed of each pot.

    `push_by_pot` is what was really taken less, in cents; empty where the hand was won in the initial deal, or went
    beyond it and nobody says how large its pots were.
    """

    charges: tuple[SettledCharge, ...]
    push_by_pot: tuple[int, ...] = ()

    @property
    def differs(self) -> bool:
        """Say whether something else was taken than was due."""
        return any(charge.taken_cents != charge.due_cents for charge in self.charges)

    def taken(self) -> dict[str, int]:
        """Return what was taken of each kind, in cents, also of those that took nothing."""
        return {charge.kind: charge.taken_cents for charge in self.charges}

    def due(self) -> dict[str, int]:
        """Return what was due of each kind, as `taken`."""
        return {charge.kind: charge.due_cents for charge in self.charges}


@dataclass(frozen=True)
class SettledHand:
    """
    How a hand ended: all that its own row, its pots and its charges say of it.

    `at` is when it counts as settled, `beyond_initial_deal_at` when it went beyond the initial deal, as far as anybody
    said. `pots` are each pot's cents and the seats that shared it, main pot first: none of a hand that nobody logged.
    They and `pot_cents` are None where nobody counted.
    """

    settlement: HandSettlement
    at: datetime
    is_beyond_initial_deal: bool
    beyond_initial_deal_at: datetime | None
    pot_cents: int | None = None
    pot_is_at_least: bool = False
    pots: tuple[tuple[int | None, tuple[int, ...]], ...] = ()

    @classmethod
    def logged(
        cls, hand: LoggedHand, settlement: HandSettlement, *, at: datetime, beyond_initial_deal_at: datetime | None
    ) -> Self:
        """Return how a logged hand ended; `beyond_initial_deal_at` is what was known of it before."""
        is_beyond = hand.is_beyond_initial_deal
        if is_beyond and beyond_initial_deal_at is None:
            beyond_initial_deal_at = hand.beyond_initial_deal_at or at
        pots = tuple((cents, hand.winners_of(index)) for index, cents in enumerate(hand.pots or (None,)))
        return cls(settlement, at, is_beyond, beyond_initial_deal_at, hand.pot_cents, hand.pot_is_at_least, pots)

    @classmethod
    def supplied(
        cls,
        settlement: HandSettlement,
        *,
        at: datetime,
        beyond_initial_deal_at: datetime | None,
        pot_cents: int | None = None,
    ) -> Self:
        """Return how a hand ended that nobody logged: something was taken or counted only beyond the initial deal."""
        is_beyond = any(settlement.taken().values()) or bool(pot_cents) or beyond_initial_deal_at is not None
        return cls(settlement, at, is_beyond, beyond_initial_deal_at, pot_cents)


def settlement_of(
    hand: LoggedHand, *, participants: int, policies: Mapping[str, ChargePolicy], kinds: Sequence[str]
) -> HandSettlement:
    """
    Return what was due and what was taken of a hand.

    `participants` were dealt in as the log has it; what the hand says itself counts more. `policies` are the game's, by
    kind; `kinds` are all that there are, for chips may lie in the box of one that the game does not charge. Where the
    house takes its rake without a flop too (RA8), a pot is typed and settled also then.

    Rules: H1.82-H1.90, R-§28.
    """
    participants, is_beyond = len(hand.dealt_in) or participants, hand.is_beyond_initial_deal
    if not hand.pots:
        unseen = {
            kind: policy.due_of_unknown_pot(participants=participants, beyond_initial_deal=is_beyond)
            for kind, policy in policies.items()
        }
        return HandSettlement(tuple(_charged(hand, kind, unseen.get(kind, 0)) for kind in kinds))
    due = charge_pots(pots=hand.pots, participants=participants, beyond_initial_deal=is_beyond, charges=policies)
    taking = due.taking({kind: hand.taken.get(kind, due.of(kind)) for kind in kinds})
    charges = (_charged(hand, kind, due.of(kind), taking.by_pot[kind]) for kind in kinds)
    return HandSettlement(tuple(charges), taking.push_by_pot)


def _charged(hand: LoggedHand, kind: str, due_cents: int, by_pot: tuple[int, ...] = ()) -> SettledCharge:
    return SettledCharge(kind, due_cents, hand.taken.get(kind, due_cents), by_pot if any(by_pot) else ())


def supplied(taken: Mapping[str, int], kinds: Sequence[str]) -> HandSettlement:
    """Return the charges of a hand that nobody logged, of which only what was taken is known, in cents by kind."""
    return HandSettlement(tuple(SettledCharge(kind, cents, cents) for kind in kinds for cents in [taken.get(kind, 0)]))


def to_judge(
    hand: LoggedHand,
    *,
    dealt_in: Collection[int],
    policies: Mapping[str, ChargePolicy],
    is_every_pot_typed: bool,
    in_play_cents: int | None,
) -> list[str]:
    """
    Return codes for what of a settled hand the floor has to judge.

    `dealt_in` are the seats that were, as the log has them; `in_play_cents` is what lay in play when the hand was
    played, None where that cannot be told or need not be asked.
    """
    reasons = []
    if not {seat for seats in hand.winners for seat in seats} <= set(dealt_in):
        reasons.append("winner_not_dealt_in")
    if hand.is_beyond_initial_deal and not hand.pots:
        reasons.append("pot_missing")
    elif not hand.pots and is_every_pot_typed:
        reasons.append("pot_missing_no_flop")
    if hand.pot_is_at_least and _is_more_due(hand, policies, participants=len(hand.dealt_in) or len(dealt_in)):
        reasons.append("pot_at_least_below_maximum")
    if in_play_cents is not None and sum(hand.pots) > in_play_cents:
        reasons.append("pot_above_play")
    return reasons


def _is_more_due(hand: LoggedHand, policies: Mapping[str, ChargePolicy], *, participants: int) -> bool:
    """Say whether more would be due of larger pots than those that were told."""
    return bool(hand.pots) and any(
        policy.is_more_due_above(
            sum(hand.pots), participants=participants, beyond_initial_deal=hand.is_beyond_initial_deal
        )
        for policy in policies.values()
    )
