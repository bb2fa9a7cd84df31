"""
The gaming day's report: what ran, was dealt, charged, counted, bought and paid on one gaming day (L-G17 to L-G20).

Every figure is added up from rows and postings; nothing is written, and nothing is kept. What can be reckoned in two
ways is: charges by the log of hands and by what was posted, slips by themselves and by their transfers, what drawers
were counted over or short and what was posted of it; and the report says where the two differ.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from casino import clock
from casino.boxes.selectors.counted import CountedOf, counted_of
from casino.cage.selectors.carried_over import carried_of
from casino.cage.selectors.deposits import deposits_after
from casino.cage.selectors.of_day import SlipsOfDay, exchanges_on, notes_of, slips_of, vault_counts_on
from casino.ledger.owners import held_by
from casino.ledger.selectors.of_day import moved_on, trial_of_day
from casino.people.selectors import nicknames, staff_names
from casino.reading import snapshot
from casino.reports.errors import NoDayOfDate
from casino.reports.figures import (
    Charged,
    DayReport,
    DealerOfDay,
    OpeningOfDay,
    PlayerOfDay,
    Ran,
    Stretch,
)
from casino.reports.selectors import day_cage
from casino.rooms.models import GamingDay, Room, RuleBookVersion
from casino.rooms.selectors import rule_book
from jackpot.selectors.pools import hits_on
from tables.charges import charge_kinds
from tables.chart import DIFFERENCE, RACK_CASH_MISSING, RACK_MISSING
from tables.chart import OWNER as TABLE
from tables.models import Down, Hand, Opening, Table
from tables.rules.hours import played
from tables.selectors.of_day import (
    PLAYED,
    Charges,
    Hands,
    Sitting,
    Slots,
    charges_of,
    dealt_in,
    downs_of,
    events_of,
    hands_of,
    openings_of,
    posted_of,
    sittings_in,
    tips_taken_on,
)
from tables.selectors.tips import DealersTips, dealers_tips, tips_since

_QUARTER, _HOUR = 15 * 60, 60 * 60
# A night that has more quarters is told by the hour.
_QUARTERS_MAX = 12 * 4
_NOTED = {
    Hand.Status.UNDONE.value: "undone",
    Hand.Status.VOID.value: "void",
    Hand.Status.CORRECTED.value: "corrected",
    Hand.Status.NOT_LOGGED.value: "not_logged",
}
# The accounts on which stands what counts found at a table; positive: it is missing.
_MISSING_IN_RACK = frozenset({RACK_MISSING, RACK_CASH_MISSING})
_MISSING_AT_TABLE = _MISSING_IN_RACK | {DIFFERENCE}
_TIPS = "tip_box"
_BUY_INS, _CASH_OUTS = "buy_in", "cash_out"


@dataclass(frozen=True)
class _Read:
    """What was read of a gaming day, as of one moment."""

    day: GamingDay
    until: datetime
    slots: Slots
    openings: Sequence[Opening]
    hands: Sequence[Hands]
    charges: Sequence[Charges]
    posted: Sequence[tuple[int, int | None, str, int]]
    counted: Sequence[CountedOf]
    events: Sequence[tuple[int | None, int | None, datetime, str]]
    moved: Mapping[tuple[str, int, str], int]
    tips: Sequence[tuple[int, int]]
    downs: Sequence[Down]
    sittings: Sequence[Sitting]
    slips: Sequence[SlipsOfDay]

    def seconds(self, began: datetime, ended: datetime | None) -> int:
        """Return how many seconds of a stretch of time lie within the day."""
        return _overlap(began, ended or self.until, self.day.opened_at, self.until)


def day_report(
    room: Room, on: date | None = None, *, as_of: datetime | None = None, shown_to: int | None = None
) -> DayReport:
    """
    Return the report of the gaming day of a date, the newest one without, as of one moment.

    `as_of`, the latest moment that was logged on a closed day: what became of its hands, slips, drawers and carried
    things since is left out, and of its boxes what was counted since it closed as counted; players are the records that
    they had. It is after the day's end where the clock was set back before that.

    A fixed number of queries, whatever the day came to (`tests/reports` counts them). Whoever it is `shown_to` who
    holds a drawer that was open on the day and still is has no sums of drawers in it (`DayReport.blind`): their count
    is blind, also of a drawer that was carried over the day's end.

    :raises NoDayOfDate: there is none.
    """
    # Rows and postings are read one after the other: what is written meanwhile is in all of them or in none.
    with snapshot():
        days = GamingDay.objects.filter(room=room).select_related("room")
        day = (days.filter(date=on) if on else days.order_by("-date", "-id")).first()
        found = _report(day, as_of) if day else None
    if found is None:
        raise NoDayOfDate
    if held_by(room.pk, shown_to, day_id=found.day.pk):
        return found.blind()
    return found


def _report(day: GamingDay, as_of: datetime | None) -> DayReport:
    at = clock.now()
    read = _read(day, at, as_of)
    openings, elsewhere = _openings(read)
    tips = _tips(day, at, as_closed=True)
    return DayReport(
        day=day,
        at=at,
        openings=openings,
        dealers=_dealers(read),
        players=_players(read),
        drawers=day_cage.drawers(day, read.moved),
        runners=day_cage.runners(day, read.moved),
        slips=day_cage.slip_kinds(read.slips),
        trial=trial_of_day(day),
        deposits=deposits_after(day),
        night=list(_night(read)),
        stretch_seconds=read.slots.seconds,
        elsewhere=elsewhere,
        carried=carried_of(day),
        counted_by=_counted_by(day),
        foreign_notes=notes_of(day),
        exchanges=exchanges_on(day),
        vault_counts=vault_counts_on(day),
        vault_posted=day_cage.vault_posted(day, read.moved),
        tips=tips,
        tips_since=tips_since(tips, _tips(day, at)) if day.closed_at else [],
        cash_plays=day_cage.cash_plays(day),
    )


def _tips(day: GamingDay, at: datetime, *, as_closed: bool = False) -> list[DealersTips]:
    found = dealers_tips(day, at=at, as_closed=as_closed)
    return found if any(each.cents for each in found) else []


def _counted_by(day: GamingDay) -> list[str]:
    both = [who for who in (day.counted_by_id, day.counted_with_id) if who is not None]
    names = staff_names(both) if both else {}
    return [names.get(who, "") for who in both]


def _read(day: GamingDay, at: datetime, as_of: datetime | None) -> _Read:
    until = max(day.closed_at or at, day.opened_at)
    seconds = max(int((until - day.opened_at).total_seconds()), 1)
    step = _QUARTER if seconds <= _QUARTERS_MAX * _QUARTER else _HOUR
    slots = Slots(day.opened_at, step, -(-seconds // step))
    charges, posted = charges_of(day, slots, as_of=as_of), posted_of(day)
    # What was posted or approved on this day may be of what ran on an earlier one.
    named = {each.opening_id for each in charges} | {opening for _table, opening, _kind, _cents in posted if opening}
    hits = [(None, opening_id, at, "jackpot_hits") for opening_id, at in hits_on(day)]
    openings = openings_of(day, until=until, also={*named, *(opening_id for _table, opening_id, *_rest in hits)})
    return _Read(
        day=day,
        until=until,
        slots=slots,
        openings=openings,
        hands=hands_of(day, slots, as_of=as_of),
        charges=charges,
        posted=posted,
        counted=counted_of(
            day.room_id, day.date, day.date, list(charge_kinds()), until=day.counted_at if as_of else None
        ),
        events=[*events_of(day), *hits],
        moved=moved_on(day, frozenset({_TIPS, *_MISSING_AT_TABLE, *day_cage.MISSING, *day_cage.VAULT_MISSING})),
        tips=tips_taken_on(day),
        downs=downs_of(day, until=until),
        sittings=sittings_in(openings, until=until, as_closed=as_of is not None),
        slips=slips_of(day, as_closed=as_of is not None),
    )


# ---- tables


@dataclass
class _Sum:
    """What an opening comes to, while it is added up."""

    hands: int = 0
    charges: dict[str, Charged] = field(default_factory=lambda: defaultdict(Charged))
    tips_cents: int = 0
    over_short_cents: int = 0
    in_rack: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)


class _Places:
    """The openings of a day, and of each table that ran nothing what was posted there all the same."""

    def __init__(self, openings: Sequence[Opening]) -> None:
        self.sums: dict[tuple[int, int | None], _Sum] = defaultdict(_Sum)
        self._openings = {each.pk: each for each in openings}
        self._at_table: dict[int, list[Opening]] = defaultdict(list)
        self._tables = {each.table.number: each.table_id for each in openings}
        for each in openings:
            self._at_table[each.table_id].append(each)

    def of(self, opening_id: int) -> _Sum:
        """Return the sum of an opening that ran on the day."""
        return self.sums[self._openings[opening_id].table_id, opening_id]

    def at(self, table_id: int, opening_id: int | None = None) -> _Sum:
        """Return the sum of an opening; of what names none, that of the last one that the table ran."""
        if opening_id in self._openings:
            return self.of(opening_id)
        there = self._at_table[table_id]
        return self.of(there[-1].pk) if there else self.sums[table_id, None]

    def when(self, number: int | None, opening_id: int | None, at: datetime) -> _Sum | None:
        """Return the sum of what a table of that number ran at a moment, None where it belongs to none."""
        if opening_id in self._openings:
            return self.of(opening_id)
        there = self._at_table[self._tables[number]] if number in self._tables else []
        before = [each for each in there if each.opened_at <= at] or there[:1]
        return self.of(before[-1].pk) if before else None


def _openings(read: _Read) -> tuple[list[OpeningOfDay], dict[str, int]]:
    """Return what each opening came to, and what is noteworthy and belongs to no table. Three queries."""
    places, elsewhere = _Places(read.openings), Counter[str]()
    for hands in read.hands:
        here = places.of(hands.opening_id)
        here.hands += hands.count if hands.status in PLAYED else 0
        if hands.from_paper and hands.status in PLAYED:
            here.notes["caught_up"] += hands.from_paper
        if hands.status in _NOTED:
            here.notes[_NOTED[hands.status]] += hands.count
    for charge in read.charges:
        of_table = places.of(charge.opening_id).charges
        of_table[charge.kind] += Charged(due=charge.due_cents, taken=charge.taken_cents)
    for table_id, opening_id, kind, cents in read.posted:
        places.at(table_id, opening_id).charges[kind] += Charged(posted=cents)
    for counted in read.counted:
        found = Charged(
            logged_in_counted=counted.logged_cents, beyond=counted.beyond_cents, over_short=counted.over_short_cents
        )
        places.at(counted.table_id, counted.opening_id).charges[counted.kind] += found
    for (owner_kind, table_id, account), cents in read.moved.items():
        if owner_kind == TABLE and account == _TIPS:
            places.at(table_id).tips_cents += cents
        elif owner_kind == TABLE and account in _MISSING_AT_TABLE:
            here = places.at(table_id)
            here.over_short_cents -= cents
            if account in _MISSING_IN_RACK:
                here.in_rack[account] -= cents
    # What two have counted has left the box again.
    for table_id, cents in read.tips:
        places.at(table_id).tips_cents += cents
    for number, opening_id, at, what in read.events:
        there = places.when(number, opening_id, at)
        (there.notes if there else elsewhere)[what] += 1
    return _named(read, places), dict(elsewhere)


def _named(read: _Read, places: _Places) -> list[OpeningOfDay]:
    """Return the openings with their books and their staff, by table and in order. Three queries."""
    ran_by = {each for one in read.openings for each in (one.opened_by_id, one.closed_by_id) if each is not None}
    dealt = dealt_in(read.openings, read.downs, until=read.until)
    staff = staff_names(ran_by.union(*dealt.values()))
    versions = RuleBookVersion.objects.filter(id__in={each.rule_book_version_id for each in read.openings})
    books = {pk: (book, number) for pk, book, number in versions.values_list("id", "book", "number")}
    idle = [table_id for table_id, opening_id in places.sums if opening_id is None]
    numbers = dict(Table.objects.filter(id__in=idle).values_list("id", "number"))
    found = []
    for each in read.openings:
        book, number = books.get(each.rule_book_version_id, ("", None))
        seconds = read.seconds(each.opened_at, each.closed_at)
        ran = _ran(each.table.number, each.game.name, seconds, places.of(each.pk))
        venue = rule_book(each.rule_book_version_id).venue
        dealer_ids = dealt[each.pk]
        found.append(
            OpeningOfDay(
                ran,
                each,
                book,
                number,
                staff.get(each.opened_by_id, ""),
                venue.kind if venue else "",
                closed_by=staff.get(each.closed_by_id or 0, ""),
                dealer_ids=dealer_ids,
                dealers=[staff.get(dealer, "") for dealer in dealer_ids],
            )
        )
    found += [OpeningOfDay(_ran(numbers[pk], "", 0, places.sums[pk, None])) for pk in idle]
    return sorted(found, key=lambda each: each.ran.table_number)


def _ran(number: int, game: str, seconds: int, of: _Sum) -> Ran:
    return Ran(
        number,
        game,
        seconds,
        of.hands,
        dict(of.charges),
        of.tips_cents,
        of.over_short_cents,
        of.in_rack[RACK_MISSING],
        of.in_rack[RACK_CASH_MISSING],
        dict(of.notes),
    )


# ---- people


def _dealers(read: _Read) -> list[DealerOfDay]:
    """Return who dealt or was named as a hand's dealer, by name; nobody's hands last. One query."""
    downs: Counter[int | None] = Counter(each.dealer_id for each in read.downs)
    seconds: Counter[int | None] = Counter()
    for down in read.downs:
        seconds[down.dealer_id] += read.seconds(down.began_at, down.ended_at)
    hands: Counter[int | None] = Counter()
    for each in read.hands:
        hands[each.dealer_id] += each.count if each.status in PLAYED else 0
    taken: dict[int | None, Counter[str]] = defaultdict(Counter)
    for charge in read.charges:
        if charge.is_of_hands:
            taken[charge.dealer_id][charge.kind] += charge.taken_cents
    who = {*downs, *(dealer for dealer, count in hands.items() if count), *taken}
    names = staff_names(each for each in who if each is not None)
    found = [
        DealerOfDay(each, names.get(each or 0, ""), downs[each], seconds[each], hands[each], dict(taken[each]))
        for each in who
    ]
    return sorted(found, key=lambda each: (each.staff_id is None, each.name, each.staff_id or 0))


def _players(read: _Read) -> list[PlayerOfDay]:
    """Return who sat, bought chips or had them paid, by nickname; whom nobody asked last. One query."""
    sat: dict[int | None, list[tuple[datetime, datetime | None]]] = defaultdict(list)
    for each in read.sittings:
        # What ran on an earlier day is here for what was posted of it since: who sat there may have left then.
        if each.ended_at is None or each.ended_at > read.day.opened_at:
            sat[each.player_id].append((max(each.began_at, read.day.opened_at), each.ended_at))
    paid: dict[int | None, Counter[str]] = defaultdict(Counter)
    for slip in read.slips:
        if slip.kind in (_BUY_INS, _CASH_OUTS):
            paid[slip.player_id][slip.kind] += -slip.cents if slip.is_back else slip.cents
    who = {*sat, *paid}
    names = nicknames(each for each in who if each is not None)
    found = [
        PlayerOfDay(
            each,
            names.get(each or 0, ""),
            int(played(sat[each], at=read.until).total_seconds()),
            paid[each][_BUY_INS],
            paid[each][_CASH_OUTS],
        )
        for each in who
    ]
    return sorted(found, key=lambda each: (each.player_id is None, each.nickname.casefold(), each.player_id or 0))


# ---- the night


def _night(read: _Read) -> Iterator[Stretch]:
    """Yield the stretches of the night; the last one ends with the day, or now."""
    hands: Counter[int] = Counter()
    for each in read.hands:
        hands[each.slot] += each.count if each.status in PLAYED else 0
    taken: dict[int, Counter[str]] = defaultdict(Counter)
    for charge in read.charges:
        taken[charge.slot][charge.kind] += charge.taken_cents
    sat = _by_slot(read.slots, read.until, ((each.began_at, each.ended_at, 1) for each in read.sittings))
    seats = _by_slot(
        read.slots, read.until, ((each.opened_at, each.closed_at, each.game.seats) for each in read.openings)
    )
    for index, began in enumerate(read.slots.begins()):
        lasts = max(min(read.slots.seconds, int((read.until - began).total_seconds())), 1)
        taken_tenths, tenths = (round(10 * of.get(index, 0) / lasts) for of in (sat, seats))
        yield Stretch(began, taken_tenths, tenths, hands[index], dict(taken[index]))


def _by_slot(
    slots: Slots, until: datetime, spans: Iterable[tuple[datetime, datetime | None, int]]
) -> Mapping[int, int]:
    """Return by stretch of the night the seconds of all spans that lie in it, each as often as it counts."""
    found: Counter[int] = Counter()
    begins = list(slots.begins())
    for began, ended, times in spans:
        ends = min(ended or until, until)
        first, last = slots.of(began), slots.of(ends)
        for index in range(first, last + 1):
            if first < index < last:
                found[index] += times * slots.seconds
                continue
            next_begins = begins[index + 1] if index + 1 < slots.count else until
            found[index] += times * _overlap(began, ends, begins[index], next_begins)
    return found


def _overlap(began: datetime, ended: datetime, first: datetime, until: datetime) -> int:
    """Return how many seconds two stretches of time share."""
    return max(0, int((min(ended, until) - max(began, first)).total_seconds()))
