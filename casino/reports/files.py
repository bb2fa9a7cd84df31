"""The report as files: CSV, one section after the other, and a workbook with a sheet for each table."""

import csv
import io
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import xlsxwriter
from django.http import HttpResponse

from casino.reports.sheet import Column, Sheet
from casino.rooms.models import Room
from casino.text import for_spreadsheet

_WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
# How a file calls what a column counts in.
_IN = {"cents": "_cents", "change": "_cents", "tenths": "_tenths", "hundredths": "_hundredths"}
_XLSX_FORMATS = {
    "cents": "#,##0.00",
    "change": "+#,##0.00;-#,##0.00;0.00",
    "tenths": "0.0",
    "hundredths": "0.00",
    "count": "#,##0",
    "seconds": "[h]:mm",
    "moment": "yyyy-mm-dd hh:mm",
    "clock": "hh:mm",
}


class _MayBeOpen(Protocol):
    @property
    def is_open(self) -> bool: ...


def open_or_closed(report: _MayBeOpen) -> str:
    """Return how files say whether what comes today still changes a report."""
    return "open" if report.is_open else "closed"


def as_file(content: str | bytes, name: str) -> HttpResponse:
    """Return an answer that a browser keeps under this name: CSV where it is text, a workbook where it is not."""
    response = HttpResponse(content, content_type="text/csv; charset=utf-8" if isinstance(content, str) else _WORKBOOK)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def as_csv(of: Sequence[Any], sheets: Sequence[Sheet], room: Room, *, note: str = "") -> str:
    """
    Return all tables of a report one below the other: each its name and title, the names of its columns, its rows.

    The first line says what it is the report `of`; the second is the `note`, where there is one. Every number is a
    whole one (cents, seconds, tenths), so that no spreadsheet takes a point for something else.
    """
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(of)
    if note:
        rows.writerow((note,))
    for sheet in sheets:
        rows.writerow(())
        rows.writerow((sheet.name, str(sheet.title)))
        rows.writerow([column.name + _IN.get(column.unit, "") for column in sheet.columns])
        for row in sheet.rows:
            rows.writerow([_plain(row.get(column.name), column, room) for column in sheet.columns])
    return text.getvalue()


def _plain(value: Any, column: Column, room: Room) -> Any:
    if value is None:
        return ""
    if column.unit in {"moment", "clock"}:
        return f"{value.astimezone(ZoneInfo(room.time_zone)):%Y-%m-%d %H:%M}"
    return for_spreadsheet(value) if column.unit == "text" else value


def as_workbook(of: str, sheets: Sequence[Sheet], room: Room, *, note: str = "") -> bytes:
    """
    Return an XLSX workbook in the active language: amounts in the room's currency, times as times, sums below.

    `of` stands beside the title of each sheet: the days; below it the `note`, where there is one.
    """
    file = io.BytesIO()
    # A name is a name, whatever it begins with.
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(file, options) as book:
        formats = {unit: book.add_format({"num_format": how}) for unit, how in _XLSX_FORMATS.items()}
        bold = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})
        sums = {
            unit: book.add_format({"num_format": how, "bold": True, "top": 1}) for unit, how in _XLSX_FORMATS.items()
        }
        for sheet, name in zip(sheets, sheet_names([str(each.title) for each in sheets]), strict=True):
            page = book.add_worksheet(name)
            page.write_string(0, 0, f"{sheet.title} · {room.name} · {of}", bold)
            if note:
                page.write_string(1, 0, note)
            for index, column in enumerate(sheet.columns):
                heading = f"{column.over}: {column.words}" if column.over else str(column.words)
                page.write_string(2, index, heading, bold)
            page.set_column(0, len(sheet.columns), 13)
            page.freeze_panes(3, 0)
            for line, row in enumerate(sheet.rows, start=3):
                _write_row(page, line, row, sheet, formats, room)
            if sheet.total is not None:
                _write_row(page, 3 + len(sheet.rows), _with_words(sheet, sheet.total), sheet, sums, room)
            page.set_landscape()
            page.set_paper(9)
            page.fit_to_pages(1, 0)
    return file.getvalue()


def sheet_names(titles: Iterable[str]) -> list[str]:
    """Return what sheets are called in a workbook: no two alike, be letters capital or not; the later are numbered."""
    found: list[str] = []
    for title in titles:
        name, taken, number = _sheet_name(title, 31), {each.casefold() for each in found}, 1
        while name.casefold() in taken:
            number += 1
            mark = f" {number}"
            name = f"{_sheet_name(title, 31 - len(mark))}{mark}"
        found.append(name)
    return found


def _sheet_name(title: str, most: int) -> str:
    """Return whole words of a title: a workbook takes 31 letters, and some not, nor an apostrophe at either end."""
    name = title.translate(dict.fromkeys(map(ord, r"[]:*?/\"")))
    name = textwrap.shorten(name, most, placeholder="…") if " " in name[:most] else name[:most]
    return name.strip("' ") or "…"


def _with_words(sheet: Sheet, total: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the last row of a sheet with what it is, where its first column has words."""
    first = sheet.columns[0]
    return {first.name: sheet.total_words, **total} if first.unit == "text" else total


def _write_row(page: Any, line: int, row: Any, sheet: Sheet, formats: dict[str, Any], room: Room) -> None:
    for index, column in enumerate(sheet.columns):
        value = row.get(column.name)
        if value is None:
            continue
        if column.unit == "text":
            page.write_string(line, index, str(value))
        elif column.unit in {"moment", "clock"}:
            here = value.astimezone(ZoneInfo(room.time_zone)).replace(tzinfo=None)
            page.write_datetime(line, index, here, formats[column.unit])
        elif column.unit == "seconds":
            page.write_datetime(line, index, timedelta(seconds=value), formats["seconds"])
        else:
            # A workbook's numbers are floats: of amounts of a room they hold every cent.
            over = {"cents": 100, "change": 100, "tenths": 10, "hundredths": 100}.get(column.unit, 1)
            page.write_number(line, index, value / over, formats[column.unit])
