"""Whose drawers and banks are open just now: their figures are not shown to whoever pays out of them."""

from django.db.models import Exists, OuterRef, Q

from casino.cage.models import DrawerSession, Slip


def held_open(room_id: int, staff_id: int) -> set[int]:
    """
    Return the ids of the open drawers and banks that somebody opened, holds or has paid out of, whatever they manage.
    One query.
    """
    paid = Slip.objects.filter(session=OuterRef("pk"), paid_by=staff_id)
    theirs = Q(opened_by=staff_id, holder=None) | Q(holder=staff_id) | Exists(paid)
    found = DrawerSession.objects.filter(theirs, drawer__room_id=room_id, closed_at=None)
    return set(found.values_list("drawer_id", flat=True))
