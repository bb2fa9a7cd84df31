"""
How much a player may buy (H1.62, H2.14-H2.17, A6-A8), and the short buy-in (H2.19-H2.21, A23).

A stack is a count or a word, never a derived figure: where the answer hangs on a stack that nobody has looked at,
the decision is to ask for it.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class StackWord(StrEnum):
    """A stack as seen without counting it."""

    UNDER_BLIND = "under_blind"  # less than one big blind
    FULL = "full"  # at the maximum buy-in or above


# Cents counted, a word, or None where nobody has looked.
Stack: TypeAlias = int | StackWord | None


class BelowBlind(StrEnum):
    """What a stack above nothing but below one big blind means (A7)."""

    OUT_OF_CHIPS = "out_of_chips"  # the next purchase is at least the minimum buy-in
    TOPS_UP = "tops_up"  # any amount, as with more


class MinimumLimits(StrEnum):
    """What the minimum buy-in limits (A8)."""

    PURCHASE = "purchase"
    STACK = "stack"  # the stack after it


class ShortBuyIn(StrEnum):
    """Whether a player out of chips may buy less than the minimum, once an evening (H2.19-H2.21)."""

    NOT_OFFERED = "not_offered"  # this game has none
    OPEN = "open"
    USED = "used"  # the next purchase is at least the minimum (H2.21)


@dataclass(frozen=True)
class BuyInLimits:
    """
    A game's limits in cents; `max_cents` is None without a maximum. `short_min_cents` is the least of a short buy-in, 0
    where the game has none (H2.19, H2.20).

    :raises ValueError: minimum or big blind is not positive, or maximum and short buy-in lie on the wrong side of it.
    """

    min_cents: int
    max_cents: int | None
    big_blind_cents: int
    below_blind: BelowBlind = BelowBlind.OUT_OF_CHIPS
    minimum_limits: MinimumLimits = MinimumLimits.PURCHASE
    short_min_cents: int = 0

    def __post_init__(self) -> None:
        if self.min_cents <= 0 or self.big_blind_cents <= 0:
            raise ValueError("minimum buy-in and big blind are more than nothing")
        if self.max_cents is not None and self.max_cents < self.min_cents:
            raise ValueError("the maximum buy-in is below the minimum")
        if not 0 <= self.short_min_cents <= self.min_cents:
            raise ValueError("the least short buy-in is above the minimum")


class Why(StrEnum):
    """What refuses a purchase, or asks for the stack."""

    FIRST = "buy_in_first"  # a new player buys at least the minimum (H2.14)
    OUT_OF_CHIPS = "buy_in_out_of_chips"  # so does who has none left (H2.15)
    BELOW_BLIND = "buy_in_below_blind"  # and who has less than a blind (H1.62)
    SHORT = "buy_in_short"  # a short buy-in has a least, too (H2.20)
    SHORT_USED = "buy_in_short_used"  # and once an evening (H2.21)
    OVER_MAXIMUM = "buy_in_over_maximum"  # H2.17
    TOP_UP_NEEDS_STACK = "stack_needed_to_top_up"  # H2.16
    MAXIMUM_NEEDS_STACK = "stack_needed"  # H2.17


class Outcome(StrEnum):
    ALLOWED = "allowed"
    REFUSED = "refused"
    STACK_NEEDED = "stack_needed"


@dataclass(frozen=True)
class BuyInDecision:
    """
    The answer to one purchase. `why` is what refuses it or asks for the stack, None when allowed;
    `least_cents` and `most_cents` are what would be allowed (None: no most), both 0 where nothing is, and
    for an unknown stack the widest that it could be. `is_short`: allowed as the evening's short buy-in (H2.19).
    """

    outcome: Outcome
    least_cents: int
    most_cents: int | None
    why: Why | None = None
    is_short: bool = False


def decide_buy_in(
    amount_cents: int,
    *,
    limits: BuyInLimits,
    stack: Stack,
    is_first: bool = False,
    short: ShortBuyIn = ShortBuyIn.NOT_OFFERED,
) -> BuyInDecision:
    """
    Return whether a player with `stack` on the table may buy `amount_cents`.

    `is_first`: a new player at this game, whose stack is what was brought along, most often 0. `short` is how it stands
    with the evening's short buy-in, which is for who is out of chips. Whether the chips play in this hand or from the
    next is not asked here (H1.1, H1.60).

    :raises ValueError: the amount is not positive or the stack negative.
    Rules: H1.62, H2.14 (first), H2.15 (out of chips), H2.16 (top-up), H2.17 (maximum), H2.19-H2.21 (short), A6-A8.
    """
    if amount_cents <= 0 or (isinstance(stack, int) and stack < 0):
        raise ValueError("a purchase is more than nothing and a stack at least nothing")
    if stack is None:
        return _without_a_stack(amount_cents, limits=limits)
    least, most = _range(limits, stack)
    if most is not None and amount_cents > most:
        return BuyInDecision(Outcome.REFUSED, least, most, why=Why.OVER_MAXIMUM)
    # The first purchase is none (H2.20), and a stack of a blind or more tops up by any amount.
    is_short = amount_cents < least and short is ShortBuyIn.OPEN and not is_first
    if is_short:
        least = min(least, limits.short_min_cents)
    if amount_cents < least:
        why = Why.SHORT if is_short else _under_minimum(stack, is_first=is_first, short=short)
        return BuyInDecision(Outcome.REFUSED, least, most, why=why)
    return BuyInDecision(Outcome.ALLOWED, least, most, is_short=is_short)


def _without_a_stack(amount_cents: int, *, limits: BuyInLimits) -> BuyInDecision:
    """Return what holds for every stack, else ask for it."""
    least, most = 1, limits.max_cents
    if most is not None and amount_cents > most:
        return BuyInDecision(Outcome.REFUSED, least, most, why=Why.OVER_MAXIMUM)
    if most is None and amount_cents >= limits.min_cents:
        return BuyInDecision(Outcome.ALLOWED, least, most)
    why = Why.TOP_UP_NEEDS_STACK if most is None else Why.MAXIMUM_NEEDS_STACK
    return BuyInDecision(Outcome.STACK_NEEDED, least, most, why=why)


def _range(limits: BuyInLimits, stack: int | StackWord) -> tuple[int, int | None]:
    # Under a blind, uncounted, is taken as nothing: what it hides is less than the game's smallest bet.
    cents = stack if isinstance(stack, int) else 0
    is_short = stack is StackWord.UNDER_BLIND or (isinstance(stack, int) and cents < limits.big_blind_cents)
    if stack is StackWord.FULL:
        most = None if limits.max_cents is None else 0
    else:
        most = None if limits.max_cents is None else max(0, limits.max_cents - cents)
    least = _minimum(limits, cents) if is_short else 1
    # Where minimum and maximum leave a stack under a blind no amount at all, it may be filled up to the maximum:
    # the player would otherwise have to lose the rest before playing on.
    return (least if most is None else min(least, most)), most


def _minimum(limits: BuyInLimits, stack_cents: int) -> int:
    if stack_cents > 0 and limits.below_blind is BelowBlind.TOPS_UP:
        return 1
    if limits.minimum_limits is MinimumLimits.STACK:
        return max(1, limits.min_cents - stack_cents)
    return limits.min_cents


def _under_minimum(stack: int | StackWord, *, is_first: bool, short: ShortBuyIn) -> Why:
    if is_first:
        return Why.FIRST
    if short is ShortBuyIn.USED:
        return Why.SHORT_USED
    return Why.OUT_OF_CHIPS if stack == 0 else Why.BELOW_BLIND
