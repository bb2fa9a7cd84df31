"""A line of the floor's to-do, as each app gives its own (`casino.live.areas.TODO`)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class ToDoLine:
    """
    One line of the to-do.

    `tone` is "wrong" (money or log differs), "soon" (somebody waits) or "later". `how` says what the tap
    does: "sheet" opens `address` as a sheet, "post" is done with it (and `values`, its form's fields), "page" goes
    there. `shown_from` is the moment before which nobody needs to look, `shown_until` the one from which another line
    says more. `cited` is by what a book knows the reason.
    """

    key: str
    table_number: int | None
    urgency: int
    tone: str
    where: str
    text: str
    reason: str
    at: datetime
    how: str
    address: str
    label: str
    shown_from: datetime | None = None
    shown_until: datetime | None = None
    values: tuple[tuple[str, int | str], ...] = ()
    cited: str = ""

    @property
    def rank(self) -> tuple[int, datetime, str]:
        """Return its place among others: the most urgent first, then the oldest."""
        return self.urgency, self.at, self.key


def in_order(*lines: Iterable[ToDoLine]) -> list[ToDoLine]:
    """Return lines of the to-do, the most urgent first."""
    return sorted((line for some in lines for line in some), key=lambda line: line.rank)
