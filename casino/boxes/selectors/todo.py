"""What boxes leave to the floor: counts that differ, and tables where no box hangs."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from casino import clock
from casino.boxes.models import Box, BoxCount
from casino.boxes.words import box_name
from casino.live.todo import ToDoLine
from casino.money import format_cents, format_difference
from casino.reading import read_once
from casino.rooms.selectors import room_of
from casino.rows import read_seldom
from tables.charges import charge_codes
from tables.models import Opening, Table

_DIFFER = """FROM boxes_boxcount JOIN boxes_box ON boxes_box.id = boxes_boxcount.box_id
    JOIN tables_table ON tables_table.id = boxes_box.table_id
    WHERE boxes_box.room_id = %s AND boxes_box.to_judge AND boxes_boxcount.number = (
        SELECT max(number) FROM boxes_boxcount newest WHERE newest.box_id = boxes_box.id)
    ORDER BY boxes_boxcount.id"""
# Of what the room has numbered its boxes of lately: nobody else is told that they lack.
_LACKS = """FROM tables_table JOIN tables_opening ON tables_opening.id = tables_table.opening_id
    JOIN tables_game ON tables_game.id = tables_opening.game_id
    JOIN (
        SELECT room_id, array_agg(DISTINCT charge) AS charges FROM boxes_box
        WHERE room_id = %s AND number IS NOT NULL AND taken_back_at IS NULL AND hung_at >= %s AND charge = ANY(%s)
        GROUP BY room_id
    ) numbered ON numbered.room_id = tables_table.room_id
    LEFT JOIN (
        SELECT table_id, array_agg(charge) AS charges FROM boxes_box
        WHERE room_id = %s AND dropped_after IS NULL AND taken_back_at IS NULL GROUP BY table_id
    ) hangs ON hangs.table_id = tables_table.id
    WHERE tables_table.room_id = %s AND EXISTS (
        SELECT FROM unnest(numbered.charges) kind
        WHERE tables_game.charges ? kind AND NOT kind = ANY(coalesce(hangs.charges, ARRAY[]::varchar[])))
    ORDER BY tables_table.number"""
# A room that has hung none for so long does not number them any more.
_NUMBERS_FOR = timedelta(days=14)


def differing_lines(*, room_id: int) -> Iterator[ToDoLine]:
    """Yield a line for each box whose count differs and which nobody has looked at. One query, and the room's."""
    for count, box, table in _differing(room_id):
        yield _differs(count, box, table)


def lacking_lines(*, room_id: int) -> Iterator[ToDoLine]:
    """Yield a line for each table that plays where a box is missing, in a room that numbers its boxes. One query."""
    for table, opening in _lacking(room_id):
        yield ToDoLine(
            key=f"no_box.{table.pk}",
            table_number=table.number,
            urgency=5,
            tone="later",
            where=_("Table %(number)s") % {"number": table.number},
            text=_("No numbered box hangs for all that is taken here"),
            reason=_("Until one hangs, what falls there is counted by itself."),
            at=opening.opened_at,
            how="page",
            address=reverse("boxes"),
            label=_("To the boxes"),
        )


@read_once
def _differing(room_id: int) -> list[list[Any]]:
    return read_seldom((BoxCount, Box, Table), _DIFFER, room_id)


@read_once
def _lacking(room_id: int) -> list[list[Any]]:
    # The same all day long: what is asked anew each time is never known already.
    since = clock.now().replace(hour=0, minute=0, second=0, microsecond=0) - _NUMBERS_FOR
    return read_seldom((Table, Opening), _LACKS, room_id, since, list(charge_codes()), room_id, room_id)


def _differs(count: BoxCount, box: Box, table: Table) -> ToDoLine:
    room = room_of(count.room_id)
    money = {"currency": room.currency, "locale": room.locale}
    text = _("%(box)s: the count differs by %(difference)s of %(expected)s") % {
        "box": box_name(box),
        "difference": format_difference(count.difference_cents, **money),
        "expected": format_cents(count.expected_cents, **money),
    }
    return ToDoLine(
        key=f"box.{box.pk}",
        table_number=table.number,
        urgency=2,
        tone="wrong",
        where=_("Table %(number)s") % {"number": table.number},
        text=text,
        reason=_("Have it counted again, and go through the hands that paid into it."),
        at=count.at,
        how="page",
        address=reverse("box", args=[box.pk]),
        label=_("Look"),
    )
