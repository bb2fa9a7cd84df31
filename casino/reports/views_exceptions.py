"""The exception report on screen, on paper and as files, and what lies behind one person's figure."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from casino.commands.methods import require_safe
from casino.errors import Malformed, Refusal
from casino.people.exception_report import CASES_MAX
from casino.people.http import ActorRequest, actor_of, page, queried_span, without_days
from casino.reports.exception_sheets import bound_words, exception_sheets_of
from casino.reports.files import as_csv, as_file, as_workbook, open_or_closed
from casino.reports.selectors.exceptions import ExceptionReport, cases_behind, exception_report, span_of
from casino.reports.shown import log_of, shown
from casino.rooms.models import Room
from casino.rooms.selectors import room_of
from casino.text import id_from_text


@page("page.exceptions")
@never_cache
@require_safe
def exceptions_page(request: ActorRequest) -> HttpResponse:
    """Show what was out of the ordinary in a span of gaming days: the room's, and people's to compliance alone."""
    by = actor_of(request)
    room = room_of(by.room_id)
    first, last = queried_span(request)
    context: dict[str, Any] = {"room": room, "first": first, "last": last}
    try:
        report = exception_report(room, by, first, last)
    except Refusal as wrong:
        return without_days(request, "reports/exceptions.html", context, wrong, names_days=bool(first or last))
    context |= {
        "report": report,
        "first": report.span.first,
        "last": report.span.last,
        "bound": bound_words(),
        "sheets": [shown(sheet, room) for sheet in exception_sheets_of(report) if sheet.rows],
    }
    return render(request, "reports/exceptions.html", context)


@page("page.exceptions")
@never_cache
@require_safe
def exceptions_csv(request: ActorRequest) -> HttpResponse:
    """Return the same as CSV. :raises SpanBackwards, SpanTooLong, NoDayInSpan: as they say."""
    room, report = _report(request)
    span = report.span
    of = ("exceptions", span.first.isoformat(), span.last.isoformat(), open_or_closed(report))
    return as_file(as_csv(of, list(exception_sheets_of(report)), room), f"exceptions-{span.first}-{span.last}.csv")


@page("page.exceptions")
@never_cache
@require_safe
def exceptions_workbook(request: ActorRequest) -> HttpResponse:
    """Return the same as a workbook. :raises SpanBackwards, SpanTooLong, NoDayInSpan: as they say."""
    room, report = _report(request)
    span = report.span
    content = as_workbook(f"{span.first} – {span.last}", list(exception_sheets_of(report)), room)
    return as_file(content, f"exceptions-{span.first}-{span.last}.xlsx")


@page("page.exception_cases")
@never_cache
@require_safe
def cases_page(request: ActorRequest) -> HttpResponse:
    """
    List what lies behind one person's figure.

    :raises Malformed: no kind of exception, or no person.
    :raises NotFound: nobody of this room.
    :raises OwnFigures: they are whose page this would be.
    """
    by = actor_of(request)
    room = room_of(by.room_id)
    span = span_of(room, *queried_span(request))
    kind, name, cases = cases_behind(room, by, code=request.GET.get("kind", ""), staff_id=_staff_id(request), span=span)
    context = {
        "room": room,
        "kind": kind,
        "name": name,
        "first": span.first,
        "last": span.last,
        "cases": [(case, log_of(case.chain, span.day_of(case.at))) for case in cases],
        "most": CASES_MAX if len(cases) == CASES_MAX else None,
    }
    return render(request, "reports/exception_cases.html", context)


def _report(request: ActorRequest) -> tuple[Room, ExceptionReport]:
    by = actor_of(request)
    room = room_of(by.room_id)
    return room, exception_report(room, by, *queried_span(request))


def _staff_id(request: ActorRequest) -> int:
    staff_id = id_from_text(request.GET.get("staff", ""))
    if staff_id is None:
        raise Malformed(field="staff")
    return staff_id
