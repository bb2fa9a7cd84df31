"""Whose drawers and banks are open just now: their figures are not shown to whoever moved something there."""

from django.db.models import Exists, OuterRef, QuerySet

from casino.cage.models import DrawerSession, Slip
from casino.cage.selectors import moved_besides


def held_open(room_id: int, staff_id: int, day_id: int | None = None) -> set[int]:
    """
    Return the ids of the open drawers and banks that somebody opened, holds or is one of the `payers_of`, whatever they
    manage; of those alone that were open on a gaming day already, where one is named. One query.
    """
    sessions = _held(room_id, staff_id)
    sessions = sessions if day_id is None else sessions.filter(day__lte=day_id)
    return set(sessions.values_list("drawer_id", flat=True))


def held_sessions(room_id: int, staff_id: int) -> set[int]:
    """Return the ids of the sessions of `held_open`. One query."""
    return set(_held(room_id, staff_id).values_list("id", flat=True))


def _held(room_id: int, staff_id: int) -> QuerySet[DrawerSession]:
    paid = Slip.objects.filter(session=OuterRef("pk"), paid_by=staff_id)
    moved = moved_besides(OuterRef("drawer_id"), OuterRef("opened_at")).filter(
        transfer__made_by_id=staff_id, transfer__room_id=room_id, transfer__day_id__gte=OuterRef("day_id")
    )
    theirs = DrawerSession.answered_for_by([staff_id]) | Exists(paid) | Exists(moved)
    return DrawerSession.objects.filter(theirs, drawer__room_id=room_id, closed_at=None)
