"""What a compliance officer reads: findings of a span of gaming days with what was written on them, and notes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property

from django.db.models import Count, OuterRef, Subquery
from django.utils.translation import gettext as _

from casino import clock
from casino.cage import fill_places
from casino.cage.models import Unclaimed
from casino.cage.rules import CLAIMED
from casino.cage.selectors.identity import claimed_cash, counted_slips
from casino.cage.selectors.paid_on import transfer_of_slip
from casino.commands.carrying_out import Actor
from casino.compliance import rules
from casino.compliance.errors import OwnSuspicion
from casino.compliance.models import ComplianceNote
from casino.compliance.rules import Crossing, Finding, Source, Thresholds
from casino.compliance.selectors.handled import handled_among, notes_resting_on, rests_on_handled
from casino.errors import NotFound
from casino.ledger.models import Transfer
from casino.people.exception_report import Span
from casino.people.models import Player, Staff
from casino.people.selectors import nicknames, staff_names
from casino.people.standing import ids_of
from casino.reading import snapshot
from casino.reports.selectors.exceptions import span_of
from casino.rooms.models import GamingDay, Room
from casino.rooms.selectors import rule_book_in_force
from casino.rulebooks import RuleBook
from tables.models import Hand, HandSeat

# So many days are shown where nobody named any.
DAYS_SHOWN = 7
# So many of the newest notes are read at once.
NOTES_MAX = 200
# What stands before what: nobody has said anything yet of the first three.
ORDER = ("new", "grown", "reopened", "looked_at", "explained", "reported")


@dataclass(frozen=True)
class SlipShown:
    """
    A slip under a finding, with the number that it has at its desk, which is called as the reader says; or lost cash
    that was claimed, with its number among what was found.
    """

    row: Crossing
    number: int
    desk: str


@dataclass(frozen=True)
class NoteShown:
    """A note with the names of who wrote it and of whom it is on ("" for a finding where nobody was named)."""

    note: ComplianceNote
    written_by: str
    about: str
    corrected_by: int | None


@dataclass(frozen=True)
class FindingShown:
    """A finding, whose it is, its slips, how it stands (`ORDER`), and what was written on it, oldest first."""

    finding: Finding
    name: str
    slips: Sequence[SlipShown]
    state: str
    notes: Sequence[NoteShown]


@dataclass(frozen=True)
class Findings:
    """
    What in a span looks like structuring, what is new first. `thresholds`: None where the book asks for no identity.

    `own`: whether some rest on slips that whoever reads has handled, or share a slip with a note that does; another
    officer looks at them.
    """

    span: Span
    at: datetime
    thresholds: Thresholds | None
    shown: Sequence[FindingShown]
    own: bool

    @property
    def is_open(self) -> bool:
        """Whether what comes today still changes it."""
        return self.span.days[-1].closed_at is None


@dataclass(frozen=True)
class _Read:
    """What crossed the counter in a span as rules read it, and as screens show it."""

    slips: Mapping[Source, SlipShown] = field(default_factory=dict)

    @cached_property
    def rows(self) -> list[Crossing]:
        return [each.row for each in self.slips.values()]


def thresholds_of(book: RuleBook) -> Thresholds | None:
    """Return a house's thresholds; None where it asks for nobody's identity, so that nothing is below anything."""
    from_cents = book.cage.identity_from_cents
    return Thresholds(from_cents, book.compliance) if from_cents else None


def findings_of(room: Room, by: Actor, first: date | None = None, last: date | None = None) -> Findings:
    """
    Return the findings of a span of gaming days, the newest `DAYS_SHOWN` where none is named.

    Each rests on a slip of the span at least; what lies up to `together_days` before it is read too. A fixed number of
    queries, whatever there was (`tests/compliance` counts them). The book is the one in force now.

    :raises SpanBackwards, SpanTooLong, NoDayInSpan: as `casino.reports.selectors.exceptions.span_of`.
    """
    if first is None and last is None:
        last = GamingDay.objects.filter(room=room).order_by("-id").values_list("date", flat=True).first()
        first = last - timedelta(days=DAYS_SHOWN - 1) if last else None
    span = span_of(room, first, last)
    at = clock.now()
    _version, book = rule_book_in_force(room.pk, at=at)
    thresholds = thresholds_of(book)
    if thresholds is None:
        return Findings(span, at, None, [], own=False)
    with snapshot():
        days = _days_with_those_before(span, thresholds.book.together_days - 1)
        read = _crossings(span.room_id, days)
        dealt = _dealt(read.rows, days, thresholds)
        in_span = set(span.day_ids)
        numbers = {days[day_id] for day_id in in_span}
        everything = [
            each
            for each in rules.findings(read.rows, dealt, thresholds)
            if any(row.day in numbers for row in each.rows)
        ]
        notes = notes_resting_on(room.pk, {source for each in everything for source in each.sources})
        own = _own_sources(by, everything, notes)
        mine = [each for each in everything if not own & each.sources]
        notes_with_names = notes_shown(notes)
        names = nicknames(each.person for each in mine if each.person is not None)
    rows = [_shown(each, read, names, notes_with_names) for each in mine]
    rows.sort(key=lambda each: (ORDER.index(each.state), -each.finding.last_at.timestamp(), each.finding.kind))
    return Findings(span, at, thresholds, rows, own=len(everything) > len(mine))


def notes_on(
    room: Room, by: Actor, *, player_id: int | None = None, staff_id: int | None = None
) -> tuple[str, list[NoteShown]]:
    """
    Return the name of a player, erased or merged ones too, or of somebody on staff, and the notes on them, newest
    first. Without either the newest notes of the room, and no name.

    Those on whoever asks, or on slips that they handled, are left out.

    :raises NotFound: nobody of this room.
    :raises OwnSuspicion: they are whoever asks.
    """
    mine = _reader(by)
    notes = ComplianceNote.objects.filter(room=room)
    name = ""
    if staff_id is not None:
        if staff_id == mine:
            raise OwnSuspicion
        name = _name(staff_names([staff_id], room_id=room.pk), staff_id)
        notes = notes.filter(staff_id=staff_id)
    elif player_id is not None:
        name = _name(nicknames([player_id], room_id=room.pk), player_id)
        notes = notes.filter(ids_of(player_id))
    # As many as there may be at once: where fewer came, they would tell how many are left out.
    theirs = notes.exclude(staff_id=mine).alias(own=rests_on_handled(mine)).filter(own=False)
    return name, notes_shown(theirs.order_by("-id")[:NOTES_MAX])


def notes_shown(notes: Iterable[ComplianceNote]) -> list[NoteShown]:
    """Return notes with the names in them, in their order. Three queries."""
    notes = list(notes)
    wrote = {each.written_by_id for each in notes} | {each.staff_id for each in notes if each.staff_id is not None}
    staff, players = staff_names(wrote), nicknames(each.player_id for each in notes if each.player_id is not None)
    corrections = ComplianceNote.objects.filter(corrects__in=[each.pk for each in notes]).values_list(
        "corrects_id", "id"
    )
    corrected = dict(corrections)
    return [
        NoteShown(
            each,
            staff.get(each.written_by_id, ""),
            staff.get(each.staff_id or 0, "") or players.get(each.player_id or 0, ""),
            corrected.get(each.pk),
        )
        for each in notes
    ]


def find_staff(room_id: int, text: str, *, without: int, limit: int) -> list[Staff]:
    """Return people on staff whose name holds `text`, by name; never whoever asks."""
    staff = Staff.objects.filter(room_id=room_id, display_name__icontains=text).exclude(id=without)
    return list(staff.order_by("display_name", "id")[:limit])


def _name(names: Mapping[int, str], of: int) -> str:
    if of not in names:
        raise NotFound(what="person")
    return names[of]


def _days_with_those_before(span: Span, before: int) -> dict[int, int]:
    """Return the number of each gaming day by its id: the span's, and of so many before it."""
    earlier = GamingDay.objects.filter(room_id=span.room_id, id__lt=span.day_ids[0]).order_by("-id")
    ids = [*reversed(earlier.values_list("id", flat=True)[:before]), *span.day_ids]
    return {day_id: number for number, day_id in enumerate(ids)}


