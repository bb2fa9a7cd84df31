"""What changing the seat at one table costs (H4.46, H4.47, A39)."""

from collections.abc import Sequence
from dataclasses import replace

from casino.poker.missed import Missed
from casino.poker.positions import Entry, LastHand, Occupant
from casino.poker.seats import clockwise


def hands_until_big_blind(seat_number: int, present: frozenset[int], *, last_big_blind: int) -> int:
    """Return in how many hands the big blind reaches this seat, if nobody comes or goes: 1 on the next hand."""
    return clockwise(present | {seat_number}, after=last_big_blind).index(seat_number) + 1


def is_further_from_the_blinds(
    occupants: Sequence[Occupant], last: LastHand | None, *, from_seat: int, to_seat: int
) -> bool:
    """
    Say whether the big blind takes more hands to reach the new seat than the old one (A39). Before the first hand
    nobody is nearer.

    Rules: H4.46, H4.47.
    """
    if last is None:
        return False
    others = frozenset(o.seat_number for o in occupants if not o.is_held and o.seat_number != from_seat)
    before, then = (
        hands_until_big_blind(seat, others, last_big_blind=last.big_blind_seat) for seat in (from_seat, to_seat)
    )
    return then > before


def moved(occupant: Occupant, *, to_seat: int, is_further: bool, posts: bool) -> Occupant:
    """
    Return the player in the new seat: further from the blinds they post a big blind, live, or wait for it (H4.46);
    else nothing changes (H4.47). Missed blind markers move along (A39).
    """
    if not is_further:
        return replace(occupant, seat_number=to_seat)
    if posts:
        return replace(occupant, seat_number=to_seat, entry=Entry.POSTS, missed=owed_further(occupant.missed))
    return replace(occupant, seat_number=to_seat, entry=Entry.WAITS)


def owed_further(missed: Missed) -> Missed:
    """
    Return what somebody owes who posts further from the blinds: the big blind in any case (H4.46). A small blind that
    was missed alone comes with it, dead, as for whoever missed both (H4.40).
    """
    return Missed.BOTH if missed is Missed.SMALL else missed
