"""Which rows that the log answers for were open when a pack's days were over, and carried: they change afterwards."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.db.models import Min

from casino.boxes.models import BoxCount
from casino.cage import open_items
from casino.cage.carried import COUNTED
from casino.cage.models import CarriedItem
from casino.reports.pack.span import DaySpan

# By what is carried, under which kind the log answers for its rows.
_ROWS = {
    "request": "slip", "fill": "fill", "fill_differs": "fill", "box": "box", "vault_differs": "vault_count",
}  # fmt: skip


def open_after(span: Sequence[DaySpan]) -> dict[str, set[int]]:
    """Return by kind of row those that were carried over one of these days and still open when the last one closed."""
    closed_at = span[-1].day.closed_at
    assert closed_at is not None, "a pack is of closed days"
    found: dict[str, set[int]] = {}
    for item in CarriedItem.objects.filter(day__in=[each.day.pk for each in span], kind__in=_ROWS).order_by("id"):
        is_box = item.stage == COUNTED
        rows = [item.number] if is_box else item.rows
        done = _counted(rows) if is_box else open_items.done_of(item.kind, rows, item.day_id)
        found.setdefault(_ROWS[item.kind], set()).update(
            row for row in rows if (at := done.get(row)) is None or at > closed_at
        )
    return found


def _counted(box_ids: Collection[int]) -> Mapping[int, datetime]:
    first = BoxCount.objects.filter(box__in=box_ids).order_by().values_list("box_id")
    return dict(first.annotate(at=Min("at")).values_list("box_id", "at"))
