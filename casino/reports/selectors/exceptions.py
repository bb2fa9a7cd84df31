"""
The exception report: of a span of gaming days how often each member of staff had what is out of the ordinary, against
the room's average over the same days.

Nothing is written and nothing is kept: what counts is each app's (`casino.people.exception_report`). Who sees people is
compliance alone, and of themselves they see nothing: that is another officer's to look at.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from casino import clock
from casino.audit.sentences import Reader
from casino.commands.carrying_out import Actor
from casino.errors import Malformed, NotFound
from casino.people.exception_report import (
    SHIFTS,
    Basis,
    Case,
    Counted,
    ExceptionKind,
    Span,
    basis_of,
    cases_of,
    counted_in,
    exception_kinds,
    kind_of,
    who_may,
)
from casino.people.models import Staff
from casino.people.permissions import Role
from casino.people.selectors import staff_names
from casino.reading import snapshot
from casino.reports.errors import NoDayInSpan, OwnFigures, SpanBackwards, SpanTooLong
from casino.reports.standing_out import Figure, Mark, mark_of, times_tenths
from casino.rooms.models import GamingDay, Room

# Who sees people in it.
SEES_PEOPLE = "read.suspicions"
# The log of each day is gone through: a month of a large room is a million and a half events.
DAYS_MAX = 31


@dataclass(frozen=True)
class PersonFigure:
    """One person's cases of a kind (`staff_id` None: whom nobody named), beside the room's average."""

    staff_id: int | None
    name: str
    figure: Figure
    cents: int
    times_tenths: int | None
    mark: Mark


@dataclass(frozen=True)
class KindFigures:
    """
    A kind in the room, and who had cases or anything to have them of, who stands out most first.

    `room` and `cents` have once what several had together; people are held against the average over people.
    """

    kind: ExceptionKind
    basis: Basis
    room: Figure
    cents: int
    people: Sequence[PersonFigure]

    def rate_hundredths(self, figure: Figure) -> int | None:
        """Return a rate of this kind as it is told."""
        return figure.rate_hundredths(self.basis.scale)


@dataclass(frozen=True)
class ExceptionReport:
    """
    The exception report of a span, as of `at`. `shows_people`: whoever reads it sees them; `people` are none otherwise.

    `officers` are who holds compliance, each with whether they manage too, which a small room may have to bear.
    """

    span: Span
    at: datetime
    kinds: Sequence[KindFigures]
    shows_people: bool
    officers: Sequence[tuple[str, bool]]

    @property
    def is_open(self) -> bool:
        """Whether what comes today still changes it."""
        return self.span.days[-1].closed_at is None

    @property
    def standing_out(self) -> list[tuple[KindFigures, PersonFigure]]:
        """Who stands out, and in what: what is furthest from the average first."""
        pairs = [(each, person) for each in self.kinds for person in each.people if person.mark == Mark.STANDS_OUT]
        return sorted(pairs, key=lambda pair: -(pair[1].times_tenths or 0))


def span_of(room: Room, first: date | None, last: date | None) -> Span:
    """
    Return the gaming days from one date to another; the newest one where no date is named. Two queries.

    :raises SpanBackwards: the last date is before the first.
    :raises SpanTooLong: that are more days than are read at once.
    :raises NoDayInSpan: no gaming day was opened on any of them.
    """
    days = GamingDay.objects.filter(room=room).order_by("id")
    if first is None and last is None:
        in_span = list(days.order_by("-id")[:1])
    else:
        first, last = first or last, last or first
        assert first is not None, "one of the two is named"
        assert last is not None, "one of the two is named"
        if last < first:
            raise SpanBackwards
        if (last - first).days >= DAYS_MAX:
            raise SpanTooLong(days=DAYS_MAX)
        in_span = list(days.filter(date__gte=first, date__lte=last))
    if not in_span:
        raise NoDayInSpan
    after = days.filter(id__gt=in_span[-1].pk).values_list("opened_after", flat=True).first()
    return Span(room.pk, tuple(in_span), after)


def exception_report(room: Room, by: Actor, first: date | None = None, last: date | None = None) -> ExceptionReport:
    """
    Return the exception report of a span of gaming days, as whoever asks may see it.

    A fixed number of queries, whatever the days came to (`tests/reports` counts them).

    :raises SpanBackwards, SpanTooLong, NoDayInSpan: as `span_of`.
    """
    shows_people = SEES_PEOPLE in by.may
    span = span_of(room, first, last)
    with snapshot():
        names, may = who_may(room.pk)
        counted = counted_in(span)
        officers = officers_of(room)
    sums = _Sums(counted)
    kinds = [_kind(kind, sums, names, may) for kind in exception_kinds()]
    if shows_people:
        kinds = [_without(each, by.staff_id) for each in kinds]
    else:
        kinds = [KindFigures(each.kind, each.basis, each.room, each.cents, ()) for each in kinds]
    return ExceptionReport(span, clock.now(), kinds, shows_people, officers)


def cases_behind(
    room: Room, by: Actor, *, code: str, staff_id: int, span: Span
) -> tuple[ExceptionKind, str, list[Case]]:
    """
    Return a kind, somebody's name, and what lies behind their figure of it, newest first.

    :raises Malformed: there is no such kind.
    :raises OwnFigures: they are whoever asks.
    :raises NotFound: nobody of this room.
    """
    kind = kind_of(code)
    if kind is None:
        raise Malformed(field="kind")
    if staff_id == by.staff_id:
        raise OwnFigures
    names = staff_names([staff_id], room_id=room.pk)
    if staff_id not in names:
        raise NotFound(what="person")
    reader = Reader(room.pk, room.currency, room.locale, by.may)
    return kind, names[staff_id], cases_of(kind, span, staff_id, reader)


def officers_of(room: Room) -> list[tuple[str, bool]]:
    """Return who holds compliance here, by name, and whether each manages too. One query."""
    holders = Staff.objects.filter(room=room, is_active=True, roles__contains=[Role.COMPLIANCE.value])
    rows = holders.order_by("display_name", "id").values_list("display_name", "roles")
    return [(name, Role.MANAGER.value in roles) for name, roles in rows]


class _Sums:
    """What was counted, by code and person."""

    def __init__(self, counted: Iterable[Counted]) -> None:
        self._counts: Counter[tuple[str, int | None]] = Counter()
        self._cents: Counter[tuple[str, int | None]] = Counter()
        self._who: dict[str, set[int | None]] = {}
        # What several have together, beyond the once that the room has it.
        self._again: Counter[str] = Counter()
        self._cents_again: Counter[str] = Counter()
        seen: set[tuple[str, int]] = set()
        for each in counted:
            if each.thing is not None:
                self._again[each.code] += each.count if (each.code, each.thing) in seen else 0
                self._cents_again[each.code] += each.cents if (each.code, each.thing) in seen else 0
                seen.add((each.code, each.thing))
            self._counts[each.code, each.staff_id] += each.count
            self._cents[each.code, each.staff_id] += each.cents
            if each.count:
                self._who.setdefault(each.code, set()).add(each.staff_id)

    def who(self, code: str) -> set[int | None]:
        return self._who.get(code, set())

    def count(self, code: str, staff_id: int | None) -> int:
        return self._counts[code, staff_id]

    def cents(self, code: str, staff_id: int | None) -> int:
        return self._cents[code, staff_id]

    def once(self, kind: ExceptionKind, average: Figure) -> Figure:
        """Return the room's figure of a kind out of the sum over people: what several have together is in it once."""
        return Figure(average.count - self._again[kind.code], average.basis - self._again[kind.basis])

    def cents_once(self, code: str, cents: int) -> int:
        return cents - self._cents_again[code]


