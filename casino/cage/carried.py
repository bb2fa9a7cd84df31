"""What was open when a gaming day closed, and was carried over its end: what it was, why, and what became of it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from casino.cage import day_counts, open_items
from casino.cage.day_counts import ToCount
from casino.cage.labels import CARRY_REASONS
from casino.cage.models import CarriedItem
from casino.commands.carrying_out import Command
from casino.errors import Malformed
from casino.people.selectors import staff_names
from casino.rooms.models import GamingDay

OPERATIONS, COUNTED = CarriedItem.Stage.OPERATIONS, CarriedItem.Stage.COUNTED


@dataclass(frozen=True)
class Carried:
    """
    A carried thing, in the active language. `is_open`: nothing has become of it yet; else `done_at` is when it was
    finished or counted, None where nobody knows.
    """

    item: CarriedItem
    name: str
    reason: str
    by: str
    is_open: bool
    done_at: datetime | None

    @property
    def word(self) -> str:
        return open_items.word(self.item.kind, self.item.number)


def reasons_of(told: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return what is carried and why, by word. :raises Malformed: something is named twice."""
    found: dict[str, str] = {}
    for each in told:
        if each["item"] in found:
            raise Malformed(field="carrying")
        found[each["item"]] = each["reason"]
    return found


def check_reasons(carrying: Mapping[str, str], may_be: Mapping[str, Collection[str]]) -> None:
    """:raises Malformed: the reason is none of those for what is carried; what is finished meanwhile needs none."""
    if any(reason not in may_be.get(word, tuple(CarriedItem.Reason)) for word, reason in carrying.items()):
        raise Malformed(field="reason")


def carry(
    command: Command, day: GamingDay, stage: CarriedItem.Stage, items: Sequence[tuple[str, int, list[int], str]]
) -> list[int]:
    """Store what is carried, each as (kind, number, rows, reason), and return the ids."""
    assert command.by.staff_id is not None
    return [
        CarriedItem.objects.create(
            room_id=day.room_id, day=day, stage=stage, kind=kind, number=number, rows=rows, reason=reason,
            carried_at=command.at, carried_by_id=command.by.staff_id,
        ).pk
        for kind, number, rows, reason in items
    ]  # fmt: skip


def carried_of(day: GamingDay) -> list[Carried]:
    """Return what was carried when a day closed, in both stages. A query, and some for each kind that there is."""
    items = list(CarriedItem.objects.filter(day=day).order_by("id"))
    names = staff_names({item.carried_by_id for item in items}) if items else {}
    counts = {(each.kind, each.id): each for each in day_counts.counts_of(day)} if items else {}
    return [_carried(item, names.get(item.carried_by_id, ""), counts) for item in items]


def name_of(item: CarriedItem) -> str:
    """Return what people call a carried thing, in the active language. A query or so."""
    label = day_counts.label if item.stage == COUNTED else open_items.label
    return label(item.kind, item.number)


def _carried(item: CarriedItem, by: str, counts: Mapping[tuple[str, int], ToCount]) -> Carried:
    reason = str(CARRY_REASONS[item.reason])
    name = name_of(item)
    if item.stage == COUNTED:
        found = counts.get((item.kind, item.number))
        is_open = found is None or not found.counts
        return Carried(item, name, reason, by, is_open, found.counted_at if found else None)
    done = open_items.done_of(item.kind, item.rows, item.day_id)
    is_open = any(row not in done for row in item.rows)
    moments = [at for at in done.values() if at is not None]
    done_at = None if is_open or not moments else max(moments)
    return Carried(item, name, reason, by, is_open, done_at)
