"""How a player who sits down comes into the blinds."""

from casino.poker.blinds import Entry


def entry_on_sitting_down(*, first_hand_begun: bool, wants_to_post: bool) -> Entry:
    """
    Return the entry of a player who sits down now.

    Before the first hand begins everybody is in, whether or not they took part in the draw (A36); from
    then on a player is new (H4.24) and waits for the big blind (H4.30) or posts (H4.31).
    """
    if not first_hand_begun:
        return Entry.IN
    return Entry.POSTS if wants_to_post else Entry.WAITS
