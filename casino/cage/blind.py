"""In whose drawers and banks somebody had a part: open ones are blind to them, and what differed others judge."""

from datetime import UTC, datetime

from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from casino.cage.models import Doubt, DrawerSession, Slip
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
    theirs = DrawerSession.answered_for_by([staff_id]) | _moved_in(room_id, staff_id)
    return DrawerSession.objects.filter(theirs, drawer__room_id=room_id, closed_at=None)


def _moved_in(room_id: int, staff_id: int) -> Q:
    """Return what finds the sessions in whose drawer somebody has moved something, as `payers_of`, but for holders."""
    paid = Slip.objects.filter(session=OuterRef("pk"), paid_by=staff_id)
    moved = moved_besides(OuterRef("drawer_id"), OuterRef("opened_at")).filter(
        transfer__made_by_id=staff_id,
        transfer__room_id=room_id,
        transfer__day_id__gte=OuterRef("day_id"),
        transfer__at__lte=Coalesce(OuterRef("closed_at"), Value(datetime.max.replace(tzinfo=UTC))),
    )
    return Q(Exists(paid)) | Q(Exists(moved))


def own_doubts(room_id: int, staff_id: int) -> QuerySet[Doubt]:
    """
    Return the doubts that may be about somebody's own money, whatever they manage: they paid that slip, or are one of
    the `payers_of` the drawer that was counted.
    """
    moved = _moved_in(room_id, staff_id) | Q(holder=staff_id)
    counted = DrawerSession.objects.filter(moved, pk=OuterRef("count__session_id"))
    return Doubt.objects.filter(Q(slip__paid_by=staff_id) | Exists(counted), room_id=room_id)
