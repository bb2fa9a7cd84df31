"""Questions about gaming days at the cage: which one is over, and whose counts wait."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from casino.reading import read_once
from casino.rooms.models import GamingDay, Room
from casino.rows import read_seldom

_DAYS_THAT_WAIT = "FROM rooms_gamingday WHERE room_id = %s AND counts_wait ORDER BY date, id"


@dataclass(frozen=True)
class HasBeen:
    """The gaming day of this date, which is over, and from when the next one can open, by the room's own clock."""

    date: date
    closed_at: datetime
    opens_at: datetime


def date_in(room: Room, at: datetime) -> date:
    """Return the date by the room's own calendar."""
    return at.astimezone(ZoneInfo(room.time_zone)).date()


def closed_today(room_id: int, *, at: datetime) -> HasBeen | None:
    """Return the day that has this moment's date in the room and is closed, None where one can open. Two queries."""
    room = Room.objects.get(id=room_id)
    day = GamingDay.objects.filter(room=room, date=date_in(room, at), closed_at__isnull=False).first()
    if day is None or day.closed_at is None:
        return None
    midnight = datetime.combine(day.date + timedelta(days=1), time(), tzinfo=ZoneInfo(room.time_zone))
    return HasBeen(day.date, day.closed_at, midnight)


@read_once
def days_that_wait(room_id: int) -> list[GamingDay]:
    """Return the gaming days that are closed for operations and not as counted yet, the oldest first. One query."""
    return [day for (day,) in read_seldom((GamingDay,), _DAYS_THAT_WAIT, room_id)]
