"""
What goes over the ends of a pack's days: which rows that the log answers for were open when they were over, and change
afterwards; and from where the log of what came open into them tells of it.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.db.models import Min, Q

from casino.audit.models import Event
from casino.boxes.models import BoxCount
from casino.cage.models import CarriedItem, DrawerSession
from casino.cage.selectors.carried_over import COUNTED
from casino.commands.carrying_out import DONE
from casino.reports.pack.span import DaySpan
from casino.rooms.models import Room

# By what is carried, under which kind the log answers for its rows.
_ROWS = {
    "request": "slip", "fill": "fill", "fill_differs": "fill", "box": "box", "vault_differs": "vault_count",
}  # fmt: skip


def open_after(span: Sequence[DaySpan]) -> dict[str, set[int]]:
    """
    Return by kind of row those that were open when the last of these days closed: it was carried over that day's end,
    whatever it had been carried over before; and boxes that were carried uncounted and not counted by then.
    """
    last = span[-1].day
    assert last.closed_at is not None, "a pack is of closed days"
    found: dict[str, set[int]] = {}
    days = Q(day=last) | Q(day__in=[each.day.pk for each in span], stage=COUNTED)
    for item in CarriedItem.objects.filter(days, kind__in=_ROWS).order_by("id"):
        rows = item.rows
        if item.stage == COUNTED:
            counted = _counted(rows)
            rows = [row for row in rows if (at := counted.get(row)) is None or at > last.closed_at]
        found.setdefault(_ROWS[item.kind], set()).update(rows)
    return found


def opened_before(room: Room, span: Sequence[DaySpan]) -> dict[str, int]:
    """
    Return by chain from which event on the log before these days tells of the drawers that were open as they began:
    each from when it was opened, and the days from that one on. Two queries, or one where none was.
    """
    first = span[0]
    came = DrawerSession.objects.filter(drawer__room=room, day_id__lt=first.day.pk).exclude(
        closed_day_id__lt=first.day.pk
    )
    drawers = {f"drawer.{number}" for number in came.values_list("drawer__number", flat=True)}
    if not drawers:
        return {}
    events = Event.objects.filter(room_id=room.pk, id__lte=first.after, result=DONE).order_by("chain", "-id")
    openings = events.filter(chain__in=drawers, name__in=("cage.open_drawer", "cage.open_bank")).distinct("chain")
    found = dict(openings.values_list("chain", "id"))
    day = events.filter(chain="day", name="cage.open_day", id__lte=min(found.values(), default=0)).first()
    return found | ({"day": day.pk} if day is not None else {})


def _counted(box_ids: Collection[int]) -> Mapping[int, datetime]:
    first = BoxCount.objects.filter(box__in=box_ids).order_by().values_list("box_id")
    return dict(first.annotate(at=Min("at")).values_list("box_id", "at"))
