"""Each day's report as a pack has it: the house's own, of people their numbers alone."""

import json
from dataclasses import replace
from datetime import UTC
from typing import Any

from django.utils import timezone

from casino.reports.api import DayReportAnswer, report_json
from casino.reports.day import day_report
from casino.reports.figures import DayReport
from casino.reports.files import as_csv, open_or_closed
from casino.reports.sheets import sheets_of
from casino.rooms.models import GamingDay, Room


def report_of(room: Room, day: GamingDay) -> tuple[str, str]:
    """Return the report of a closed gaming day as JSON and as CSV, in the active language."""
    report = _nameless(day_report(room, day.date))
    with timezone.override(UTC):
        figures: dict[str, Any] = dict(DayReportAnswer(report_json(report)).data)
    as_json = json.dumps(figures, sort_keys=True, indent=1, ensure_ascii=False, default=str)
    of = ("gaming_day", day.date.isoformat(), open_or_closed(report), "differs", report.differs)
    return as_json, as_csv(of, list(sheets_of(report)), room)


def _nameless(report: DayReport) -> DayReport:
    """Return a report with numbers for names, as of the moment at which its day closed."""
    return replace(
        report,
        at=report.day.closed_at or report.at,
        openings=[
            replace(each, opened_by=str(each.opening.opened_by_id) if each.opening else "") for each in report.openings
        ],
        dealers=sorted(
            (replace(each, name=str(each.staff_id or "")) for each in report.dealers),
            key=lambda each: each.staff_id or 0,
        ),
        players=sorted(
            (replace(each, nickname=str(each.player_id or "")) for each in report.players),
            key=lambda each: each.player_id or 0,
        ),
        runners=sorted(
            (replace(each, name=str(each.carried.runner_id)) for each in report.runners),
            key=lambda each: each.carried.runner_id,
        ),
        carried=[replace(each, name=each.word, by=str(each.item.carried_by_id)) for each in report.carried],
        counted_by=[str(who) for who in (report.day.counted_by_id, report.day.counted_with_id) if who is not None],
    )
