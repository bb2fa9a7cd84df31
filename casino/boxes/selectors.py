"""Questions about boxes. What is expected in one is answered once it is counted, and not before."""

from collections.abc import Iterator
from dataclasses import dataclass

from casino.boxes.log import loose_cents
from casino.boxes.models import Box, BoxCount
from tables.charges import ChargeKind, charge_kinds
from tables.models import Table


@dataclass(frozen=True)
class Place:
    """Where boxes of a kind hang at a table: the one that does, and whether chips lie there that are in none."""

    table: Table
    kind: ChargeKind
    box: Box | None
    has_loose: bool


def places_of(room_id: int) -> Iterator[Place]:
    """
    Yield, by table and kind of charge, each place where a box hangs, could hang or is missing. Three queries.

    Of a table that runs nothing only what still hangs or lies there.
    """
    kinds = list(charge_kinds())
    tables = list(Table.objects.filter(room_id=room_id).select_related("opening__game").order_by("number"))
    hanging = {(box.table_id, box.charge): box for box in Box.objects.filter(Box.HANGS, room_id=room_id)}
    loose = loose_cents(room_id, [kind.box for kind in kinds], [table.pk for table in tables])
    for table in tables:
        charged = table.opening.game.charges if table.opening else {}
        for kind in kinds:
            box = hanging.get((table.pk, kind.code))
            lies = bool(loose.get((table.pk, kind.box))) and box is None
            if box is not None or lies or kind.code in charged:
                yield Place(table, kind, box, lies)


def waiting_boxes(room_id: int) -> list[Box]:
    """Return the boxes that were dropped and wait to be counted, the oldest first. One query."""
    found = Box.objects.filter(Box.WAITS, room_id=room_id).select_related("table")
    return list(found.order_by("id"))


def last_counts(room_id: int, *, offset: int = 0, most: int = 50) -> list[BoxCount]:
    """Return what was counted, the newest first; of a box that was counted again each count. One query."""
    found = BoxCount.objects.filter(room_id=room_id).select_related("box__table", "day").order_by("-id")
    return list(found[offset : offset + most])
