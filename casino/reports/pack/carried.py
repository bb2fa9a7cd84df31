"""Which rows that the log answers for were open when a pack's days were over, and carried: they change afterwards."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.db.models import Min, Q

from casino.boxes.models import BoxCount
from casino.cage.carried import COUNTED
from casino.cage.models import CarriedItem
from casino.reports.pack.span import DaySpan

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


def _counted(box_ids: Collection[int]) -> Mapping[int, datetime]:
    first = BoxCount.objects.filter(box__in=box_ids).order_by().values_list("box_id")
    return dict(first.annotate(at=Min("at")).values_list("box_id", "at"))
