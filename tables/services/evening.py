"""What of the tables ends with the gaming day: wishes for another table, but of who plays on over its end."""

from django.db.models import F, Value
from django.db.models.functions import Greatest
from django.utils.translation import ngettext

from casino.cage.day_ends import DayEnd
from casino.commands.carrying_out import Command
from casino.rooms.selectors import open_day
from tables.models import TableChange
from tables.rules.reasons import DAY_CLOSED
from tables.selectors.counted_through import running_tables
from tables.services.playing_on import of_running_tables


def _warning(room_id: int) -> str:
    # Who has gone is told nothing of a wish.
    day = open_day(room_id)
    running = sum(each.is_counted for each in running_tables(room_id, day_id=day.pk)) if day is not None else 0
    sentence = ngettext(
        "%(number)s table plays on: its tablet’s taps wait until the next day is open.",
        "%(number)s tables play on: their tablets’ taps wait until the next day is open.",
        running,
    )
    return sentence % {"number": running} if running else ""


def _end(command: Command) -> dict[str, list[int]]:
    return {"table_changes": _end_wishes(command)}


def _end_wishes(command: Command) -> list[int]:
    """End the wishes for another table of those who have left meanwhile."""
    wishes = TableChange.objects.filter(room_id=command.room_id, ended_at=None, seating__left_at__isnull=False)
    # Read first: once they have ended the same question finds none.
    ended = list(wishes.order_by("id").values_list("id", flat=True))
    ends = Greatest(F("wished_at"), Value(command.at))
    wishes.update(ended_at=ends, ended_by_id=command.by.staff_id, ended_why=DAY_CLOSED)
    return ended


# Tables that still run play on: they show that they wait for a day.
WISHES_END = DayEnd(warning=_warning, end=_end, audiences=of_running_tables)
