"""
The boxes of a gaming day: those into which the log put something on it, and those that were dropped while it was open.

What fell on a day at a place where boxes hang lies in one of them, or in none: then it is dropped before the day closes
as counted. Of what fell before any box hung there nobody is asked.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import LiteralString

from django.db import connection
from django.db.models import Prefetch, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.boxes.models import Box, BoxCount
from casino.boxes.selectors.log import IN_BOX, InNoBox, loose_at, put_in_by
from casino.boxes.words import box_name
from casino.cage.day_counts import CountsOf, ToCount
from casino.rooms.models import GamingDay
from tables.charges import charge_kinds
from tables.models import Table

# Where what fell on a day lies: box by box, and of a place where one was dropped before, in none.
_FELL: LiteralString = """
    SELECT DISTINCT account.owner_id, account.kind, box.id
    FROM ledger_transfer transfer
    JOIN ledger_posting posting ON posting.transfer_id = transfer.id
    JOIN ledger_account account ON account.id = posting.account_id
        AND account.owner_kind = 'table' AND account.kind = ANY(%(boxes)s)
    LEFT JOIN LATERAL (
        SELECT * FROM boxes_box WHERE table_id = account.owner_id AND boxes_box.account = account.kind
            AND taken_back_at IS NULL AND hung_after < posting.id ORDER BY hung_after DESC, id DESC LIMIT 1
    ) newest ON true
    LEFT JOIN LATERAL (
        SELECT newest.id WHERE newest.dropped_after IS NULL OR posting.id <= newest.dropped_after
    ) box ON true
    WHERE transfer.room_id = %(room)s AND transfer.day_id = %(day)s AND transfer.kind <> 'box_counted'
        AND newest.id IS NOT NULL
"""
# Of which days a box is.
IS_OF_DAY: LiteralString = """(EXISTS (SELECT {in_box} AND transfer.day_id = day.id)
    OR box.dropped_at BETWEEN day.opened_at AND coalesce(day.closed_at, 'infinity'))"""
_DAYS_OF: LiteralString = """
    SELECT day.date FROM boxes_box box JOIN rooms_gamingday day ON day.room_id = box.room_id AND {is_of_day}
    WHERE box.id = %s ORDER BY day.date
"""


def days_of_box(box: Box) -> list[str]:
    """Return the dates of the gaming days of which a dropped box is, the earliest first. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_DAYS_OF.format(is_of_day=IS_OF_DAY.format(in_box=IN_BOX)), [box.pk])
        return [date.isoformat() for (date,) in cursor.fetchall()]


def _of_day(day: GamingDay, lock: bool) -> Iterator[ToCount]:
    kinds = list(charge_kinds())
    with connection.cursor() as cursor:
        cursor.execute(_FELL, {"room": day.room_id, "day": day.pk, "boxes": [kind.box for kind in kinds]})
        fell = cursor.fetchall()
    dropped_then = Q(dropped_at__gte=day.opened_at, **({"dropped_at__lte": day.closed_at} if day.closed_at else {}))
    boxes = Box.objects.filter(Q(id__in={box_id for *_place, box_id in fell if box_id}) | dropped_then)
    boxes = boxes.filter(room_id=day.room_id, taken_back_at=None).exclude(Box.OF_BEFORE).order_by("id")
    if lock:
        # Whoever takes one back meanwhile waits, and sees that it was carried.
        list(boxes.select_for_update(no_key=True).values_list("id", flat=True))
    counts = Prefetch("counts", BoxCount.objects.order_by("number"))
    for box in boxes.select_related("table").prefetch_related(counts):
        yield _to_count(box)
    yield from _in_no_box(day, {(table_id, account) for table_id, account, box_id in fell if box_id is None})


def _to_count(box: Box) -> ToCount:
    counts = list(box.counts.all())
    return ToCount(
        "box",
        box.pk,
        _name(box),
        len(counts),
        reverse("box", args=[box.pk]),
        chips_cents=counts[-1].difference_cents if counts else 0,
        counted_at=counts[0].at if counts else None,
    )


def _in_no_box(day: GamingDay, places: Collection[tuple[int, str]]) -> Iterator[ToCount]:
    if not places:
        return
    tables = {table_id for table_id, _account in places}
    numbers = dict(Table.objects.filter(id__in=tables).order_by("number").values_list("id", "number"))
    lies = loose_at(day.room_id, list(charge_kinds()), list(tables))
    for table_id in numbers:
        if any((table_id, kind.box) in places and _lies(lies, table_id, kind.code) for kind in charge_kinds()):
            yield ToCount("in_no_box", table_id, _loose(numbers[table_id]), 0, reverse("boxes"), may_wait=False)


def _lies(lies: Mapping[tuple[int, str], InNoBox], table_id: int, charge: str) -> bool:
    return lies.get((table_id, charge), InNoBox()).cents > 0


def _name(box: Box) -> str:
    return _("%(box)s (table %(table)s)") % {"box": box_name(box), "table": box.table.number}


def _loose(number: int) -> str:
    return _("what lies in no box at table %(number)s") % {"number": number}


def _named(ids: Collection[int]) -> Mapping[int, str]:
    return {box.pk: _name(box) for box in Box.objects.filter(id__in=ids).select_related("table")}


def _tables_named(ids: Collection[int]) -> Mapping[int, str]:
    return {pk: _loose(number) for pk, number in Table.objects.filter(id__in=ids).values_list("id", "number")}


# Of both who closed a day's counts over one uncounted (`exception_kinds`).
PUT_OFF = "boxes_put_off"
BOXES = CountsOf("box", _of_day, _named, own=put_in_by, put_off=PUT_OFF)
# What `BOXES` yields besides.
IN_NO_BOX = CountsOf("in_no_box", lambda day, lock: (), _tables_named)
