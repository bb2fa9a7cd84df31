"""The figures of the exception report, each once: its screen, paper, files and call all read this list."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext_lazy

from casino.reports.selectors.exceptions import KindFigures, PersonFigure
from casino.reports.sheet import Column, Text
from casino.reports.standing_out import Figure, Mark

# What a call says of a figure's unit behind its name; a count is bare.
_UNITS = {"cents": "_cents", "hundredths": "_hundredths", "tenths": "_tenths"}


@dataclass(frozen=True)
class FigureRow:
    """A row of figures: of one kind what a person had, or where `person` is None the room."""

    kind: KindFigures
    person: PersonFigure | None = None

    @property
    def figure(self) -> Figure:
        """The cases and what they are counted against."""
        return self.person.figure if self.person else self.kind.room

    @property
    def cents(self) -> int | None:
        """What the cases came to, in cents; None for a kind that has no amounts."""
        cents = self.person.cents if self.person else self.kind.cents
        return cents if self.kind.kind.has_cents else None

    @property
    def times_tenths(self) -> int | None:
        """How many times the room's average it is; None of the room, and where either is not known."""
        return self.person.times_tenths if self.person else None

    @property
    def mark(self) -> Mark:
        """Whether it stands out; the room's never does."""
        return self.person.mark if self.person else Mark.NONE


@dataclass(frozen=True)
class FigureColumn:
    """
    One figure: as which column sheets show it, and how it is read of a row.

    `is_of_people`: the room has none. `words_of`: what its codes are called on sheets; a call answers the code.
    """

    column: Column
    read: Callable[[FigureRow], Any]
    is_of_people: bool = False
    words_of: Mapping[Any, Text] | None = None

    @property
    def name(self) -> str:
        """Return what files call it."""
        return self.column.name

    @property
    def field(self) -> str:
        """Return what a call calls it: with its unit."""
        return self.name + _UNITS.get(self.column.unit, "")

    def called(self, words: Text) -> "FigureColumn":
        """Return the same under another heading."""
        return replace(self, column=replace(self.column, words=words))

    def on_sheet(self, row: FigureRow) -> Any:
        """Return a row's value as sheets write it."""
        value = self.read(row)
        return value if self.words_of is None else str(self.words_of[value])


MARK_WORDS: dict[Mark, Text] = {
    Mark.NONE: "",
    Mark.FEW: gettext_lazy("few cases"),
    Mark.STANDS_OUT: gettext_lazy("stands out"),
}
BASIS = FigureColumn(Column("basis_count", gettext_lazy("How many"), "count"), lambda row: row.figure.basis)
CASES = FigureColumn(Column("cases", gettext_lazy("Cases"), "count"), lambda row: row.figure.count)
RATE = FigureColumn(
    Column("rate", gettext_lazy("Rate"), "hundredths"), lambda row: row.kind.rate_hundredths(row.figure)
)
TIMES = FigureColumn(
    Column("times_average", gettext_lazy("times the average"), "tenths"),
    lambda row: row.times_tenths,
    is_of_people=True,
)
AMOUNT = FigureColumn(Column("amount", gettext_lazy("Amount"), "cents", is_rare=True), lambda row: row.cents)
MARK = FigureColumn(Column("mark", gettext_lazy("Mark")), lambda row: row.mark, is_of_people=True, words_of=MARK_WORDS)

OF_PEOPLE = (BASIS, CASES, RATE, TIMES, AMOUNT, MARK)
OF_ROOM = tuple(each for each in OF_PEOPLE if not each.is_of_people)


def on_sheet(columns: Iterable[FigureColumn], row: FigureRow) -> dict[str, Any]:
    """Return a row's values as sheets write them, by the columns' names."""
    return {each.name: each.on_sheet(row) for each in columns}


def in_call(columns: Iterable[FigureColumn], row: FigureRow) -> dict[str, Any]:
    """Return a row's values as a call answers them, by their fields."""
    return {each.field: each.read(row) for each in columns}
