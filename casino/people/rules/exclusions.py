"""Who may not play, and when that may be lifted."""

from dataclasses import dataclass
from datetime import datetime

BAN = "ban"
OWN = "own"


@dataclass(frozen=True)
class Excluded:
    """
    One exclusion that was not lifted: the house's ban, or the player's own wish.

    `until` None: until it is lifted. `clause` is the rule under which the house banned, "" for none.
    """

    kind: str
    until: datetime | None
    clause: str = ""


def holds(each: Excluded, at: datetime) -> bool:
    """
    Say whether an exclusion that was not lifted keeps its player from playing.

    A ban ends by itself. A player's own exclusion ends by being lifted alone, after its end: nobody comes back by
    mere time.
    """
    return each.kind == OWN or each.until is None or at < each.until


def may_be_lifted(each: Excluded, at: datetime) -> bool:
    """Say whether two persons may lift it now: a ban while it holds, a player's own exclusion after its end alone."""
    if each.kind == OWN:
        return each.until is not None and at >= each.until
    return holds(each, at)


def strictest(exclusions: tuple[Excluded, ...], at: datetime) -> Excluded | None:
    """Return the exclusion to be named, None when the player may play: the player's own first, then the longest."""
    standing = [each for each in exclusions if holds(each, at)]
    own = [each for each in standing if each.kind == OWN]
    endless = [each for each in standing if each.until is None]
    return max(own or endless or standing, key=lambda each: each.until.timestamp() if each.until else 0, default=None)
