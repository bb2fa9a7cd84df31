"""
Which days are in a pack, and which stretch of the log is theirs.

The log of a gaming day ends with the event by which that day closed, and begins after the event that closed the day
before: what is done between two days is done for the next one. So packs of following days follow each other without a
gap, and a pack that is made again is the same.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from casino.audit.models import Event
from casino.commands.carrying_out import DONE
from casino.reports.errors import PackOfNoDay, PackOfOpenDay
from casino.rooms.models import GamingDay, Room


@dataclass(frozen=True)
class DaySpan:
    """
    A closed gaming day, and its stretch of the log: events with an id above `after`, up to `until`. The day before
    closed at `since`, None where there was none.
    """

    day: GamingDay
    after: int
    until: int
    since: datetime | None


def span_of(room: Room, first: date, last: date) -> list[DaySpan]:
    """
    Return the room's gaming days of these dates, in their order. Three queries.

    :raises PackOfNoDay: there is none.
    :raises PackOfOpenDay: one of them is still open.
    """
    days = list(GamingDay.objects.filter(room=room, date__gte=first, date__lte=last).order_by("id"))
    if not days:
        raise PackOfNoDay
    if any(day.closed_at is None for day in days):
        raise PackOfOpenDay
    before = GamingDay.objects.filter(room=room, id__lt=days[0].pk).order_by("-id").first()
    closings = Event.objects.filter(room_id=room.pk, name="cage.close_day", result=DONE)
    ids = list(closings.order_by("id").values_list("id", flat=True))
    after = _end(before, days[0], ids) if before else 0
    found = []
    for day, following in zip(days, [*days[1:], None], strict=True):
        until = _end(day, following, ids)
        found.append(DaySpan(day, after, until, before.closed_at if before else None))
        after, before = until, day
    return found


def _end(day: GamingDay, following: GamingDay | None, closings: Sequence[int]) -> int:
    """Return the id of the event that closed a day; of a day that none closed, of the last one before that."""
    ended = day.closed_after or 0
    index = bisect_right(closings, ended)
    if index == len(closings) or (following is not None and closings[index] > following.opened_after):
        return ended
    return closings[index]
