"""What a tablet without a connection takes from a pot by: a house's way of reckoning its rake, as short data."""

from dataclasses import dataclass

from casino.poker.rake import RakeWay
from casino.poker.rake_ways import ShareRake, StepRake, TierRake

# A rake without a maximum climbs for ever, in equal steps: so many of them show how.
STEPS_MIN = 3


@dataclass(frozen=True)
class Ladder:
    """
    What the house takes, computed without a connection. Amounts are cents.

    `steps` are (pot from which, rake), from (0, 0). Beyond the last one each further `then[0]` of pot takes `then[1]`
    more; None: the maximum is reached. `is_by_block`: what a step adds is paid by the pot in which the step before it
    ends (H1.86); else the main pot pays all (UA19). `share`, where there is one, says it all instead of steps.
    `maximum_from` is the pot from which the key "maximum" holds.
    """

    steps: tuple[tuple[int, int], ...] = ((0, 0),)
    then: tuple[int, int] | None = None
    maximum_from: int | None = None
    is_by_block: bool = False
    share: ShareRake | None = None


def ladder_of(way: RakeWay | None) -> Ladder:
    """
    Return the ladder that travels with the page: the way's own up to its maximum, or up to where it
    goes on in equal steps for ever. None takes nothing from pots (H1.91).
    """
    if way is None:
        return Ladder()
    maximum_from = way.maximum_from_cents()
    if isinstance(way, ShareRake):
        return Ladder(maximum_from=maximum_from, share=way)
    if isinstance(way, TierRake):
        # A pot that holds less than its tier pays nothing.
        steps = tuple((max(pot, rake), rake) for pot, rake in way.tiers)
        return Ladder(steps if steps[0] == (0, 0) else ((0, 0), *steps), maximum_from=maximum_from)
    return _by_block(way, maximum_from)


def _by_block(way: StepRake, maximum_from: int | None) -> Ladder:
    if maximum_from is not None:
        return Ladder(tuple(way.steps(up_to_cents=maximum_from)), None, maximum_from, is_by_block=True)
    steps = tuple(way.steps(up_to_cents=(STEPS_MIN - 1) * way.block_cents))
    (before, less), (end, rake) = steps[-2:]
    return Ladder(steps, (end - before, rake - less), is_by_block=True)
