"""What was open when a gaming day closed, and was carried over its end: what it was, why, and what became of it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import reduce
from operator import or_
from typing import TypeVar

from django.db.models import Q

from casino.cage import day_counts, open_items
from casino.cage.labels import CARRY_REASONS
from casino.cage.models import CarriedItem
from casino.cage.open_items import OpenItem
from casino.people.selectors import staff_names
from casino.rooms.models import GamingDay

Value = TypeVar("Value")
OPERATIONS, COUNTED = CarriedItem.Stage.OPERATIONS, CarriedItem.Stage.COUNTED


@dataclass(frozen=True)
class Carried:
    """
    A carried thing, in the active language. `is_open`: nothing has become of it yet; else `done_at` is when it was
    finished or counted, None where nobody knows. `cents`: how much it was about when the day was over, where that is
    told.
    """

    item: CarriedItem
    name: str
    reason: str
    by: str
    is_open: bool
    done_at: datetime | None
    cents: int | None = None

    @property
    def word(self) -> str:
        return open_items.word(self.item.kind, self.item.number)


def carried_of(day: GamingDay, counts: Iterable[day_counts.ToCount] | None = None) -> list[Carried]:
    """
    Return what was carried when a day closed, in both stages. Two queries, and two for each kind that there is; where
    counts were carried those of `day_counts.counts_of` too, unless `counts` is what that has returned.
    """
    items = list(CarriedItem.objects.filter(day=day).order_by("id"))
    if not items:
        return []
    people, names, done = (
        staff_names({item.carried_by_id for item in items}),
        names_of(items),
        _of_rows(day, items, open_items.done_of),
    )
    # Which boxes are a day's is found posting by posting: nobody reads it where no count was carried.
    if counts is None:
        counts = day_counts.counts_of(day) if any(item.stage == COUNTED for item in items) else ()
    counted = {(each.kind, each.id): each for each in counts}
    amounts = _of_rows(day, items, open_items.cents_of)
    carried = []
    for item in items:
        if item.stage == COUNTED:
            count = counted.get((item.kind, item.number))
            is_open, done_at = count is None or not count.counts, count.counted_at if count else None
        else:
            is_open, done_at = _became(item, done[item.kind])
        reason, by = str(CARRY_REASONS[item.reason]), people.get(item.carried_by_id, "")
        of_rows = amounts.get(item.kind, {}) if item.stage == OPERATIONS else {}
        cents = [of_rows[row] for row in item.rows if row in of_rows]
        carried.append(Carried(item, names[item.pk], reason, by, is_open, done_at, sum(cents) if cents else None))
    return carried


def carried_from(room_id: int, items: Collection[OpenItem]) -> dict[str, date]:
    """
    Return from which earlier gaming day each of what is open now was carried first, by its word; without what is of the
    open day. One query, and those of `done_of` for each time that something of it was.
    """
    of_rows = (Q(kind=each.kind, number=each.number, rows__contains=[row]) for each in items for row in each.rows)
    named = reduce(or_, of_rows, Q(pk=None))
    before = CarriedItem.objects.filter(named, room_id=room_id, stage=OPERATIONS).select_related("day")
    rows = {each.word: set(each.rows) for each in items}
    found: dict[str, date] = {}
    for item in before.order_by("-day_id"):
        word = open_items.word(item.kind, item.number)
        same = rows[word].intersection(item.rows)
        if same - open_items.done_of(item.kind, same, item.day_id).keys():
            found[word] = item.day.date
    return found


def names_of(items: Sequence[CarriedItem]) -> dict[int, str]:
    """Return what people call carried things, by id, in the active language. A query for each kind that has names."""
    kinds: dict[tuple[str, str], list[CarriedItem]] = {}
    for item in items:
        kinds.setdefault((item.stage, item.kind), []).append(item)
    names: dict[int, str] = {}
    for (stage, kind), mine in kinds.items():
        labels = day_counts.labels if stage == COUNTED else open_items.labels
        called = labels(kind, [item.number for item in mine])
        names |= {item.pk: called[item.number] for item in mine}
    return names


def _of_rows(
    day: GamingDay, items: Sequence[CarriedItem], ask: Callable[[str, Collection[int], int], Mapping[int, Value]]
) -> dict[str, Mapping[int, Value]]:
    """Return by kind what is told of the rows that were carried."""
    rows: dict[str, list[int]] = {}
    for item in items:
        if item.stage == OPERATIONS:
            rows.setdefault(item.kind, []).extend(item.rows)
    return {kind: ask(kind, ids, day.pk) for kind, ids in rows.items()}


def _became(item: CarriedItem, done: Mapping[int, datetime | None]) -> tuple[bool, datetime | None]:
    """Return whether something of a carried thing is still open, and since when nothing is, None where nobody knows."""
    if any(row not in done for row in item.rows):
        return True, None
    return False, max((at for row in item.rows if (at := done[row]) is not None), default=None)
