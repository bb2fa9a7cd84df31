"""Whether a purchase is within the game's limits, as a refusal that can be read aloud."""

from typing import Protocol

from casino.poker.buyins import BuyInLimits, Outcome, ShortBuyIn, Stack, StackWord, decide_buy_in
from casino.rulebooks.schema import Settings
from tables.errors import BuyInOverMaximum, BuyInUnderMinimum, StackNeeded


class Limits(Protocol):
    """A game's limits, in cents."""

    buy_in_min_cents: int
    buy_in_max_cents: int | None
    big_blind_cents: int


def stack_from(said: int | str | None) -> Stack:
    """
    Return a stack as somebody said it: cents counted, "under_blind", "full", or None.

    :raises ValueError: another word.
    """
    return StackWord(said) if isinstance(said, str) else said


def limits_of(game: Limits, settings: Settings) -> BuyInLimits:
    """Return what may be bought at a game, by the house's readings (A7, A8)."""
    return BuyInLimits(
        min_cents=game.buy_in_min_cents,
        max_cents=game.buy_in_max_cents,
        big_blind_cents=game.big_blind_cents,
        below_blind=settings.stack_below_big_blind,
        minimum_limits=settings.buy_in_minimum_limits,
    )


def check_purchase(
    limits: BuyInLimits, *, asked_cents: int, stack: Stack, is_first: bool, short: ShortBuyIn = ShortBuyIn.NOT_OFFERED
) -> bool:
    """
    Let a purchase pass that the game allows, and say whether it is the evening's short buy-in (H1.62, H2.14-H2.21).

    :raises BuyInUnderMinimum: a new player, or one out of chips, asks for less than the minimum.
    :raises BuyInOverMaximum: the stack would pass the maximum.
    :raises StackNeeded: the answer hangs on a stack that nobody has looked at.
    """
    decision = decide_buy_in(asked_cents, limits=limits, stack=stack, is_first=is_first, short=short)
    if decision.outcome is Outcome.ALLOWED:
        return decision.is_short
    if decision.outcome is Outcome.STACK_NEEDED:
        raise StackNeeded(reason=decision.why)
    if decision.most_cents is not None and asked_cents > decision.most_cents:
        raise BuyInOverMaximum(maximum_cents=decision.most_cents, asked_cents=asked_cents, reason=decision.why)
    raise BuyInUnderMinimum(minimum_cents=decision.least_cents, asked_cents=asked_cents, reason=decision.why)
