"""The exception report as tables of figures, in the same shape as the gaming day's (`casino.reports.sheet`)."""

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.people.exception_report import Span
from casino.reports.exception_columns import (
    AMOUNT,
    BASIS,
    CASES,
    OF_PEOPLE,
    OF_ROOM,
    RATE,
    TIMES,
    FigureColumn,
    FigureRow,
    on_sheet,
)
from casino.reports.selectors.exceptions import ExceptionReport, KindFigures, PersonFigure
from casino.reports.sheet import Column, Sheet
from casino.reports.standing_out import CASES_MIN, SPREADS

_PERSON = Column("person", gettext_lazy("Who"))
_KIND = Column("kind", gettext_lazy("What"))
_ROOM = gettext_lazy("The room")
_MEASURE = Column("measure", gettext_lazy("Measure"))


def bound_words() -> str:
    """Say in words when a figure is marked, so that whoever reads it knows what the mark says."""
    about = {"cases": CASES_MIN, "spreads": SPREADS}
    return _(
        "Stands out: at least %(cases)s cases, and above what the room’s average gives for as much work by more than "
        "%(spreads)s times the spread that chance has (its square root). Of fewer cases nothing can be said. An "
        "exception is no wrong: it is a reason to look."
    ) % {**about}


def exception_sheets_of(report: ExceptionReport) -> Iterator[Sheet]:
    """Yield the tables of a report: who stands out, the room by kind, and people by kind where they are shown."""
    if report.shows_people and report.standing_out:
        yield _standing_out(report)
    yield _room(report)
    if report.shows_people:
        for each in report.kinds:
            yield _people(each, report.span)


def cases_url(each: KindFigures, person: PersonFigure, span: Span) -> str:
    """
    Return where the events behind one person's figure are listed, "" for nobody's.

    The log itself, where each case is an event of one command.
    """
    if person.staff_id is None:
        return ""
    days = {"from": span.first.isoformat(), "to": span.last.isoformat()}
    if each.kind.command:
        query = {"day": days["from"], "to": days["to"], "name": each.kind.command, "by": f"staff-{person.staff_id}"}
        return f"{reverse('log')}?{urlencode({**query, 'result': 'done'})}"
    query = {"kind": each.kind.code, "staff": str(person.staff_id)}
    return f"{reverse('exception_cases')}?{urlencode({**query, **days})}"


def _name_of(person: PersonFigure) -> str:
    return person.name if person.staff_id else _("nobody named")


def _room(report: ExceptionReport) -> Sheet:
    columns = [_KIND, Column("basis", gettext_lazy("Against")), *_with_measure(OF_ROOM)]
    rows = [
        {
            "kind": str(each.kind.words),
            "basis": str(each.basis.words),
            "measure": str(each.basis.rate),
            **on_sheet(OF_ROOM, FigureRow(each)),
        }
        for each in report.kinds
    ]
    return Sheet("room", _ROOM, columns, rows)


def _with_measure(figures: Iterable[FigureColumn]) -> Iterator[Column]:
    """Yield the columns of figures, and behind the rate what it is of: a table of several kinds says it by row."""
    for each in figures:
        yield each.column
        if each.name == RATE.name:
            yield _MEASURE


def _standing_out(report: ExceptionReport) -> Sheet:
    average = Column("average", gettext_lazy("the room’s"), "hundredths")
    figures = (CASES, BASIS.called(gettext_lazy("of how many")), RATE, TIMES)
    cases, basis, rate, times = (each.column for each in figures)
    columns = [_PERSON, _KIND, cases, basis, rate, average, _MEASURE, times]
    standing_out = report.standing_out
    rows: list[dict[str, Any]] = [
        {
            "person": _name_of(person),
            "kind": str(each.kind.words),
            "average": each.rate_hundredths(each.room),
            "measure": str(each.basis.rate),
            **on_sheet(figures, FigureRow(each, person)),
        }
        for each, person in standing_out
    ]
    urls = [cases_url(each, person, report.span) for each, person in standing_out]
    return Sheet("standing_out", gettext_lazy("Who stands out"), columns, rows, urls=urls)


def _people(each: KindFigures, span: Span) -> Sheet:
    figures = [_of_kind(column, each) for column in OF_PEOPLE if column is not AMOUNT or each.kind.has_cents]
    had = [person for person in each.people if person.figure.count]
    rows = [{"person": _name_of(person), **on_sheet(figures, FigureRow(each, person))} for person in had]
    total = on_sheet(OF_ROOM, FigureRow(each))
    urls = [cases_url(each, person, span) for person in had]
    columns = [_PERSON, *(figure.column for figure in figures)]
    return Sheet(
        each.kind.code, each.kind.words, columns, rows, total, note=each.kind.note, urls=urls, total_words=_ROOM
    )


def _of_kind(column: FigureColumn, each: KindFigures) -> FigureColumn:
    """Return a column under the heading that it has in the table of one kind."""
    words = {BASIS.name: each.basis.words, RATE.name: each.basis.rate}
    return column.called(words[column.name]) if column.name in words else column
