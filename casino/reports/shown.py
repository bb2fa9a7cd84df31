"""The tables of a report as pages show them: every figure written the room's way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from babel.numbers import format_decimal
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import Promise

from casino.money import format_cents, format_count, format_difference
from casino.reports.sheet import Column, Sheet
from casino.rooms.models import Room
from casino.text import isolated

# What stands where nothing is known.
UNKNOWN = "–"


@dataclass(frozen=True)
class Cell:
    """One figure as it is written; `differs`: it is another one when it is reckoned the other way."""

    text: str
    is_number: bool
    differs: bool = False


@dataclass(frozen=True)
class Head:
    """A heading over so many columns, and so many lines high."""

    words: str | Promise
    columns: int = 1
    lines: int = 1
    is_number: bool = True


@dataclass(frozen=True)
class Row:
    """A row: its cells, and where more of it is told, "" nowhere."""

    cells: Sequence[Cell]
    url: str = ""


@dataclass(frozen=True)
class Shown:
    """A table as it is shown: two lines of headings (the second one may be empty), rows, and their sum."""

    name: str
    title: str | Promise
    note: str | Promise
    heads: Sequence[Sequence[Head]]
    rows: Sequence[Row]
    total: Sequence[Cell]
    total_words: str | Promise


def shown(sheet: Sheet, room: Room, *, on: date | None = None) -> Shown:
    """
    Return a table of a report as that room writes it, in the active language.

    `on` is the gaming day on which the log tells of the rows' chains.
    """
    columns = sheet.shown()

    def cells(row: Mapping[str, Any]) -> list[Cell]:
        return [
            Cell(written(row.get(column.name), column, room), column.unit != "text", sheet.differs(row, column))
            for column in columns
        ]

    urls = sheet.urls or [log_of(chain, on) for chain in sheet.chains if on] or [""] * len(sheet.rows)
    rows = [Row(cells(row), url) for row, url in zip(sheet.rows, urls, strict=True)]
    # Below what is no number stands nothing.
    known = {column.name: (sheet.total or {}).get(column.name) for column in columns}
    sums = [
        Cell(cell.text if known[column.name] is not None else "", cell.is_number)
        for column, cell in zip(columns, cells(known), strict=True)
    ]
    total = sums[1:] if sheet.total is not None else []
    return Shown(sheet.name, sheet.title, sheet.note, heads(columns), rows, total, sheet.total_words)


def log_of(chain: str, on: date) -> str:
    """Return where the log tells of a table or a drawer on a gaming day."""
    return f"{reverse('log')}?{urlencode({'day': on.isoformat(), 'chain': chain})}" if chain else ""


def heads(columns: Sequence[Column]) -> list[list[Head]]:
    """Return the headings: what stands over several columns above them, the others two lines high."""
    above: list[Head] = []
    below: list[Head] = []
    is_two = any(column.over for column in columns)
    for index, column in enumerate(columns):
        # What names the rows stands at their beginning, also where it is a time.
        is_number = column.unit != "text" and index > 0
        if not column.over:
            above.append(Head(column.words, lines=2 if is_two else 1, is_number=is_number))
            continue
        if index == 0 or columns[index - 1].over != column.over:
            wide = [each.over for each in columns[index:]]
            count = next((n for n, over in enumerate(wide) if over != column.over), len(wide))
            above.append(Head(column.over, columns=count))
        below.append(Head(column.words, is_number=is_number))
    return [above, below] if is_two else [above]


def written(value: Any, column: Column, room: Room) -> str:
    """Write one figure as its column says, `UNKNOWN` where there is none."""
    if value is None:
        return UNKNOWN
    match column.unit:
        case "cents":
            return format_cents(value, currency=room.currency, locale=room.locale).replace("-", "−")
        case "change":
            return format_difference(value, currency=room.currency, locale=room.locale)
        case "seconds":
            return f"{value // 3600}:{value % 3600 // 60:02d}"
        case "tenths":
            return str(format_decimal(Decimal(value) / 10, "#,##0.0", locale=room.locale))
        case "hundredths":
            return str(format_decimal(Decimal(value) / 100, "#,##0.00", locale=room.locale))
        case "count":
            return format_count(value, locale=room.locale)
        case "moment" | "clock":
            here = value.astimezone(ZoneInfo(room.time_zone))
            return date_format(here, "j.n. H:i" if column.unit == "moment" else "H:i")
    return isolated(str(value))
