"""Questions about boxes. What is expected in one is answered once it is counted, and not before."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from casino.boxes.models import Box, BoxCount
from casino.boxes.selectors.log import InNoBox, loose_at, with_chips
from tables.charges import ChargeKind, charge_kinds
from tables.models import Table


@dataclass(frozen=True)
class Place:
    """
    Where boxes of a kind hang at a table: the one that does, and whether chips lie there that are in none. `may_undo`:
    that it was hung can still be taken back.
    """

    table: Table
    kind: ChargeKind
    box: Box | None
    has_loose: bool
    may_undo: bool


def places_of(room_id: int) -> Iterator[Place]:
    """
    Yield, by table and kind of charge, each place where a box hangs, could hang or is missing. Four queries.

    Of a table that runs nothing only what still hangs or lies there.
    """
    kinds = list(charge_kinds())
    tables = list(Table.objects.filter(room_id=room_id).select_related("opening__game").order_by("number"))
    boxes = Box.objects.filter(Box.HANGS, room_id=room_id).select_related("replaces")
    hanging = {(box.table_id, box.charge): box for box in boxes}
    loose = loose_at(room_id, kinds, [table.pk for table in tables])
    stays = with_chips(room_id, [box.pk for box in hanging.values()])
    for table in tables:
        charged = table.opening.game.charges if table.opening else {}
        for kind in kinds:
            box = hanging.get((table.pk, kind.code))
            lies = box is None and loose.get((table.pk, kind.code), InNoBox()).cents > 0
            may_undo = box is not None and box.pk not in stays and not (box.replaces and box.replaces.is_counted)
            if box is not None or lies or kind.code in charged:
                yield Place(table, kind, box, lies, may_undo)


def waiting_boxes(room_id: int) -> list[Box]:
    """
    Return the boxes that were dropped and wait to be counted, the oldest first. One query.

    `is_last`: it is the newest at its place, and was not counted, so that its drop can be taken back.
    """
    newer = Box.objects.filter(table=OuterRef("table"), charge=OuterRef("charge"), taken_back_at=None)
    boxes = Box.objects.filter(Box.WAITS, room_id=room_id).select_related("table")
    boxes = boxes.annotate(is_last=~Exists(newer.filter(id__gt=OuterRef("id"))) & ~Box.OF_BEFORE)
    return list(boxes.order_by("id"))


def last_counts(room_id: int, *, offset: int = 0, most: int = 50) -> list[BoxCount]:
    """Return what was counted, the newest first; of a box that was counted again each count. One query."""
    counts = BoxCount.objects.filter(room_id=room_id).select_related("box__table", "day").order_by("-id")
    return list(counts[offset : offset + most])