def _crossings(room_id: int, days: Mapping[int, int]) -> _Read:
    """Read what counts where the till asks who somebody is (`casino.cage.selectors.identity`). Two queries."""
    return _Read({**_slips(room_id, days), **_claims(room_id, days)})


def _slips(room_id: int, days: Mapping[int, int]) -> Mapping[Source, SlipShown]:
    paid = counted_slips(room_id, days).annotate(on_day=Subquery(transfer_of_slip().values("day")))
    rows = paid.order_by("id").values_list(
        "id", "player_id", "player__merged_into_id", "drawer_id", "kind", "method", "amount_cents", "worth_cents",
        "paid_at", "on_day", "number", "drawer__name", "drawer__place_kind", "drawer__place_number",
    )  # fmt: skip
    by_source = {}
    for slip, player, merged, drawer, kind, method, cents, worth, at, day, number, desk, place, of in rows:
        assert drawer is not None, "a paid slip has its desk"
        assert method is not None, "a paid slip has its means"
        assert at is not None, "a paid slip has its moment"
        crossing = Crossing(
            slip, merged or player, drawer, kind, method, worth, at, days[day or 0], change_cents=worth - cents
        )
        called = fill_places.label(place, of or 0) if place else desk or ""
        by_source[crossing.source] = SlipShown(crossing, number or 0, called)
    return by_source


