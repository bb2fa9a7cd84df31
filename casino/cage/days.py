"""The gaming day: it opens, and it closes when nothing of it is open any more."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from casino.audit.selectors import newest_event_id
from casino.cage import open_items
from casino.cage.day_begins import begin_with_day
from casino.cage.day_ends import end_with_day
from casino.cage.errors import DayAlreadyOpen, DayHasBeen, DayLeavesOpen, DayNotFinished
from casino.cage.refused import news_of, unseen
from casino.commands.carrying_out import Command, Outcome, service
from casino.people.passes import phones_of_day
from casino.people.selectors import prepared_signatures
from casino.people.services import end_shift_dealers
from casino.rooms.models import GamingDay, Room
from casino.rooms.selectors import lock_open_day_alone
from casino.rooms.selectors import open_day as day_that_is_open

_SCREENS = ("cage", "cage.day")


@dataclass(frozen=True)
class HasBeen:
    """The gaming day of this date, which is over, and from when the next one can open, by the room's own clock."""

    date: date
    closed_at: datetime
    opens_at: datetime


def _date_in(room: Room, at: datetime) -> date:
    return at.astimezone(ZoneInfo(room.time_zone)).date()


def closed_today(room_id: int, *, at: datetime) -> HasBeen | None:
    """Return the day that has this moment's date in the room and is closed, None where one can open. Two queries."""
    room = Room.objects.get(id=room_id)
    day = GamingDay.objects.filter(room=room, date=_date_in(room, at), closed_at__isnull=False).first()
    if day is None or day.closed_at is None:
        return None
    midnight = datetime.combine(day.date + timedelta(days=1), time(), tzinfo=ZoneInfo(room.time_zone))
    return HasBeen(day.date, day.closed_at, midnight)


@service("cage.open_day")
def open_day(command: Command) -> Outcome:
    """
    Open the gaming day, named for the date on the room's own calendar at this moment, and what begins with it.

    :raises DayAlreadyOpen: one is open.
    :raises DayHasBeen: this date's day was opened and closed before.
    """
    # The room's row keeps two managers from opening two days; the database has the last word anyway.
    room = Room.objects.select_for_update(no_key=True).get(id=command.room_id)
    if day_that_is_open(room.pk):
        raise DayAlreadyOpen
    if found := closed_today(room.pk, at=command.at):
        raise DayHasBeen(date=found.date.isoformat(), opens_at=f"{found.opens_at:%H:%M}")
    assert command.by.staff_id is not None
    day = GamingDay.objects.create(
        room=room, date=_date_in(room, command.at), opened_at=command.at, opened_by_id=command.by.staff_id,
        opened_after=newest_event_id(),
    )  # fmt: skip
    begun = begin_with_day(command, day.pk)
    data = {"day_id": day.pk, "date": day.date.isoformat(), **({"begun": begun} if begun else {})}
    return Outcome(chain="day", data=data, audiences=_SCREENS)


@service("cage.close_day")
def close_day(command: Command, *, leaving: Collection[str] = ()) -> Outcome:
    """
    Close the gaming day. Closed is final: it takes no posting, and what is found later is posted another day.

    `leaving` is the manager's word for each thing that is left open (`open_items.word`); the log keeps what was left.

    Waits for every command that is just posting on this day, and keeps new ones out meanwhile. What ends with the day
    by itself is ended here too (`day_ends`), and the answer says what it was, and how many signatures were exceptions.

    :raises NoOpenDay: no day is open.
    :raises DayNotFinished: drawers, tables or slips are still open; it says which.
    :raises DayLeavesOpen: something is not finished, and the manager has not said that it is left.
    """
    day = lock_open_day_alone(command.room_id)
    if still := open_items.still_open(command.room_id):
        raise DayNotFinished(still_open=[list(item) for item in still])
    left = open_items.left_by_word(command.room_id)
    if unsaid := [list(item) for item in left if open_items.word(*item) not in leaving]:
        raise DayLeavesOpen(still_open=unsaid)
    # What the cage refused on it stands at the tables no more.
    refused_news = [news for each in unseen(command.room_id) for news in news_of(each.slip)]
    # While the night is still this day's.
    exceptions = prepared_signatures(command.room_id)
    # People before lists: the one order of locks.
    left_with_it = end_shift_dealers(command, day_id=day.pk)
    ended = end_with_day(command)
    day.closed_at, day.closed_by_id = command.ends(day.opened_at), command.by.staff_id
    day.closed_after = newest_event_id()
    day.save(update_fields=["closed_at", "closed_by_id", "closed_after"])
    data = {
        "day_id": day.pk,
        "date": day.date.isoformat(),
        "ended": ended,
        "prepared_signatures": exceptions,
        "left_open": [list(item) for item in left],
        **left_with_it,
    }
    return Outcome(chain="day", data=data, audiences=(*_SCREENS, *refused_news, *phones_of_day(day.pk)))
