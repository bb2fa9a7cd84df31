"""
A table of figures, one and the same for the screen, paper, CSV and a workbook.

A column says what its figures are; how they are written is whoever's who shows them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

Text = str | Promise
# Cents of a sum and of a difference, seconds, tenths, hundredths, how many, a moment, the time of day, words.
Unit = Literal["cents", "change", "seconds", "tenths", "hundredths", "count", "moment", "clock", "text"]

_SUM = gettext_lazy("Sum")


@dataclass(frozen=True)
class Column:
    """
    One column: `name` as files call it, what it is in words, and in which unit; `over` stands above several.

    `is_rare`: where it says nothing anywhere, screens leave it out. What is reckoned the other way `agrees_with` the
    column of that name; screens show it where it does not.
    """

    name: str
    words: Text
    unit: Unit = "text"
    over: Text = ""
    is_rare: bool = False
    agrees_with: str = ""


@dataclass(frozen=True)
class Sheet:
    """
    A table of figures: a row is values by the columns' names, None where nothing is known. `total` is the sum of all
    rows, beside `total_words`. `chains` are the names of the log's chains of the rows, "" where a row has none; or
    `urls` says where each leads.
    """

    name: str
    title: Text
    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Any]]
    total: Mapping[str, Any] | None = None
    chains: Sequence[str] = ()
    note: Text = ""
    urls: Sequence[str] = ()
    total_words: Text = _SUM

    def differs(self, row: Mapping[str, Any], column: Column) -> bool:
        """Whether a figure is not what it is when it is reckoned the other way."""
        return bool(column.agrees_with) and row.get(column.name) != row.get(column.agrees_with)

    def shown(self) -> list[Column]:
        """Return the columns that screens show."""
        return [column for column in self.columns if self._is_shown(column)]

    def _is_shown(self, column: Column) -> bool:
        if column.agrees_with:
            return any(self.differs(row, column) for row in self.rows)
        return not column.is_rare or any(row.get(column.name) for row in self.rows)


def sums(columns: Iterable[Column], rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the sum of each column of amounts, counts and times; None where no row knows any."""
    by_name = {}
    for column in columns:
        known = [row[column.name] for row in rows if row.get(column.name) is not None]
        if column.unit in {"cents", "change", "count", "seconds"} and known:
            by_name[column.name] = sum(known)
    return by_name
