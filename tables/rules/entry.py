"""How a player who sits down, or comes back, comes into the blinds, and what that costs."""

from dataclasses import dataclass

from casino.poker.missed import Missed, owed_to_come_back
from casino.poker.positions import BlindTerms, Entry
from casino.poker.straddles import Straddle


@dataclass(frozen=True)
class WayIn:
    """One way into the blinds: what is put in front, live, and into the pot, dead, in cents."""

    entry: Entry
    live_cents: int
    dead_cents: int


def ways_in(missed: Missed, *, terms: BlindTerms, may_post: bool) -> tuple[WayIn, ...]:
    """
    Return the ways into the blinds of a player who is new or has missed some, the one that costs nothing first.

    `may_post` is False in a house where everybody waits for the big blind (U11, U36). The straddle is from the seat
    next after the big blind alone; elsewhere its player waits.

    Rules: H4.30, H4.31, H4.34, H4.39-H4.43.
    """
    ways = [WayIn(Entry.WAITS, 0, 0)]
    if may_post:
        live, dead = owed_to_come_back(
            missed, small_blind_cents=terms.small_blind_cents, big_blind_cents=terms.big_blind_cents
        )
        ways.append(WayIn(Entry.POSTS, live, dead))
    if terms.straddle in {Straddle.LIVE, Straddle.TO_THE_BUTTON}:
        ways.append(WayIn(Entry.STRADDLES, 2 * terms.big_blind_cents, 0))
    return tuple(ways)


def entry_on_sitting_down(*, first_hand_begun: bool, wanted: Entry) -> Entry:
    """
    Return the entry of a player who sits down now.

    Before the first hand begins everybody is in, whether or not they took part in the draw (A36); from
    then on a player is new (H4.24) and waits for the big blind (H4.30), posts (H4.31) or straddles (H4.34).
    """
    return wanted if first_hand_begun else Entry.IN


def entry_after_leaving_taken_back(before: Entry, *, missed_a_hand: bool, played_the_last_one: bool) -> Entry:
    """
    Return the entry of a player whose leaving is taken back; `before` is what it was when they left.

    As long as no hand was begun without the player, nothing was missed and nothing changes. From then on the log
    knows no blinds of theirs, missed or paid (H4.35-H4.42 are about absence from a seat that one keeps): the
    player joins after the first hand like a new one (H4.24) and waits for the big blind (H4.30), or posts if the
    floor says so (H4.31). Whoever was new already stays as they were, unless the hand during which they left
    was played with them in it: that one was posted for.
    """
    if missed_a_hand:
        return Entry.WAITS if before is Entry.IN else before
    return Entry.IN if played_the_last_one else before
