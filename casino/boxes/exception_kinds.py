"""
What the exception report counts of boxes: those that were short, by who dealt into them, those over which a day's
counts closed uncounted, and what was taken back.
"""

from collections.abc import Iterable, Iterator
from typing import Any, LiteralString

from django.db import connection
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.audit.sentences import Reader
from casino.boxes.of_day import BOXES as COUNTS
from casino.boxes.of_day import PUT_OFF
from casino.boxes.selectors.log import IN_BOX
from casino.cage.exception_carried import case_of
from casino.cage.labels import CARRY_REASONS
from casino.cage.models import CarriedItem
from casino.cage.selectors.carried_over import COUNTED, names_of
from casino.money import format_cents
from casino.people.exception_report import (
    CASES_MAX,
    SHIFTS,
    Basis,
    Case,
    Counted,
    ExceptionKind,
    Span,
    add_bases,
    add_cases,
    add_kinds,
    add_reader,
    by_shifts,
)
from tables.about import HAND
from tables.charges import charge_kinds

BOXES, SHORT = "boxes", "boxes_short"
_CARRIED = Q(stage=COUNTED, kind=COUNTS.kind)
# The last count of each box that was counted in the span, and who dealt the hands that paid into it. What fell before
# any box hung there is nobody's.
_DEALT_INTO: LiteralString = """
    WITH counted AS (
        SELECT DISTINCT ON (box_id) box_id, at, expected_cents - cents AS short, day_id FROM boxes_boxcount
        WHERE room_id = %(room)s AND box_id IN (
            SELECT box_id FROM boxes_boxcount WHERE room_id = %(room)s AND day_id = ANY(%(days)s)
        ) ORDER BY box_id, number DESC
    )
    SELECT box.id, box.charge, box.number, table_of.number, counted.at, counted.short, dealer.staff_id
    FROM counted JOIN boxes_box box ON box.id = counted.box_id AND (box.number IS NOT NULL OR box.hung_after > 0)
    JOIN tables_table table_of ON table_of.id = box.table_id
    CROSS JOIN LATERAL (
        SELECT DISTINCT hand.dealer_id AS staff_id FROM (
            SELECT {hand_id} AS hand_id {in_box}
        ) posted JOIN tables_hand hand ON hand.id = posted.hand_id
    ) dealer
    WHERE counted.day_id = ANY(%(days)s) ORDER BY box.id DESC
"""


def _rows(span: Span) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(_DEALT_INTO.format(in_box=IN_BOX, hand_id=HAND), {"room": span.room_id, "days": span.day_ids})
        return list(cursor.fetchall())


def read(span: Span) -> Iterator[Counted]:
    """Count boxes by everybody who dealt into them; those carried uncounted the cage reads. One query."""
    for box_id, *_box, short, staff_id in _rows(span):
        yield Counted(BOXES, staff_id, 1, thing=box_id)
        if short > 0:
            yield Counted(SHORT, staff_id, 1, short, thing=box_id)


def _shorts(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    names = {kind.code: kind.words.box for kind in charge_kinds()}
    mine = [row for row in _rows(span) if row[6] == staff_id and row[5] > 0]
    for box_id, charge, number, table, at, short, _staff in mine[:CASES_MAX]:
        about = {
            "box": names[charge],
            "number": number or "–",
            "table": table,
            "amount": format_cents(short, currency=reader.currency, locale=reader.locale),
        }
        words = _("%(box)s %(number)s of table %(table)s: %(amount)s missing") % about
        url = reverse("box", args=[box_id]) if "page.boxes" in reader.may else ""
        yield Case(at, words, f"table.{table}", url)


def _carried(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    both = Q(carried_by_id=staff_id) | Q(day__counted_with_id=staff_id)
    items = list(CarriedItem.objects.filter(_CARRIED, both, day__in=span.day_ids).order_by("-id")[:CASES_MAX])
    names = names_of(items)
    for item in items:
        about = {"box": names[item.pk], "reason": CARRY_REASONS[item.reason]}
        yield case_of(item, _("%(box)s, not counted: %(reason)s") % about, reader)


def register() -> None:
    """Add the boxes' basis and kinds to the exception report."""
    add_bases(Basis(BOXES, gettext_lazy("Boxes counted"), scale=1, rate=gettext_lazy("per box")))
    add_kinds(
        ExceptionKind(
            SHORT,
            gettext_lazy("Boxes short"),
            BOXES,
            has_cents=True,
            note=gettext_lazy(
                "Of all who dealt into a box nobody knows whose it is: who is often among them stands out."
            ),
        ),
        ExceptionKind(
            PUT_OFF,
            gettext_lazy("Boxes carried over uncounted"),
            SHIFTS,
            may="cage.close_counts",
            note=gettext_lazy("By both who closed the day’s counts over them."),
        ),
        by_shifts("boxes_taken_back", gettext_lazy("Boxes hung or dropped by mistake"), "boxes.take_back"),
    )
    add_reader(read)
    add_cases(SHORT, _shorts)
    add_cases(PUT_OFF, _carried)
