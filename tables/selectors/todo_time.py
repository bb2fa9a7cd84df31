"""What the floor has to do about time charges: a period that has begun and that nobody took (H1.91, L-P21, H7.18)."""

from collections.abc import Mapping, Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.live.todo import ToDoLine
from casino.money import format_cents
from casino.patience import TIME_CHARGE_TAKES
from casino.rooms.models import Room
from tables.models import Seating, Table
from tables.selectors.time_charges import TimeDue, times_due
from tables.selectors.todo import table_name


def time_lines(room: Room, tables: Sequence[Table], seatings: Mapping[int, Sequence[Seating]]) -> list[ToDoLine]:
    """Return the lines of the to-do about time charges. Two queries, none where no game charges by the time."""
    return [_not_taken(room, table, due) for table, due in times_due(tables, seatings)]


def _not_taken(room: Room, table: Table, due: TimeDue) -> ToDoLine:
    assert due.begins_at is not None, "only what falls due is asked for"
    money = format_cents(due.due_cents, currency=room.currency, locale=room.locale)
    return ToDoLine(
        key=f"time.{table.number}.{due.number}",
        table_number=table.number,
        urgency=4,
        tone="soon",
        where=table_name(table.number),
        text=_("Period %(number)s of the time charge is not taken") % {"number": due.number},
        cited="by_time_not_taken" if due.kind else "time_not_taken",
        reason=_("%(money)s is owed. Take it, or let it go.") % {"money": money},
        at=due.begins_at,
        how="sheet",
        address=reverse("floor_time_sheet", args=[table.number]),
        label=_("Take it"),
        shown_from=due.begins_at + TIME_CHARGE_TAKES,
    )
