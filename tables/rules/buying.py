"""Whether a purchase is within the game's limits, as a refusal that can be read aloud."""

from typing import Protocol

from casino.poker.buyins import BuyInLimits, Outcome, Stack, StackWord, decide_buy_in
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


def check_purchase(game: Limits, *, asked_cents: int, stack: Stack, is_first: bool) -> None:
    """
    Let a purchase pass that the game allows (H1.62, H2.14-H2.17).

    :raises BuyInUnderMinimum: a new player, or one out of chips, asks for less than the minimum.
    :raises BuyInOverMaximum: the stack would pass the maximum.
    :raises StackNeeded: the answer hangs on a stack that nobody has looked at.
    """
    limits = BuyInLimits(
        min_cents=game.buy_in_min_cents, max_cents=game.buy_in_max_cents, big_blind_cents=game.big_blind_cents
    )
    decision = decide_buy_in(asked_cents, limits=limits, stack=stack, is_first=is_first)
    if decision.outcome is Outcome.ALLOWED:
        return
    if decision.outcome is Outcome.STACK_NEEDED:
        raise StackNeeded(clause=decision.clause)
    if decision.most_cents is not None and asked_cents > decision.most_cents:
        raise BuyInOverMaximum(maximum_cents=decision.most_cents, asked_cents=asked_cents, clause=decision.clause)
    raise BuyInUnderMinimum(minimum_cents=decision.least_cents, asked_cents=asked_cents, clause=decision.clause)
