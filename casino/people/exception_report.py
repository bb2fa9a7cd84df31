"""
What the exception report counts of each member of staff: one registry, to which each app adds its own kinds.

An exception is no wrong: hands are undone and drawers are short in every room. Who has more of a kind than the room on
average is looked at by compliance. A kind is measured against a basis: hands dealt, slips paid, shifts. Kinds of which
each case is an event of its own name the command; others are read by their app, from its AppConfig:

    add_bases(Basis("hands", _("Hands dealt"), scale=100))
    add_kinds(ExceptionKind("undone", _("Hands undone"), basis="hands", command="tables.undo_hand"))
    add_reader(hands_by_dealer)                 what it counted in a span, of kinds and of bases
    add_cases("no_flop", hands_without_flop)    what lies behind one person's figure
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any

from django.db import connection
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.audit.models import Event
from casino.audit.sentences import Reader, sentences_of
from casino.commands.carrying_out import DONE
from casino.people.models import Staff
from casino.people.permissions import may_of
from casino.people.selectors import SIGNATURES
from casino.rooms.models import GamingDay

Text = str | Promise
SHIFTS, PREPARED = "shifts", "prepared"
# As many cases as one list shows.
CASES_MAX = 500


@dataclass(frozen=True)
class Basis:
    """What cases of a kind are measured against: `words` say what is counted, a rate is told for `scale` of them."""

    code: str
    words: Text
    scale: int
    rate: Text


@dataclass(frozen=True)
class ExceptionKind:
    """
    One kind of exception. `command`: each case is one of its events, by who gave it.

    Measured by shifts, only those of who may do `may` count, beside those of who did it: a dealer reorders no list.
    `has_cents`: a case has an amount.
    """

    code: str
    words: Text
    basis: str
    command: str = ""
    may: str = ""
    has_cents: bool = False
    note: Text = ""


@dataclass(frozen=True)
class Counted:
    """
    How many of a kind, or of a basis, somebody has (None: whom nobody named), and how many cents they come to.

    `thing`: the id of the one count that several have together, as of a box into which two dealt: the room has it once.
    """

    code: str
    staff_id: int | None
    count: int
    cents: int = 0
    thing: int | None = None


@dataclass(frozen=True)
class Case:
    """
    One case: when, what in words, and where more of it stands. `chain` names the log's chain that has it, `url` a page.
    """

    at: datetime
    words: str
    chain: str = ""
    url: str = ""


@dataclass(frozen=True)
class Span:
    """Gaming days of a room one after the other, never none; `next_after` is where the day after the last began."""

    room_id: int
    days: tuple[GamingDay, ...]
    next_after: int | None = None

    @property
    def first(self) -> date:
        return self.days[0].date

    @property
    def last(self) -> date:
        return self.days[-1].date

    @cached_property
    def day_ids(self) -> list[int]:
        return [day.pk for day in self.days]

    @property
    def after_id(self) -> int:
        """The last event of the log before the span."""
        return self.days[0].opened_after

    def day_of(self, at: datetime) -> date:
        """Return the gaming day of a moment: what comes between two days is of the one before."""
        return next((day.date for day in reversed(self.days) if day.opened_at <= at), self.first)

    def starts(self) -> list[int]:
        """Return the first id that an event of each day can have: what comes between two days is of the one before."""
        return [day.opened_after + 1 for day in self.days]

    def bounds(self) -> dict[str, Any]:
        """Return what keeps a query of events within the span."""
        upto = {"id__lte": self.next_after} if self.next_after is not None else {}
        return {"room_id": self.room_id, "result": DONE, "id__gt": self.after_id, **upto}


Read = Callable[[Span], Iterable[Counted]]
ReadCases = Callable[[Span, int, Reader], Iterable[Case]]
_bases: dict[str, Basis] = {}
_kinds: dict[str, ExceptionKind] = {}
_readers: list[Read] = []
_cases: dict[str, ReadCases] = {}


def add_bases(*bases: Basis) -> None:
    """Make known what kinds are measured against."""
    for basis in bases:
        assert basis.code not in _bases, f"{basis.code} is a basis twice"
        _bases[basis.code] = basis


def add_kinds(*kinds: ExceptionKind) -> None:
    """Make kinds known, in the order in which they are told; their basis before them."""
    for kind in kinds:
        assert kind.code not in _kinds, f"{kind.code} is a kind twice"
        assert kind.basis in _bases, f"{kind.code} is measured against {kind.basis}, which nobody counts"
        _kinds[kind.code] = kind


def by_shifts(code: str, words: Text, command: str, note: Text = "") -> ExceptionKind:
    """Return a kind of which each case is an event of one command, measured by the shifts of who may give it."""
    return ExceptionKind(code, words, SHIFTS, command, may=command, note=note)


def add_reader(read: Read) -> None:
    """Have what an app counts read, in one query or a few that do not grow."""
    _readers.append(read)


def add_cases(code: str, read: ReadCases) -> None:
    """Have the cases of a kind listed that are no events of one command: at most `CASES_MAX`, newest first."""
    assert code in _kinds, f"{code} is no kind"
    _cases[code] = read


def exception_kinds() -> list[ExceptionKind]:
    """Return every kind, in the order of the report: last what is measured by shifts."""
    return sorted(_kinds.values(), key=lambda kind: kind.basis == SHIFTS)


def basis_of(kind: ExceptionKind) -> Basis:
    """Return what a kind is measured against."""
    return _bases[kind.basis]


def kind_of(code: str) -> ExceptionKind | None:
    """Return a kind by its code, None for a code that nobody knows."""
    return _kinds.get(code)


def counted_in(span: Span) -> list[Counted]:
    """Return what all apps counted in a span: of kinds and of bases. A fixed number of queries."""
    return [each for read in _readers for each in read(span)]


def cases_of(kind: ExceptionKind, span: Span, staff_id: int, reader: Reader) -> list[Case]:
    """Return what lies behind one person's figure, newest first, `CASES_MAX` at most."""
    if kind.code in _cases:
        return list(_cases[kind.code](span, staff_id, reader))
    events = Event.objects.filter(**span.bounds(), name=kind.command, staff_id=staff_id)
    return as_cases(list(events.order_by("-id")[:CASES_MAX]), reader)


