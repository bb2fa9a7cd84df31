"""Stacks as counts: what nobody has played with since it was counted, and whether another count may put one right."""

from django.db.models import Q

from casino.cage.selectors.slips import was_carried
from casino.errors import Refusal
from tables.errors_counts import StackMoved, StackSigned
from tables.models import Hand, Seating


def gone_on(seating: Seating) -> Refusal | None:
    """Return what stands against another count of a departure's stack: its chips have gone on. Two queries."""
    move = seating.moves_away.filter(taken_back_at=None).select_related("seating_to__table").first()
    if move is not None:
        return StackMoved(table_number=move.seating_to.table.number)
    is_signed = was_carried(seating.room_id, seating.player_id, destination="picked_up", seating_id=seating.pk)
    return StackSigned() if is_signed else None


def stack_known(seating: Seating) -> int | None:
    """
    Return a stack that is what was put in, in cents: no hand was played there since; None for any other.

    One query at most.
    """
    if not seating.chips_in_cents:
        return 0
    since = Q(dealt_at__gte=seating.sat_down_at) | Q(settled_at__gte=seating.sat_down_at)
    played = Hand.objects.filter(since | Q(ended_at__gte=seating.sat_down_at), table_id=seating.table_id)
    return None if played.exists() else seating.chips_in_cents
