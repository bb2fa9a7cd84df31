"""Each day's report as a pack has it: the house's own, of people their numbers alone."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from casino.reports.api import DayReportAnswer, report_json
from casino.reports.figures import DayReport
from casino.reports.files import as_csv, open_or_closed
from casino.reports.selectors.day import day_report
from casino.reports.sheets import sheets_of
from casino.rooms.models import GamingDay, Room


def report_of(room: Room, day: GamingDay, as_of: datetime) -> tuple[str, str]:
    """
    Return the report of a closed gaming day as JSON and as CSV, in the active language. `as_of` is the latest moment
    that was logged on it.
    """
    report = _as_closed(day_report(room, day.date, as_of=as_of))
    with timezone.override(UTC):
        figures: dict[str, Any] = dict(DayReportAnswer(report_json(report)).data)
    # Whoever would have something left out gets no pack (`PackOfOwnDrawer`).
    del figures["left_out"]
    as_json = json.dumps(figures, sort_keys=True, indent=1, ensure_ascii=False, default=str)
    of = ("gaming_day", day.date.isoformat(), open_or_closed(report), "differs", report.differs)
    return as_json, as_csv(of, list(sheets_of(report)), room)


def _as_closed(report: DayReport) -> DayReport:
    """
    Return a report as of the moment at which its day closed: what was carried was open then, and is called by its word.
    """
    at = report.day.closed_at or report.at
    carried = [replace(each, name=each.word, is_open=True, done_at=None) for each in report.carried]
    return replace(report, at=at, tips_since=(), carried=carried)
