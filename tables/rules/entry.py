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


def entry_on_coming_back(before: Entry, *, missed_a_hand: bool, played_the_last_one: bool) -> Entry:
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
