"""When a jackpot was hit (H7.14, H7.15)."""

from datetime import datetime


def hit_at(*, winning_shown_at: datetime, losing_shown_at: datetime, last_card_at: datetime) -> datetime:
    """
    Return when a jackpot was hit: both triggering hands are seen and no card is left to come.

    At a showdown that is when the later of the two hands is shown; where they were shown before (all-in), when the last
    card is dealt: the river, or without community cards the last card of the hand.

    Rules: H7.14, H7.15.
    """
    return max(winning_shown_at, losing_shown_at, last_card_at)
