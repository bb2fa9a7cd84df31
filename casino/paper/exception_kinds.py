"""What the exception report counts of sheets that were caught up: those that the floor had another dealer sign."""

from collections.abc import Iterable, Iterator

from django.db.models import Count, JSONField, QuerySet
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _

from casino.audit.models import Event
from casino.audit.sentences import Reader
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
    as_cases,
)

NAMED = "paper_signers_named"


def _named(span: Span) -> QuerySet[Event]:
    # Of what became of it: among its arguments a reason stands too, an empty one, or one that was not needed.
    events = Event.objects.filter(**span.bounds(), name="paper.catch_up").annotate(log=Cast("text", JSONField()))
    return events.filter(log__data__has_key="overrule")


def _read(span: Span) -> Iterator[Counted]:
    """Count the sheets whose dealer the floor named, by who entered them. One query."""
    for staff_id, count in _named(span).values_list("staff_id").annotate(Count("id")).order_by("staff_id"):
        yield Counted(NAMED, staff_id, count)


def _cases(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    return as_cases(list(_named(span).filter(staff_id=staff_id).order_by("-id")[:CASES_MAX]), reader)


def register() -> None:
    """Add the kind to the exception report."""
    add_kinds(
        ExceptionKind(
            NAMED,
            _("Sheets of paper signed by a dealer whom the floor named"),
            SHIFTS,
            may="paper.catch_up",
            note=_("By who entered them: nobody who is known to have dealt there could sign."),
        )
    )
    add_reader(_read)
    add_cases(NAMED, _cases)
