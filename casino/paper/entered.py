"""
What was written on a sheet while Brush was down, as somebody enters it: plain facts, and whether they can be read.

Amounts are cents; lines are numbered from 1 as the sheet has them, seats as at the table.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import msgspec

from casino.audit.hashes import canonical
from casino.paper.errors import (
    ChipLineTwice,
    EndsBeforeItBegan,
    LineBeyond,
    LineTwice,
    LongerThanADay,
    MarkerAndPlays,
    NobodyOnLine,
    NoSeatOnSheet,
    NothingOnPaper,
    OutsideTheTime,
    PeriodOutside,
    PeriodTwice,
    SeatTwice,
    TakenOnLine,
    TwoSeatsOnLine,
    clock_time,
)
from tables.rules.time_paid import Paid

# More than an outage brings: a shift's hands at the fastest table, and what happens beside them.
HANDS_MAX, LINES_MAX, DOWNS_MAX, TIMES_MAX = 200, 40, 20, 60
LONGEST = timedelta(days=1)
AWAY = "away"


@dataclass(frozen=True)
class HandLine:
    """
    A line of the drop slip: the button's seat, None where nobody wrote it, and what went into the boxes by kind of
    charge. A hand of which nothing was taken needs no line.
    """

    number: int
    button: int | None = None
    taken: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class DownLine:
    """A line of the down slip: who dealt from when until when."""

    dealer_id: int
    began_at: datetime
    ended_at: datetime


@dataclass(frozen=True)
class DeckLine:
    """A deck that came into play, on a line of the down slip; as `DeckChange` (H1.11, H1.12)."""

    number: int
    at: datetime
    colour: str
    set_number: int = 1
    why: str = "push"


@dataclass(frozen=True)
class TimeLine:
    """A line of the time slip: a period of the time charge, when it was taken, and what each seat put in (H1.91)."""

    period: int
    at: datetime
    paid: tuple[Paid, ...] = ()

    @property
    def cents(self) -> int:
        """Return what was put in together."""
        return sum(each.cents for each in self.paid)


@dataclass(frozen=True)
class ChipLine:
    """
    A line of buy-ins, and of who came and left: at a seat, in this order.

    `player_id` came there, None where nobody did, or where a nickname says who (`names` of the command). `chips_cents`
    were put on the table: sold by the cage against `paid` ("cash", "card"), whose number on paper was `slip`; brought
    along where `paid` is "". `left`: and then the player left, with the stack as counted; None: not counted. `carried`:
    that stack was taken to the cage.
    """

    number: int
    seat_number: int
    at: datetime | None = None
    player_id: int | None = None
    chips_cents: int = 0
    paid: str = ""
    slip: str = ""
    left: bool = False
    stack_cents: int | None = None
    carried: bool = False


@dataclass(frozen=True)
class SeatLine:
    """
    How a seat stands when Brush is back. `stands` is an `Entry`, or "away" since `away_since`; "" is as Brush has it.
    `missed` are the markers there, None as Brush has them.
    """

    seat_number: int
    stands: str = ""
    away_since: datetime | None = None
    missed: str | None = None


@dataclass(frozen=True)
class Entered:
    """All of a sheet: `hands` were dealt between two moments, and the button is at `button` for the next one."""

    from_at: datetime
    until_at: datetime
    hands: int = 0
    lines: tuple[HandLine, ...] = ()
    downs: tuple[DownLine, ...] = ()
    chips: tuple[ChipLine, ...] = ()
    seats: tuple[SeatLine, ...] = ()
    button: int | None = None
    decks: tuple[DeckLine, ...] = ()
    times: tuple[TimeLine, ...] = ()

    @property
    def time_cents(self) -> int:
        """Return what was taken by the time."""
        return sum(line.cents for line in self.times)

    @property
    def is_of_seats(self) -> bool:
        """Say whether it says who sits there, with what, or where the button is."""
        return bool(self.chips or self.seats or self.button)

    def taken(self, kinds: Iterable[str]) -> dict[str, int]:
        """Return what went into the boxes, by kind."""
        return {kind: sum(line.taken.get(kind, 0) for line in self.lines) for kind in kinds}

    def by_hand(self) -> list[HandLine]:
        """Return a line for each hand, in order, also for those of which nothing was written."""
        written = {line.number: line for line in self.lines}
        return [written.get(number) or HandLine(number) for number in range(1, self.hands + 1)]

    def dealt_at(self, number: int) -> datetime:
        """Return when a hand was dealt, as nobody wrote it: the hands lie evenly between both moments."""
        return self.from_at + (self.until_at - self.from_at) * (number - 1) / max(self.hands, 1)

    def dealer_at(self, at: datetime) -> int | None:
        """Return who dealt then by the down slip, None where it does not say."""
        return next((down.dealer_id for down in self.downs if down.began_at <= at < down.ended_at), None)


def digest_of(entered: object, names: Mapping[str, str]) -> str:
    """Return what stands for all of a sheet, of a table or of the lists, in a signature and on a page before it."""
    return hashlib.sha256(canonical({"entered": entered, "names": names}).encode()).hexdigest()[:32]


def from_json(kept: Mapping[str, Any]) -> Entered:
    """Return what a row has kept."""
    return msgspec.convert(kept, Entered)


def check_readable(entered: Entered, *, seats: int, at: datetime, zone: str) -> None:
    """
    Check that a sheet can be read at all; `at` is now, `zone` the room's, for sentences.

    :raises NothingOnPaper, LongerThanADay, EndsBeforeItBegan, OutsideTheTime, PeriodOutside, LineTwice, LineBeyond,
        ChipLineTwice, PeriodTwice, SeatTwice, NoSeatOnSheet, MarkerAndPlays: see there.
    """
    is_of_hands = entered.hands or entered.lines or entered.times
    if not (is_of_hands or entered.downs or entered.decks or entered.is_of_seats):
        raise NothingOnPaper
    _check_times(entered, at=at, zone=zone)
    _check_hands(entered)
    _check_chips(entered)
    period = _twice(line.period for line in entered.times)
    if period is not None:
        raise PeriodTwice(period=period)
    named = [line.button for line in entered.lines] + [entered.button]
    for seat in [*(seat for seat in named if seat is not None), *_seats_of(entered)]:
        if not 1 <= seat <= seats:
            raise NoSeatOnSheet(seat_number=seat, seats=seats)
    twice = _twice(line.seat_number for line in entered.seats)
    if twice is not None:
        raise SeatTwice(seat_number=twice)
    for line in entered.seats:
        if line.stands == "in" and line.missed:
            raise MarkerAndPlays(seat_number=line.seat_number)


def _check_times(entered: Entered, *, at: datetime, zone: str) -> None:
    if entered.until_at - entered.from_at > LONGEST:
        raise LongerThanADay
    spans = [(entered.from_at, entered.until_at), *((down.began_at, down.ended_at) for down in entered.downs)]
    spans += [(line.away_since, at) for line in entered.seats if line.away_since is not None]
    for began, ended in spans:
        if not began <= ended <= at:
            raise EndsBeforeItBegan(**{"from": clock_time(began, zone), "until": clock_time(ended, zone)})
    bounds = {"from": clock_time(entered.from_at, zone), "until": clock_time(entered.until_at, zone)}
    lines = [(deck.number, deck.at) for deck in entered.decks]
    lines += [(chip.number, chip.at) for chip in entered.chips if chip.at is not None]
    for number, moment in lines:
        if not entered.from_at <= moment <= entered.until_at:
            raise OutsideTheTime(line=number, at=clock_time(moment, zone), **bounds)
    for period in entered.times:
        if not entered.from_at <= period.at <= entered.until_at:
            raise PeriodOutside(period=period.period, at=clock_time(period.at, zone), **bounds)


def _check_hands(entered: Entered) -> None:
    twice = _twice(line.number for line in entered.lines)
    if twice is not None:
        raise LineTwice(line=twice)
    beyond = next((line.number for line in entered.lines if line.number > entered.hands), None)
    if beyond is not None:
        raise LineBeyond(line=beyond, hands=entered.hands)


def _check_chips(entered: Entered) -> None:
    twice = _twice(line.number for line in entered.chips)
    if twice is not None:
        raise ChipLineTwice(line=twice)


def _seats_of(entered: Entered) -> list[int]:
    paid = [each.seat_number for line in entered.times for each in line.paid]
    return [*(line.seat_number for line in entered.chips), *(line.seat_number for line in entered.seats), *paid]


def _twice(numbers: Iterable[int]) -> int | None:
    seen: set[int] = set()
    for number in numbers:
        if number in seen:
            return number
        seen.add(number)
    return None


def who_sits(chips: Sequence[ChipLine], sitting: Mapping[int, int], holders: Mapping[int, int]) -> dict[int, int]:
    """
    Return who sits where once all lines have happened: player ids by seat. `sitting` is who sat there before, `holders`
    in whose seat some of them play over.

    :raises NobodyOnLine, TakenOnLine, TwoSeatsOnLine: a line does not follow from those before it.
    """
    now = dict(sitting)
    for line in chips:
        seat, there = line.seat_number, now.get(line.seat_number)
        if line.player_id is not None and line.player_id != there:
            if there is not None:
                raise TakenOnLine(line=line.number, seat_number=seat)
            other = next((number for number, player in now.items() if player == line.player_id), None)
            if other is not None:
                raise TwoSeatsOnLine(line=line.number, seat_number=seat, other_seat=other)
            now[seat] = line.player_id
        elif there is None:
            raise NobodyOnLine(line=line.number, seat_number=seat)
        if line.left:
            del now[seat]
            if seat in holders and sitting.get(seat) == there:
                now[seat] = holders[seat]
    return now
