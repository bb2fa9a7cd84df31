"""The gaming day's report on screen, on paper and as files."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from casino.cage import day_counts
from casino.commands.methods import require_safe
from casino.ledger.selectors.accounts import days_of
from casino.people.http import ActorRequest, actor_of, page, queried_day, without_days
from casino.reports.charts import Chart, chart
from casino.reports.errors import NoDayOfDate
from casino.reports.figures import DayReport
from casino.reports.files import as_csv, as_file, as_workbook, open_or_closed
from casino.reports.selectors.day import day_report
from casino.reports.sheets import sheets_of
from casino.reports.shown import shown
from casino.rooms.models import Room
from casino.rooms.selectors import room_of, rule_book_in_force
from tables.charges import charge_kinds


@page("page.day_report")
@never_cache
@require_safe
def report_page(request: ActorRequest) -> HttpResponse:
    """Show the report of a gaming day, of the newest one where none is named."""
    by = actor_of(request)
    room, on = room_of(by.room_id), _named(request)
    context: dict[str, Any] = {"room": room, "days": days_of(room.pk), "on": on}
    try:
        report = day_report(room, on, shown_to=by.staff_id)
    except NoDayOfDate as wrong:
        return without_days(request, "reports/day.html", context, wrong, names_days=on is not None)
    sheets = [shown(sheet, room, on=report.day.date) for sheet in sheets_of(report) if sheet.rows]
    # The venue as it was on that day.
    _version, book = rule_book_in_force(room.pk, at=report.day.opened_at)
    counts = day_counts.counts_of(report.day)
    context |= {
        "differ": sum(each.differs for each in (*counts, *day_counts.found_besides(report.day))),
        "is_counted": bool(counts) and all(each.counts for each in counts),
        "venue": book.venue,
        "report": report,
        "on": report.day.date,
        "sheets": sheets,
        "charts": charts_of(report, room),
    }
    return render(request, "reports/day.html", context)


@page("page.day_report")
@never_cache
@require_safe
def csv_file(request: ActorRequest) -> HttpResponse:
    """Return the same as CSV. :raises NoDayOfDate: no gaming day has this date."""
    by = actor_of(request)
    room = room_of(by.room_id)
    report = day_report(room, _named(request), shown_to=by.staff_id)
    of = ("gaming_day", report.day.date.isoformat(), open_or_closed(report), "differs", report.differs)
    return as_file(as_csv(of, list(sheets_of(report)), room, note=report.left_out), f"day-{report.day.date}.csv")


@page("page.day_report")
@never_cache
@require_safe
def workbook(request: ActorRequest) -> HttpResponse:
    """Return the same as a workbook. :raises NoDayOfDate: no gaming day has this date."""
    by = actor_of(request)
    room = room_of(by.room_id)
    report = day_report(room, _named(request), shown_to=by.staff_id)
    content = as_workbook(report.day.date.isoformat(), list(sheets_of(report)), room, note=report.left_out)
    return as_file(content, f"day-{report.day.date}.xlsx")


def _named(request: ActorRequest) -> date | None:
    """Return the date that the address names, None where it names none. :raises Malformed: it is no date."""
    return queried_day(request, "day", date.min) if request.GET.get("day") else None


def charts_of(report: DayReport, room: Room) -> list[tuple[str, str, Chart]]:
    """Return the pictures of a night, each with its title and what is the most of it; none of a day without a hand."""
    if not any(each.hands or each.seats_tenths for each in report.night):
        return []
    zone = ZoneInfo(room.time_zone)
    moments = [f"{each.began_at.astimezone(zone):%H:%M}" for each in report.night]
    seats = [each.seats_taken_tenths / 10 for each in report.night]
    drawn: list[tuple[str, Sequence[float], Sequence[float]]] = [
        (_("Seats taken, and seats at open tables"), seats, [each.seats_tenths / 10 for each in report.night]),
        (_("Hands"), [each.hands for each in report.night], []),
    ]
    for kind in charge_kinds():
        taken = [each.taken.get(kind.code, 0) / 100 for each in report.night]
        if any(taken):
            drawn.append((f"{kind.words.title} ({room.currency})", taken, []))
    charts = []
    for title, values, most in drawn:
        at = max(range(len(values)), key=values.__getitem__)
        says = _("At most %(most)s, from %(time)s.") % {"most": f"{values[at]:g}", "time": moments[at]}
        charts.append((title, says, chart(values, moments, most=most)))
    return charts