def _claims(room_id: int, days: Mapping[int, int]) -> Mapping[Source, SlipShown]:
    given = Transfer.objects.filter(id=OuterRef("end_transfer_id"))
    claims = claimed_cash(room_id, days).annotate(on_day=Subquery(given.values("day")))
    rows = claims.order_by("id").values_list(
        "id", "claimed_by_id", "claimed_by__merged_into_id", "drawer_id", "amount_cents", "ended_at", "on_day", "number"
    )
    by_source = {}
    for claim, player, merged, drawer, cents, at, day, number in rows:
        assert at is not None, "it was given at a moment"
        crossing = Crossing(
            claim, merged or player, drawer, CLAIMED, Unclaimed.What.CASH.value, cents, at, days[day or 0]
        )
        by_source[crossing.source] = SlipShown(crossing, number, _("Found and unclaimed"))
    return by_source


def _dealt(rows: Iterable[Crossing], days: Mapping[int, int], thresholds: Thresholds) -> Counter[tuple[int, int]]:
    """Count hands by person and day, of those who bought and cashed much: of nobody else it is asked."""
    by_person: dict[int, list[Crossing]] = {}
    for row in rows:
        if row.person is not None:
            by_person.setdefault(row.person, []).append(row)
    much = [person for person, theirs in by_person.items() if rules.both_ways(theirs) >= thresholds.much_cents]
    # Their ids first, so that their hands are found by an index.
    people = dict(Player.objects.filter(merged_into_id__in=much).values_list("id", "merged_into_id"))
    people |= {each: each for each in much}
    seats = HandSeat.objects.filter(
        player_id__in=people,
        hand__day_id__in=days,
        hand__status__in=(Hand.Status.DEALT, Hand.Status.SETTLED),
    )
    dealt: Counter[tuple[int, int]] = Counter()
    for player, day, count in seats.order_by().values_list("player_id", "hand__day_id").annotate(Count("id")):
        dealt[people[player], days[day]] += count
    return dealt


def _reader(by: Actor) -> int:
    # A device of nobody's handled nothing: whoever holds compliance is a person.
    return by.staff_id or 0


def _own_sources(by: Actor, findings: Iterable[Finding], notes: Sequence[ComplianceNote]) -> set[Source]:
    """
    Return the slips and claims that whoever reads handled, and all others of a note that rests on one of these.

    So a finding of fewer days does not show what was written on more of them. A query for each of both.
    """
    rests = [*(each.sources for each in findings), *(each.sources for each in notes)]
    handled = handled_among(_reader(by), {source for each in rests for source in each})
    return handled.union(*(each.sources for each in notes if not handled.isdisjoint(each.sources)))


def _shown(finding: Finding, read: _Read, names: Mapping[int, str], notes: Iterable[NoteShown]) -> FindingShown:
    slips = [read.slips[row.source] for row in finding.rows]
    mine = [each for each in notes if each.note.kind == finding.kind and finding.sources & each.note.sources]
    name = names.get(finding.person, "") if finding.person is not None else ""
    return FindingShown(finding, name, slips, state_of(finding, mine), mine)


def state_of(finding: Finding, notes: Sequence[NoteShown]) -> str:
    """
    Return how a finding stands: as the newest of the marks on it says (`notes` are oldest first), of uncorrected notes.

    A mark is on the slips and claims that there were: with another one since it is "grown", and to be looked at again.
    """
    standing = (each.note for each in notes if each.corrected_by is None)
    marks = [note for note in standing if note.mark != ComplianceNote.Mark.NOTED]
    if not marks:
        return "new"
    if marks[-1].mark != ComplianceNote.Mark.REOPENED and not finding.sources <= marks[-1].sources:
        return "grown"
    return marks[-1].mark
