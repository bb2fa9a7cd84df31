"""The clock on a player who takes too long (H1.70-H1.72, R-§18)."""

from datetime import datetime, timedelta
from enum import StrEnum


class ClockRunOut(StrEnum):
    """What a hand is whose player has not acted when the count ends."""

    # H1.72, A5: facing no bet it has checked and lives, facing one it is folded.
    CHECKS_OR_FOLDS = "checks_or_folds"
    # R-§18-3, RA10.
    DEAD = "dead"


def clock_ends_at(called_at: datetime, *, seconds: int) -> datetime:
    """Return when the count ends: `seconds` in all, those that are counted aloud among them (H1.71, R-§18-1)."""
    return called_at + timedelta(seconds=seconds)
