"""How long a call holds, and what becomes of a player who does not come (H2.5, H2.6, A21)."""

from datetime import datetime, timedelta
from enum import StrEnum


class CallRunsFrom(StrEnum):
    """From when the minutes of a call are counted."""

    CALL = "call"  # each who is called has the whole time (H2.6)
    SEAT_OPENING = "seat_opening"  # by the letter (A21)


class MissedCall(StrEnum):
    """What a player loses who does not come in time."""

    STRIKE = "strike"  # the place on the list (A21)
    BOTTOM = "bottom"  # goes to the end of the list, so many times; then it is struck


def call_expires_at(
    *,
    called_at: datetime,
    seat_opened_at: datetime,
    joined_at: datetime,
    seconds: int,
    runs_from: CallRunsFrom,
    seconds_least: int = 0,
) -> datetime:
    """
    Return until when a called player may come.

    The minutes run from the call, so that who is called second has as many as the first (H2.6). By the other reading
    they run from the opening of the seat (A21), and from the call where they would be over by then, or where the player
    joined after the seat had opened; no call is then shorter than `seconds_least`, or than `seconds` where that is
    less: whoever loses the place has had the time to walk over.
    """
    from_call = called_at + timedelta(seconds=seconds)
    from_opening = seat_opened_at + timedelta(seconds=seconds)
    is_late = from_opening <= called_at or joined_at > seat_opened_at
    if runs_from is CallRunsFrom.CALL or is_late:
        return from_call
    return max(from_opening, called_at + timedelta(seconds=min(seconds_least, seconds)))


def is_struck(missed: MissedCall, *, passes: int, passes_max: int) -> bool:
    """Say whether the player who has let `passes` calls go before this one is struck now (H2.6, A21)."""
    return missed is MissedCall.STRIKE or passes >= passes_max
