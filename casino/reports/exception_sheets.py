"""The exception report as tables of figures, in the same shape as the gaming day's (`casino.reports.sheet`)."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.people.exception_report import Span
from casino.reports.exceptions import ExceptionReport, KindFigures, PersonFigure
from casino.reports.sheet import Column, Sheet, Text
from casino.reports.standing_out import CASES_MIN, SPREADS, Mark

MARK_WORDS: dict[Mark, Text] = {
    Mark.NONE: "",
    Mark.FEW: gettext_lazy("few cases"),
    Mark.STANDS_OUT: gettext_lazy("stands out"),
}
_CASES, _AMOUNT = (
    Column("cases", gettext_lazy("Cases"), "count"),
    Column("amount", gettext_lazy("Amount"), "cents", is_rare=True),
)
_PERSON = Column("person", gettext_lazy("Who"))
_ROOM = gettext_lazy("The room")
_MEASURE = Column("measure", gettext_lazy("Measure"))
_TIMES = Column("times_average", gettext_lazy("times the average"), "tenths")


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
    columns = [
        Column("kind", gettext_lazy("What")),
        Column("basis", gettext_lazy("Against")),
        Column("basis_count", gettext_lazy("How many"), "count"),
        _CASES,
        Column("rate", gettext_lazy("Rate"), "hundredths"),
        _MEASURE,
        _AMOUNT,
    ]
    rows = [
        {
            "kind": str(each.kind.words),
            "basis": str(each.basis.words),
            "basis_count": each.room.basis,
            "cases": each.room.count,
            "rate": each.rate_hundredths(each.room),
            "measure": str(each.basis.rate),
            "amount": each.cents if each.kind.has_cents else None,
        }
        for each in report.kinds
    ]
    return Sheet("room", _ROOM, columns, rows)


def _standing_out(report: ExceptionReport) -> Sheet:
    columns = [
        _PERSON,
        Column("kind", gettext_lazy("What")),
        _CASES,
        Column("basis_count", gettext_lazy("of how many"), "count"),
        Column("rate", gettext_lazy("Rate"), "hundredths"),
        Column("average", gettext_lazy("the room’s"), "hundredths"),
        _MEASURE,
        _TIMES,
    ]
    standing_out = report.standing_out
    rows: list[dict[str, Any]] = [
        {
            "person": _name_of(person),
            "kind": str(each.kind.words),
            "cases": person.figure.count,
            "basis_count": person.figure.basis,
            "rate": each.rate_hundredths(person.figure),
            "average": each.rate_hundredths(each.room),
            "measure": str(each.basis.rate),
            "times_average": person.times_tenths,
        }
        for each, person in standing_out
    ]
    urls = [cases_url(each, person, report.span) for each, person in standing_out]
    return Sheet("standing_out", gettext_lazy("Who stands out"), columns, rows, urls=urls)


def _people(each: KindFigures, span: Span) -> Sheet:
    columns = [
        _PERSON,
        Column("basis_count", each.basis.words, "count"),
        _CASES,
        Column("rate", each.basis.rate, "hundredths"),
        _TIMES,
        *([_AMOUNT] if each.kind.has_cents else []),
        Column("mark", gettext_lazy("Mark")),
    ]
    had = [person for person in each.people if person.figure.count]
    rows: list[dict[str, Any]] = [
        {
            "person": _name_of(person),
            "basis_count": person.figure.basis,
            "cases": person.figure.count,
            "rate": each.rate_hundredths(person.figure),
            "times_average": person.times_tenths,
            "amount": person.cents,
            "mark": str(MARK_WORDS[person.mark]),
        }
        for person in had
    ]
    total = {
        "basis_count": each.room.basis,
        "cases": each.room.count,
        "rate": each.rate_hundredths(each.room),
        "amount": each.cents,
    }
    urls = [cases_url(each, person, span) for person in had]
    return Sheet(
        each.kind.code, each.kind.words, columns, rows, total, note=each.kind.note, urls=urls, total_words=_ROOM
    )
