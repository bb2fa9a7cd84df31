"""Questions about chips and cash that nobody has claimed."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import F, QuerySet

from casino.cage.models import Unclaimed
from casino.rulebooks import RuleBook


def unclaimed_of(room_id: int, *, offset: int = 0, most: int = 100) -> Sequence[Unclaimed]:
    """Return what lies unclaimed, the oldest first, and after it what has ended, the newest first. One query."""
    found = _whole(Unclaimed.objects.filter(room_id=room_id))
    return list(found.order_by(F("ended_at").desc(nulls_first=True), "number")[offset : offset + most])


def unclaimed_by_id(room_id: int, unclaimed_id: int) -> Unclaimed | None:
    """Return one with everybody whom its paper names. One query."""
    return _whole(Unclaimed.objects.filter(room_id=room_id, id=unclaimed_id)).first()


def may_be_kept_from(each: Unclaimed, book: RuleBook) -> datetime:
    """Return the moment from which the house may keep it, by the book's `cage.unclaimed_days`."""
    return each.taken_in_at + timedelta(days=book.cage.unclaimed_days)


def _whole(rows: QuerySet[Unclaimed]) -> QuerySet[Unclaimed]:
    return rows.select_related(
        "player", "drawer", "taken_in_by", "approved_by", "ended_by", "end_approved_by", "claimed_by"
    )
