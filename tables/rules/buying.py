"""Whether a purchase is within the game's limits, as a refusal that can be read aloud."""

from casino.poker.buyins import BuyInLimits, Outcome, ShortBuyIn, Stack, StackWord, decide_buy_in
from tables.errors import BuyInOverMaximum, BuyInUnderMinimum, StackNeeded


def quick_amounts(limits: BuyInLimits, *, usual_big_blinds: int) -> tuple[int, ...]:
    """
    Return the buy-ins that are one tap away, in cents, smallest first: the minimum, the usual one and the maximum.

    The usual one is so many big blinds, and not outside the game's limits; without a maximum there are two at most.
    """
    least, most = limits.min_cents, limits.max_cents
    usual = max(usual_big_blinds * limits.big_blind_cents, least)
    return tuple(sorted({least, usual} if most is None else {least, min(usual, most), most}))


def stack_from(stack: int | str | None) -> Stack:
    """
    Return a stack as somebody said it: cents counted, "under_blind", "full", or None.

    :raises ValueError: another word.
    """
    return StackWord(stack) if isinstance(stack, str) else stack


def check_purchase(
    limits: BuyInLimits, *, amount_cents: int, stack: Stack, is_first: bool, short: ShortBuyIn = ShortBuyIn.NOT_OFFERED
) -> bool:
    """
    Let a purchase pass that the game allows, and say whether it is the evening's short buy-in (H1.62, H2.14-H2.21).

    :raises BuyInUnderMinimum: a new player, or one out of chips, asks for less than the minimum.
    :raises BuyInOverMaximum: the stack would pass the maximum.
    :raises StackNeeded: the answer hangs on a stack that nobody has looked at.
    """
    decision = decide_buy_in(amount_cents, limits=limits, stack=stack, is_first=is_first, short=short)
    if decision.outcome is Outcome.ALLOWED:
        return decision.is_short
    if decision.outcome is Outcome.STACK_NEEDED:
        raise StackNeeded(reason=decision.why)
    if decision.most_cents is not None and amount_cents > decision.most_cents:
        raise BuyInOverMaximum(maximum_cents=decision.most_cents, asked_cents=amount_cents, reason=decision.why)
    raise BuyInUnderMinimum(minimum_cents=decision.least_cents, asked_cents=amount_cents, reason=decision.why)
