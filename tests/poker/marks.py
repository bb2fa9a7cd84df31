"""What decides which pots a tablet asks for, by the charges of a hand."""

from casino.poker.rake import RakeWay
from casino.poker.rake_ways import StepRake


def main_pays_all_above(total_cents: int, *, way: RakeWay) -> int:
    """
    Return the amount above which the main pot pays the whole rake of a hand of `total_cents`: where the last charge
    begins. 0 while there is at most one, which begins in the main pot: then side pots decide nothing (H1.86).
    """
    if not isinstance(way, StepRake):
        return 0
    charges = sum(charge.times for charge in way.charges([total_cents]))
    return max(charges - 1, 0) * way.block_cents
