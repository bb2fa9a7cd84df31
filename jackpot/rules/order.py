"""Which of two jackpots was hit first, and from which sum each is paid (H7.14, H7.15, A-H7.7)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from jackpot.rules.payout import Base, Payout, base_after


class SameMoment(ValueError):
    """Two were hit in the same moment: no rule says which is paid first, and a person decides."""


@dataclass(frozen=True)
class Hit:
    """A jackpot that was hit: the table's name, when, and what it pays of a sum."""

    table: str
    at: datetime
    pays: Callable[[int], Payout]


def hit_at(*, winning_shown_at: datetime, losing_shown_at: datetime, last_card_at: datetime) -> datetime:
    """
    Return when a jackpot was hit: both triggering hands are seen and no card is left to come.

    At a showdown that is when the later of the two hands is shown; where they were shown before (all-in), when the last
    card is dealt: the river, or without community cards the last card of the hand.

    Rules: H7.14, H7.15.
    """
    return max(winning_shown_at, losing_shown_at, last_card_at)


def pay_in_order(hits: Sequence[Hit], *, sum_cents: int, seed_cents: int) -> tuple[tuple[Hit, Payout, Base], ...]:
    """
    Return each hit with its payout and the base after it, the earliest first.

    The later is paid from the base that the earlier left, what the house adds to it included (A-H7.7).

    :raises SameMoment: two were hit at once.
    """
    if len({hit.at for hit in hits}) < len(hits):
        raise SameMoment
    paid: list[tuple[Hit, Payout, Base]] = []
    for hit in sorted(hits, key=lambda each: each.at):
        payout = hit.pays(sum_cents)
        base = base_after(payout.stays_cents, seed_cents=seed_cents)
        paid.append((hit, payout, base))
        sum_cents = base.base_cents
    return tuple(paid)