def _kind(kind: ExceptionKind, sums: _Sums, names: Mapping[int, str], may: Mapping[int, frozenset[str]]) -> KindFigures:
    who = sums.who(kind.code)
    measured = sums.who(kind.basis)
    if kind.basis == SHIFTS:
        measured = {each for each in measured if each in who or kind.may in may.get(each or 0, frozenset())}
    everybody = who | measured
    figures = {each: Figure(sums.count(kind.code, each), sums.count(kind.basis, each)) for each in everybody}
    average = Figure(sum(each.count for each in figures.values()), sum(each.basis for each in figures.values()))
    people = [
        PersonFigure(
            each,
            names.get(each or 0, ""),
            figure,
            sums.cents(kind.code, each),
            times_tenths(figure, average),
            mark_of(figure, average),
        )
        for each, figure in figures.items()
    ]
    people.sort(key=lambda each: (-(each.times_tenths or 0), -each.figure.count, each.name, each.staff_id or 0))
    cents = sums.cents_once(kind.code, sum(each.cents for each in people))
    return KindFigures(kind, basis_of(kind), sums.once(kind, average), cents, people)


def _without(each: KindFigures, staff_id: int | None) -> KindFigures:
    """Leave out who asks: the room's figures stay what they are."""
    people = [person for person in each.people if person.staff_id is None or person.staff_id != staff_id]
    return KindFigures(each.kind, each.basis, each.room, each.cents, people)
