"""Who wins a promotion, and what: pure decisions, amounts in cents."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from casino import chance
from casino.poker.ranking import RankedHand, Worth
from casino.rulebooks.jackpots import LeastHand
from casino.rulebooks.promotions import Moments, Ties


@dataclass(frozen=True)
class Shown:
    """A hand that was shown and stands: the id of its row, whose it is, what it is worth, and when it was shown."""

    id: int
    player_id: int
    worth: Worth
    at: datetime


def qualifies(hand: RankedHand, least: LeastHand) -> bool:
    """Return whether a hand takes part: it is as good as the least one, and plays as many own cards."""
    return hand.worth >= least.least and len(hand.own) >= least.own_cards_min


def winners(hands: Iterable[Shown], *, ties: Ties) -> tuple[Shown, ...]:
    """
    Return the best hands, in the order in which they were shown; of one player the first alone.

    Where the first of equal hands wins there is one, where they share there may be more; none where nobody showed any.
    """
    ranked = sorted(hands, key=lambda hand: (hand.at, hand.id))
    best = max((hand.worth for hand in ranked), default=None)
    by_player: dict[int, Shown] = {}
    for hand in ranked:
        if hand.worth == best:
            by_player.setdefault(hand.player_id, hand)
    leaders = tuple(by_player.values())
    return leaders if ties is Ties.SHARED else leaders[:1]


def shares(amount_cents: int, number: int, *, coin_cents: int) -> tuple[int, int]:
    """Return what each of so many winners gets, rounded down to the smallest coin, and what that leaves to the fund."""
    each = amount_cents // number // coin_cents * coin_cents
    return each, amount_cents - each * number


def splash_moments(
    seed: str, *, begins_at: datetime, ends_at: datetime, number: int, moments: Moments
) -> tuple[datetime, ...]:
    """
    Return when pots are splashed in a period, in order: to the second, after its beginning and before its end.

    Drawn, each is so many seconds after the beginning as the seed draws for "moment 1", "moment 2" and so on; two may
    fall together. By the clock they part the period evenly.
    """
    seconds = int((ends_at - begins_at).total_seconds())
    if moments is Moments.TIMED:
        after = [seconds * each // (number + 1) for each in range(1, number + 1)]
    else:
        after = sorted(chance.number(seed, f"moment {each}", seconds) for each in range(1, number + 1))
    return tuple(begins_at + timedelta(seconds=each) for each in after)


def splashed_table(seed: str, *, splash: int, tables: Sequence[int]) -> int:
    """Return the number of the table that the seed draws for the splash of that number, among these in their order."""
    return tables[chance.number(seed, f"table {splash}", len(tables))]
