"""In whose drawers and banks somebody had a part: open ones are blind to them, and what differed others judge."""

from datetime import UTC, datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from casino.cage.chart import DRAWER
from casino.cage.models import Doubt, DrawerSession, Slip
from casino.ledger.models import Posting

# What moves a drawer by a slip, which is its payer's, and what counts it. All else is by whoever made it, of any app. A
# reversal goes out of the session in which it is made, whichever session its slip was of.
_BY_SLIP_OR_COUNT = (*Slip.Kind.values, "drawer_opened", "drawer_closed", "drawer_recounted")
# Until when something is moved in a session that is open.
_OPEN_END = datetime.max.replace(tzinfo=UTC)


def _moves(
    session_id: Any, drawer_id: Any, *, from_day_id: Any, since: Any, until: Any
) -> tuple[QuerySet[Slip], QuerySet[Posting]]:
    """
    Return what has moved something in a session's drawer: its slips, each of whoever paid it, and all else but its
    counts, of whoever made that transfer. Each argument may be an `OuterRef`.
    """
    besides = Posting.objects.filter(
        account__owner_kind=DRAWER,
        account__owner_id=drawer_id,
        transfer__day_id__gte=from_day_id,
        transfer__at__gte=since,
        transfer__at__lte=until,
    )
    return Slip.objects.filter(session=session_id), besides.exclude(transfer__kind__in=_BY_SLIP_OR_COUNT)


def payers_of(session: DrawerSession) -> set[int]:
    """
    Return who has put something into the session's drawer or taken it out, by id: somebody else counts it. One query.

    They paid a slip or reversed one, counted a fill there or gave a credit to its runner, took in what was found or
    gave it out, moved something there by another app's service; or they hold it, where it is a runner's bank.
    """
    until = session.closed_at or _OPEN_END
    slips, besides = _moves(
        session.pk, session.drawer_id, from_day_id=session.day_id, since=session.opened_at, until=until
    )
    by = slips.order_by().values_list("paid_by_id").union(besides.order_by().values_list("transfer__made_by_id"))
    held = set() if session.holder_id is None else {session.holder_id}
    return held | {staff_id for (staff_id,) in by if staff_id is not None}


def _is_payer(room_id: int, staff_id: int) -> Q:
    """Return what finds the sessions of a room of whose `payers_of` somebody is one."""
    until = Coalesce(OuterRef("closed_at"), Value(_OPEN_END))
    slips, besides = _moves(
        OuterRef("pk"), OuterRef("drawer_id"), from_day_id=OuterRef("day_id"), since=OuterRef("opened_at"), until=until
    )
    # The room is the drawer's: with it, and the day, an index finds what they made.
    made = besides.filter(transfer__made_by_id=staff_id, transfer__room_id=room_id)
    return Q(holder=staff_id) | Q(Exists(slips.filter(paid_by=staff_id))) | Q(Exists(made))


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
    theirs = DrawerSession.answered_for_by([staff_id]) | _is_payer(room_id, staff_id)
    return DrawerSession.objects.filter(theirs, drawer__room_id=room_id, closed_at=None)


def own_doubts(room_id: int, staff_id: int) -> QuerySet[Doubt]:
    """
    Return the doubts that may be about somebody's own money, whatever they manage: they paid that slip, or are one of
    the `payers_of` the drawer that was counted.
    """
    counted = DrawerSession.objects.filter(_is_payer(room_id, staff_id), pk=OuterRef("count__session_id"))
    return Doubt.objects.filter(Q(slip__paid_by=staff_id) | Exists(counted), room_id=room_id)
