"""What a stored hand says of the missed blind markers that were laid down with it."""

from collections.abc import Mapping
from typing import Any

from casino.poker.positions import Entry


def laid_down_by(before: Mapping[str, Any]) -> dict[int, str]:
    """
    Return the markers laid down with a hand, by seating: all that lie there then. `before` is what the hand keeps of
    what it changed; whoever was dealt in has none.
    """
    return {int(key): after for key, (_, after) in before.get("missed", {}).items() if after}


def chosen_since(before: Mapping[str, Any]) -> frozenset[int]:
    """
    Return the seatings before which a hand lays markers down and that waited when it was dealt: a player of theirs who
    is there again has chosen a way into the blinds since, and keeps it (H4.39-H4.42). `before` as in `laid_down_by`.
    """
    return frozenset(key for key in laid_down_by(before) if before["entries"][str(key)] == Entry.WAITS)
