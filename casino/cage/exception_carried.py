"""What the exception report counts of what was carried over a day's two closings uncounted: drawers, and then boxes."""

from collections.abc import Iterable, Iterator

from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.audit.sentences import Reader
from casino.cage.labels import CARRY_REASONS
from casino.cage.models import CarriedItem
from casino.cage.selectors.carried_over import COUNTED, OPERATIONS, names_of
from casino.people.exception_report import (
    CASES_MAX,
    SHIFTS,
    Case,
    Counted,
    ExceptionKind,
    Span,
    add_cases,
    add_kinds,
    add_reader,
)

PUT_OFF, BOXES_PUT_OFF = "drawers_put_off", "boxes_put_off"
_DRAWERS = Q(stage=OPERATIONS, kind__in=("drawer", "bank"))
_BOXES = Q(stage=COUNTED, kind="box")


def read(span: Span) -> Iterator[Counted]:
    """
    Count the drawers and banks that were carried, by who closed the day over them, and the boxes, by both who closed
    its counts. One query.
    """
    items = CarriedItem.objects.filter(_DRAWERS | _BOXES, day__in=span.day_ids).order_by("id")
    for pk, stage, by_id, with_id in items.values_list("id", "stage", "carried_by_id", F("day__counted_with_id")):
        if stage == OPERATIONS:
            yield Counted(PUT_OFF, by_id, 1)
        else:
            yield Counted(BOXES_PUT_OFF, by_id, 1, thing=pk)
            yield Counted(BOXES_PUT_OFF, with_id, 1, thing=pk)


def _drawer_cases(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    items = CarriedItem.objects.filter(_DRAWERS, day__in=span.day_ids, carried_by_id=staff_id)
    for item in items.order_by("-id")[:CASES_MAX]:
        text = _("Bank %(drawer)s, not counted: %(reason)s")
        if item.kind == "drawer":
            text = _("Drawer %(drawer)s, not counted: %(reason)s")
        yield _as_case(item, text % {"drawer": item.number, "reason": CARRY_REASONS[item.reason]}, reader)


def _box_cases(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    both = Q(carried_by_id=staff_id) | Q(day__counted_with_id=staff_id)
    items = list(CarriedItem.objects.filter(_BOXES, both, day__in=span.day_ids).order_by("-id")[:CASES_MAX])
    names = names_of(items)
    for item in items:
        about = {"box": names[item.pk], "reason": CARRY_REASONS[item.reason]}
        yield _as_case(item, _("%(box)s, not counted: %(reason)s") % about, reader)


def _as_case(item: CarriedItem, words: str, reader: Reader) -> Case:
    url = reverse("cage_one_day", args=[item.day_id]) if "page.day" in reader.may else ""
    return Case(item.carried_at, words, "day", url)


def register() -> None:
    """Add the kinds to the exception report."""
    add_kinds(
        ExceptionKind(
            PUT_OFF,
            gettext_lazy("Drawers carried over uncounted"),
            SHIFTS,
            may="cage.close_day",
            note=gettext_lazy("By the manager who closed the day over them."),
        ),
        ExceptionKind(
            BOXES_PUT_OFF,
            gettext_lazy("Boxes carried over uncounted"),
            SHIFTS,
            may="cage.close_counts",
            note=gettext_lazy("By both who closed the day’s counts over them."),
        ),
    )
    add_reader(read)
    add_cases(PUT_OFF, _drawer_cases)
    add_cases(BOXES_PUT_OFF, _box_cases)
