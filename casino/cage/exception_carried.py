"""What the exception report counts of what was carried over a day's closings uncounted: drawers, and what apps add."""

from collections.abc import Iterable, Iterator

from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.audit.sentences import Reader
from casino.cage import day_counts
from casino.cage.labels import CARRY_REASONS
from casino.cage.models import CarriedItem
from casino.cage.selectors.carried_over import COUNTED, OPERATIONS
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

PUT_OFF = "drawers_put_off"
_DRAWERS = Q(stage=OPERATIONS, kind__in=("drawer", "bank"))


def read(span: Span) -> Iterator[Counted]:
    """
    Count the drawers and banks that were carried, by who closed the day over them, and what of `day_counts` is an
    exception then, by both who closed its counts. One query.
    """
    kinds = day_counts.put_off()
    items = CarriedItem.objects.filter(_DRAWERS | Q(stage=COUNTED, kind__in=kinds), day__in=span.day_ids).order_by("id")
    for pk, stage, kind, by_id, with_id in items.values_list(
        "id", "stage", "kind", "carried_by_id", F("day__counted_with_id")
    ):
        if stage == OPERATIONS:
            yield Counted(PUT_OFF, by_id, 1)
        else:
            yield Counted(kinds[kind], by_id, 1, thing=pk)
            yield Counted(kinds[kind], with_id, 1, thing=pk)


def _drawer_cases(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    items = CarriedItem.objects.filter(_DRAWERS, day__in=span.day_ids, carried_by_id=staff_id)
    for item in items.order_by("-id")[:CASES_MAX]:
        text = _("Bank %(drawer)s, not counted: %(reason)s")
        if item.kind == "drawer":
            text = _("Drawer %(drawer)s, not counted: %(reason)s")
        yield case_of(item, text % {"drawer": item.number, "reason": CARRY_REASONS[item.reason]}, reader)


def case_of(item: CarriedItem, words: str, reader: Reader) -> Case:
    """Return what was carried as a case, in these words, with the page of the day that closed over it."""
    url = reverse("cage_one_day", args=[item.day_id]) if "page.day" in reader.may else ""
    return Case(item.carried_at, words, "day", url)


def register() -> None:
    """Add the kind to the exception report."""
    add_kinds(
        ExceptionKind(
            PUT_OFF,
            gettext_lazy("Drawers carried over uncounted"),
            SHIFTS,
            may="cage.close_day",
            note=gettext_lazy("By the manager who closed the day over them."),
        )
    )
    add_reader(read)
    add_cases(PUT_OFF, _drawer_cases)
