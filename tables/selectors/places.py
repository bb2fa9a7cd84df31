"""From what a tablet without a connection goes on: who held what on the hand before, and what an undo gives back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from casino.poker.missed import Missed
from casino.poker.positions import LastHand
from tables.models import Hand, Opening, Seating
from tables.models.tables import as_hand_before


@dataclass(frozen=True)
class Held:
    """
    Who held what on a hand: seats, and the seating of each who still plays at the table, 0 of who does not.

    `won` is where a button lies since that goes to the winner (H4.15), `betting` where the second of two lies (H4.16).
    """

    button: int
    button_seating: int
    small_blind: int | None
    small_blind_seating: int
    big_blind: int
    big_blind_seating: int
    was_heads_up: bool
    won: int
    betting: int


@dataclass(frozen=True)
class Places:
    """
    What the next hand follows from, while none is played: the hand before it, None before the first; the seat where
    the button is said to lie; and the one that won it in the draw.
    """

    last: Held | None
    button_here: int | None
    drawn: int | None


@dataclass(frozen=True)
class EntryBefore:
    """How far a player had come into the blinds; `missed` counts markers, None: the hand has left them as they are."""

    seating: int
    entry: str
    missed: int | None


@dataclass(frozen=True)
class Before:
    """What an undo of a hand gives back."""

    last: Held | None
    button_here: int | None
    entries: tuple[EntryBefore, ...]


def seatings_of(seatings: Iterable[Seating]) -> dict[int, int]:
    """Return who has a seat at the table, by player: who plays there, and whose seat somebody plays over in."""
    return {each.player_id: each.pk for seating in seatings for each in (seating.holder, seating) if each is not None}


def places_of(opening: Opening, seatings: Mapping[int, int]) -> Places:
    """Return what the next hand follows from; `seatings` as `seatings_of`."""
    return Places(held_on(opening.hand_before, seatings), opening.button_here, opening.draw_winner)


def held_on(hand: LastHand | None, seatings: Mapping[int, int]) -> Held | None:
    """Return who held what on a hand, by the seatings that are there now; None before the first hand."""
    if hand is None:
        return None
    return Held(
        button=hand.button_seat,
        button_seating=seatings.get(hand.button_player_id or 0, 0),
        small_blind=hand.small_blind_seat,
        small_blind_seating=seatings.get(hand.small_blind_player_id or 0, 0),
        big_blind=hand.big_blind_seat,
        big_blind_seating=seatings.get(hand.big_blind_player_id, 0),
        was_heads_up=hand.was_heads_up,
        won=hand.won_button(before=hand.button_seat),
        betting=hand.won_button(before=hand.betting_button_seat or hand.button_seat),
    )


def before_of(hand: Hand, seatings: Mapping[int, int]) -> Before | None:
    """Return what an undo of a hand gives back, None where button and blinds did not go on from it."""
    kept = hand.in_turn
    if kept is None:
        return None
    entries = (
        EntryBefore(key, entry, Missed(kept.missed[key][0]).markers if key in kept.missed else None)
        for key, entry in kept.entries.items()
    )
    return Before(held_on(as_hand_before(kept.last), seatings), kept.button_here, tuple(entries))
