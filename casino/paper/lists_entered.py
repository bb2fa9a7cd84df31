"""
What was written on the sheet of the waiting lists while Brush was down, as somebody enters it.

Each line is what became of one player on one list, at the time that stands beside it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from casino.paper.entered import LONGEST
from casino.paper.errors import EndsBeforeItBegan, LongerThanADay, NothingOnPaper, clock_time
from casino.paper.errors_lists import LineOutside, ListLineTwice, OutOfOrder, WhichSeat


class What(StrEnum):
    """What became of a player on a list."""

    JOINED = "joined"
    CALLED_IN = "called_in"
    HERE = "here"
    CALLED = "called"
    SEATED = "seated"
    MISSED = "missed"
    STRUCK = "struck"
    DROPPED = "dropped"


JOINS = (What.JOINED, What.CALLED_IN)


@dataclass(frozen=True)
class ListLine:
    """
    A line: who, on the list of which game, what and when. `player_id` is None where a nickname says who (`names` of the
    command). `table` and `seat_number` are where somebody was called to, by the table's number.
    """

    number: int
    at: datetime
    game_id: int
    what: str
    player_id: int | None = None
    table: int | None = None
    seat_number: int | None = None


@dataclass(frozen=True)
class ListsEntered:
    """All of a sheet, written between two moments."""

    from_at: datetime
    until_at: datetime
    lines: tuple[ListLine, ...] = ()

    def in_time(self) -> list[ListLine]:
        """Return the lines as they happened: by their times, those of one minute as they stand on the sheet."""
        return sorted(self.lines, key=lambda line: (line.at, line.number))


def from_json(kept: Mapping[str, Any]) -> ListsEntered:
    """Return what a row has kept."""
    return msgspec.convert(kept, ListsEntered)


def check_readable(entered: ListsEntered, *, at: datetime, zone: str) -> None:
    """
    Check that a sheet can be read at all; `at` is now, `zone` the room's, for sentences.

    :raises NothingOnPaper, LongerThanADay, EndsBeforeItBegan, LineOutside, ListLineTwice, OutOfOrder, WhichSeat: see
        there.
    """
    if not entered.lines:
        raise NothingOnPaper
    if entered.until_at - entered.from_at > LONGEST:
        raise LongerThanADay
    bounds = {"from": clock_time(entered.from_at, zone), "until": clock_time(entered.until_at, zone)}
    if not entered.from_at <= entered.until_at <= at:
        raise EndsBeforeItBegan(**bounds)
    seen: set[int] = set()
    last: dict[int, ListLine] = {}
    for line in sorted(entered.lines, key=lambda line: line.number):
        if line.number in seen:
            raise ListLineTwice(line=line.number)
        seen.add(line.number)
        if not entered.from_at <= line.at <= entered.until_at:
            raise LineOutside(line=line.number, at=clock_time(line.at, zone), **bounds)
        if line.what == What.CALLED and (line.table is None or line.seat_number is None):
            raise WhichSeat(line=line.number)
        if line.what in JOINS:
            before = last.get(line.game_id)
            if before is not None and before.at > line.at:
                times = {"at": clock_time(line.at, zone), "before_at": clock_time(before.at, zone)}
                raise OutOfOrder(line=line.number, before=before.number, **times)
            last[line.game_id] = line