def as_cases(events: list[Event], reader: Reader) -> list[Case]:
    """Return events as cases, in the words of the log."""
    sentences = ["".join(part.text for part in parts) for parts in sentences_of(events, reader)]
    return [Case(event.at, sentence, event.chain) for event, sentence in zip(events, sentences, strict=True)]


# ---- the log's own: shifts, what is one command, and signatures that one person could have made both of

# Whoever did anything on a gaming day worked a shift of it.
_WORKED = """
    SELECT staff_id, width_bucket(id, %(starts)s::bigint[]), CASE WHEN name = ANY(%(names)s) THEN name ELSE '' END,
        count(*)
    FROM audit_event WHERE room_id = %(room)s AND id > %(after)s AND (%(upto)s::bigint IS NULL OR id <= %(upto)s)
        AND staff_id IS NOT NULL AND result = %(done)s
    GROUP BY 1, 2, 3
"""


def _of_the_log(span: Span) -> Iterable[Counted]:
    """Count shifts, the cases that are events, and prepared signatures. Two queries."""
    codes = {kind.command: kind.code for kind in exception_kinds() if kind.command}
    params: dict[str, Any] = {
        "room": span.room_id,
        "starts": span.starts(),
        "names": list(codes),
        "after": span.after_id,
        "upto": span.next_after,
        "done": DONE,
    }
    shifts: set[tuple[int, int]] = set()
    with connection.cursor() as cursor:
        cursor.execute(_WORKED, params)
        for staff_id, day, name, count in cursor.fetchall():
            shifts.add((staff_id, day))
            if name:
                yield Counted(codes[name], staff_id, count)
    for staff_id, _day in shifts:
        yield Counted(SHIFTS, staff_id, 1)
    for staff_id in _prepared(span).values_list("staff_id", flat=True):
        yield Counted(PREPARED, staff_id, 1)


def _prepared(span: Span) -> Any:
    signed = Event.objects.filter(**span.bounds(), name__in=SIGNATURES, staff_id__isnull=False)
    return signed.filter(text__contains='"prepared":true')


def _prepared_cases(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    events = _prepared(span).filter(staff_id=staff_id).order_by("-id")[:CASES_MAX]
    return as_cases(list(events), reader)


def who_may(room_id: int) -> tuple[dict[int, str], dict[int, frozenset[str]]]:
    """Return everybody's display name, and what those who work here now may, by staff id. One query."""
    rows = list(Staff.objects.filter(room_id=room_id).values_list("id", "display_name", "roles", "is_active"))
    names = {pk: name for pk, name, _roles, _is_active in rows}
    return names, {pk: may_of(roles) if is_active else frozenset() for pk, _name, roles, is_active in rows}


def register() -> None:
    """Register what this app counts itself: signatures after changed sign-ins, measured by shifts."""
    add_bases(Basis(SHIFTS, _("Shifts"), scale=1, rate=_("per shift")))
    add_kinds(
        ExceptionKind(
            PREPARED,
            _("Signatures that one person could have given both of"),
            SHIFTS,
            may="people.sign_second",
            note=_("Counted with whoever asked; taken where the rule book lets them be."),
        )
    )
    add_reader(_of_the_log)
    add_cases(PREPARED, _prepared_cases)
