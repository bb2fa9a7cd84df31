"""What a gaming day's closing carries over its end, and why, as whoever closes it names it."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from casino.audit import held
from casino.cage.held import CARRIED
from casino.cage.models import CarriedItem
from casino.commands.carrying_out import Command
from casino.errors import Malformed
from casino.rooms.models import GamingDay


def reasons_of(carrying: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return what is carried and why, by word. :raises Malformed: something is named twice."""
    reasons: dict[str, str] = {}
    for each in carrying:
        if each["item"] in reasons:
            raise Malformed(field="carrying")
        reasons[each["item"]] = each["reason"]
    return reasons


def check_reasons(carrying: Mapping[str, str], may_be: Mapping[str, Collection[str]]) -> None:
    """:raises Malformed: the reason is none of those for what is carried; what is finished meanwhile needs none."""
    if any(reason not in may_be.get(word, tuple(CarriedItem.Reason)) for word, reason in carrying.items()):
        raise Malformed(field="reason")


def carry(
    command: Command, day: GamingDay, stage: CarriedItem.Stage, items: Sequence[tuple[str, int, list[int], str]]
) -> list[int]:
    """Store what is carried, each as (kind, number, rows, reason), and return the ids. One statement."""
    stored = CarriedItem.objects.bulk_create(
        CarriedItem(
            room_id=day.room_id, day=day, stage=stage, kind=kind, number=number, rows=rows, reason=reason,
            carried_at=command.at, carried_by_id=command.staff_id,
        )
        for kind, number, rows, reason in items
    )  # fmt: skip
    # Rows in bulk tell the log nothing of themselves.
    for item in stored:
        held.note(CARRIED.kind, item.pk)
    return [item.pk for item in stored]
