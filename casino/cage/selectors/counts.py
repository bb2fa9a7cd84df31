"""Questions about drawers that were counted, and what was counted in them."""

from casino.cage.models import Drawer, DrawerCount, DrawerSession


def counted_in(session: DrawerSession) -> list[DrawerCount]:
    """Return a session's counts, first one first; none while its drawer is open. One query."""
    return list(DrawerCount.objects.filter(session=session).order_by("number"))


def closed_session(room_id: int, session_id: int) -> tuple[DrawerSession, list[DrawerCount]] | None:
    """Return a closed session and its counts, first one first; None while it is open. Three queries."""
    session = (
        DrawerSession.objects.filter(drawer__room_id=room_id, drawer__place_kind="", id=session_id)
        .filter(closed_at__isnull=False)
        .select_related("drawer", "day", "closed_day", "opened_by", "opened_with", "closed_by", "holder")
        .first()
    )
    if session is None:
        return None
    counts = DrawerCount.objects.filter(session=session).select_related("counted_by", "counted_with")
    return session, list(counts.prefetch_related("notes").order_by("number"))


def closed_sessions(room_id: int, *, most: int = 12) -> list[DrawerSession]:
    """Return the sessions that were counted and closed last, newest first. One query."""
    sessions = DrawerSession.objects.filter(drawer__room_id=room_id, drawer__place_kind="", closed_at__isnull=False)
    return list(sessions.select_related("drawer", "closed_day").order_by("-closed_day", "-id")[:most])


def counted_today(drawer: Drawer) -> list[DrawerSession]:
    """Return a drawer's sessions that were counted and closed on the open day, the newest first. One query."""
    sessions = DrawerSession.objects.filter(drawer=drawer, closed_day__isnull=False, closed_day__closed_at=None)
    return list(sessions.order_by("-id"))


def last_counts(room_id: int, *, offset: int = 0, most: int = 50) -> list[DrawerCount]:
    """Return what was counted in the room's drawers, the newest first, recounts beside first counts. Two queries."""
    counts = DrawerCount.objects.filter(session__drawer__room_id=room_id).order_by("-id").prefetch_related("notes")
    return list(counts.select_related("session__drawer", "session__closed_day")[offset : offset + most])
