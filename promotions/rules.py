"""Who wins a promotion, and what: pure decisions, amounts in cents."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from casino.poker.ranking import RankedHand, Worth
from casino.rulebooks.jackpots import LeastHand
from casino.rulebooks.promotions import Ties


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
    found = tuple(by_player.values())
    return found if ties is Ties.SHARED else found[:1]


def shares(amount_cents: int, number: int) -> tuple[int, int]:
    """Return what each of so many winners gets, rounded down to the cent, and what that leaves to the fund."""
    each = amount_cents // number
    return each, amount_cents - each * number
