"""Stacks that were counted on leaving: whether another count may put one right."""

from casino.cage.selectors import was_carried
from casino.errors import Refusal
from tables.errors_counts import StackMoved, StackSigned
from tables.models import Seating


def gone_on(seating: Seating) -> Refusal | None:
    """Return what stands against another count of a departure's stack: its chips have gone on. Two queries."""
    move = seating.moves_away.filter(taken_back_at=None).select_related("seating_to__table").first()
    if move is not None:
        return StackMoved(table_number=move.seating_to.table.number)
    is_signed = was_carried(seating.room_id, seating.player_id, destination="picked_up", seating_id=seating.pk)
    return StackSigned() if is_signed else None
