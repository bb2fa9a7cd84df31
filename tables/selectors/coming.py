"""The hands to come at a table, as its tablet is told them, and into which of them a newcomer is dealt by posting."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from casino.poker.blinds import hands_ahead
from casino.poker.missed import Missed
from casino.poker.positions import Entry, NextHand, Occupant
from tables.models import Hand, Opening, Seating
from tables.rules.in_turn import InTurn
from tables.selectors.next_hand import next_hands_at

# Who posts comes in with the next hand, or with the one after it (A41).
JOINS_WITHIN = 3


@dataclass(frozen=True)
class Coming:
    """What the hands hang on that come after the one in progress, or from now on while there is none."""

    opening: Opening
    hand: Hand | None
    players: dict[int, int]
    occupants: tuple[Occupant, ...]

    def hands(self, occupants: Sequence[Occupant], *, count: int) -> tuple[NextHand, ...]:
        """Return the next `count` hands as the rules have them, were these the occupants."""
        last = self.hand.as_last(self.players) if self.hand else None
        if last is None:
            return next_hands_at(self.opening, occupants, count=count)
        return hands_ahead(occupants, last, count=count, terms=self.opening.terms.blinds)

    def joins(self, seating: Seating) -> int | None:
        """
        Return which of them a player is dealt into by posting now, with chips: 0 is the next one; None is none of the
        next ones, for the places of button and blinds are the others' (A41).
        """
        if seating.entry == Entry.IN:
            return None
        away = seating.barred_since is not None
        posting = tuple(
            replace(each, entry=Entry.POSTS, is_held=away) if each.player_id == seating.player_id else each
            for each in self.occupants
        )
        hands = enumerate(self.hands(posting, count=JOINS_WITHIN))
        return next((index for index, hand in hands if seating.seat_number in hand.dealt_in), None)


def coming_after(opening: Opening, seatings: Sequence[Seating], hand: Hand | None, players: dict[int, int]) -> Coming:
    """Return what comes after `hand`, or from now on; `players` are who was dealt in, ids by seat."""
    return Coming(opening, hand, players, _occupants(seatings, set(players.values()), hand.in_turn if hand else None))


def _occupants(seatings: Sequence[Seating], dealt_in: set[int], kept: InTurn | None) -> tuple[Occupant, ...]:
    """
    Return the occupants as they are once the hand in progress is over: whoever was dealt in is in rotation, whoever
    missed a blind has its markers. `kept` is what that hand keeps.
    """
    laid_down = kept.laid_down if kept else {}
    chosen = kept.chosen_since if kept else frozenset()
    then = []
    for seating in seatings:
        occupant = seating.occupant
        if occupant.player_id in dealt_in:
            occupant = replace(occupant, entry=Entry.IN, missed=Missed.NONE)
        elif seating.pk in laid_down:
            keeps = seating.pk in chosen and not seating.is_held
            entry = occupant.entry if keeps else Entry.WAITS
            occupant = replace(occupant, entry=entry, missed=Missed(laid_down[seating.pk]))
        then.append(occupant)
    return tuple(then)
