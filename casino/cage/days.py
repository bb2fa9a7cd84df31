"""The gaming day: it opens, and it closes when nothing of it is open any more."""

from zoneinfo import ZoneInfo

from casino.cage import open_items
from casino.cage.day_ends import end_with_day
from casino.cage.errors import DayAlreadyOpen, DayHasBeen, DayNotFinished
from casino.commands.frame import Command, Outcome, service
from casino.people.passes import phones_of_day
from casino.people.selectors import prepared_signatures
from casino.people.services import end_shift_dealers
from casino.rooms.errors import NoOpenDay
from casino.rooms.models import GamingDay, Room
from casino.rooms.selectors import open_day as day_that_is_open

_SCREENS = ("cage", "cage.day")


@service("cage.open_day")
def open_day(command: Command) -> Outcome:
    """
    Open the gaming day, named for the date on the room's own calendar at this moment.

    :raises DayAlreadyOpen: one is open.
    :raises DayHasBeen: this date's day was opened and closed before.
    """
    # The room's row keeps two managers from opening two days; the database has the last word anyway.
    room = Room.objects.select_for_update(no_key=True).get(id=command.room_id)
    if day_that_is_open(room.pk):
        raise DayAlreadyOpen
    date = command.at.astimezone(ZoneInfo(room.time_zone)).date()
    if GamingDay.objects.filter(room=room, date=date).exists():
        raise DayHasBeen(date=date.isoformat())
    assert command.by.staff_id is not None
    day = GamingDay.objects.create(room=room, date=date, opened_at=command.at, opened_by_id=command.by.staff_id)
    return Outcome(chain="day", data={"day_id": day.pk, "date": date.isoformat()}, audiences=_SCREENS)


@service("cage.close_day")
def close_day(command: Command) -> Outcome:
    """
    Close the gaming day. Closed is final: it takes no posting, and what is found later is posted another day.

    Waits for every command that is just posting on this day, and keeps new ones out meanwhile. What ends with the day
    by itself is ended here too (`day_ends`), and the answer says what it was, and how many signatures were exceptions.

    :raises NoOpenDay: no day is open.
    :raises DayNotFinished: drawers, tables or slips are still open; it says which.
    """
    day = GamingDay.objects.select_for_update(no_key=True).filter(room_id=command.room_id, closed_at=None).first()
    if day is None:
        raise NoOpenDay
    if still := open_items.still_open(command.room_id):
        raise DayNotFinished(still_open=[list(item) for item in still])
    # While the night is still this day's.
    exceptions = prepared_signatures(command.room_id)
    # People before lists: the one order of locks.
    end_shift_dealers(command, day_id=day.pk)
    ended = end_with_day(command)
    day.closed_at, day.closed_by_id = command.ends(day.opened_at), command.by.staff_id
    day.save(update_fields=["closed_at", "closed_by_id"])
    data = {"day_id": day.pk, "date": day.date.isoformat(), "ended": ended, "prepared_signatures": exceptions}
    return Outcome(chain="day", data=data, audiences=(*_SCREENS, *phones_of_day(day.pk)))
