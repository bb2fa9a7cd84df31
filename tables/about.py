"""
What a table's transfers are about, as `Transfer.about` keeps it: who writes it and who reads it by SQL name one key.

HAND and TIME are the ids of the hand and of the time charge behind a row `transfer` of a statement, NULL for none.
"""

from typing import Any, LiteralString

from tables.models import Hand, TimeTaken

HAND: LiteralString = "(transfer.about ->> 'hand')::bigint"
TIME: LiteralString = "(transfer.about ->> 'time')::bigint"
# The rows `hand` and `time` beside a `transfer`.
HAND_AND_TIME: LiteralString = (
    f"LEFT JOIN tables_hand hand ON hand.id = {HAND} LEFT JOIN tables_timetaken time ON time.id = {TIME}"
)


def of_hand(hand: Hand) -> dict[str, Any]:
    """Return what a transfer of a hand is about: its id, and its number for people."""
    return {"hand": hand.pk, "number": hand.number}


def of_time(time: TimeTaken) -> dict[str, Any]:
    """Return what a transfer of a time charge is about: its id, and the period's number for people."""
    return {"time": time.pk, "number": time.number}
