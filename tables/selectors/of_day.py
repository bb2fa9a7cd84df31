"""
A gaming day at the tables, as sums: what ran, hands, charges, who dealt and who played. Each question is one query.

A hand counts on the day on which it was logged; what was charged of it counts on the day on which it was posted, for a
closed day takes no posting: a hand that was supplied afterwards is of the day before, and its rake of the day after.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, LiteralString

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from casino.audit.models import Event
from casino.commands.carrying_out import DONE
from casino.ledger.models import Transfer
from casino.rooms.models import GamingDay
from tables import about
from tables.charges import charge_kinds, emptying
from tables.models import DisputedPot, Down, Hand, Incident, Opening, Seating, TimeTaken, TipCount
from tables.selectors.continued import openings_after

# Hands that were played, and stand.
PLAYED = frozenset({Hand.Status.SETTLED.value, Hand.Status.NOT_LOGGED.value})
# What a table pays by the time itself lies with the rake (`tables.services.time_charges`).
_BY_TIME = "rake"


@dataclass(frozen=True)
class Slots:
    """A night in stretches of equal length: `count` of `seconds` each, from `began_at` on."""

    began_at: datetime
    seconds: int
    count: int

    def of(self, at: datetime) -> int:
        """Return the index of the stretch in which a moment lies; what lies before or after is of the first or last."""
        index = int((at - self.began_at).total_seconds() // self.seconds)
        return max(0, min(index, self.count - 1))

    def begins(self) -> Iterator[datetime]:
        """Yield when each stretch begins."""
        for index in range(self.count):
            yield self.began_at + timedelta(seconds=index * self.seconds)


@dataclass(frozen=True)
class Hands:
    """
    How many hands of one status a dealer (None: nobody was named) had in an opening, within one stretch.

    `from_paper` of them were caught up from a sheet.
    """

    opening_id: int
    dealer_id: int | None
    status: str
    slot: int
    count: int
    from_paper: int = 0


@dataclass(frozen=True)
class Charges:
    """What of one kind of charge was due and taken, in cents: of hands of a dealer, or of time, which nobody deals."""

    opening_id: int
    dealer_id: int | None
    slot: int
    kind: str
    due_cents: int
    taken_cents: int
    is_of_hands: bool = True


_SLOT: LiteralString = """
    greatest(0, least(%(slots)s - 1, floor(extract(epoch FROM coalesce(
        CASE WHEN hand.settled_at <= coalesce(%(as_of)s::timestamptz, 'infinity') THEN hand.settled_at END,
        hand.dealt_at, hand.ended_at
    ) - %(began)s) / %(step)s)))::int
"""
# What a hand was at a moment: it may have been supplied, undone or settled since.
_STATUS: LiteralString = """
    CASE WHEN hand.settled_at > %(as_of)s::timestamptz
        THEN CASE WHEN hand.status = 'settled' AND hand.ended_at <= %(as_of)s THEN 'not_logged' ELSE 'dealt' END
    WHEN hand.ended_at > %(as_of)s::timestamptz THEN CASE WHEN hand.settled_at IS NOT NULL THEN 'settled'
        WHEN hand.status = 'undone' THEN 'not_logged' ELSE 'dealt' END
    ELSE hand.status END
"""
_HANDS: LiteralString = """
    SELECT hand.opening_id, hand.dealer_id, {status}, {slot}, count(*), count(hand.from_sheet) FROM tables_hand hand
    WHERE hand.room_id = %(room)s AND hand.day_id = %(day)s GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
"""
# Of hands that stand: those of the day, and those of before it that were posted on it.
_CHARGES: LiteralString = """
    WITH logged AS (
        SELECT id FROM tables_hand WHERE room_id = %(room)s AND day_id = %(day)s
        UNION
        SELECT {hand_id} FROM ledger_transfer transfer
        WHERE room_id = %(room)s AND day_id = %(day)s AND kind = 'hand'
    )
    SELECT hand.opening_id, hand.dealer_id, {slot}, charge.kind,
        sum(charge.due_cents)::bigint, sum(charge.taken_cents)::bigint
    FROM logged JOIN tables_hand hand ON hand.id = logged.id AND {status} = 'settled'
    JOIN tables_handcharge charge ON charge.hand_id = hand.id
    LEFT JOIN ledger_transfer transfer ON transfer.id = hand.transfer_id
    WHERE coalesce(transfer.day_id, hand.day_id) = %(day)s GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
"""
# What counts took out of a box is no charge.
_POSTED: LiteralString = """
    SELECT account.owner_id, coalesce(hand.opening_id, time.opening_id), account.kind, sum(posting.cents)::bigint
    FROM ledger_transfer transfer
    JOIN ledger_posting posting ON posting.transfer_id = transfer.id
    JOIN ledger_account account ON account.id = posting.account_id
        AND account.owner_kind = 'table' AND account.kind = ANY(%(accounts)s)
    {hand_and_time}
    WHERE transfer.room_id = %(room)s AND transfer.day_id = %(day)s AND transfer.kind <> ALL(%(emptying)s)
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""


def tips_taken_on(day: GamingDay) -> list[tuple[int, int]]:
    """
    Return what two have counted in tip boxes on a gaming day, by table, in cents: as it was posted, of whichever day
    the tips are. One query.
    """
    posted = Transfer.objects.filter(room_id=day.room_id, day=day, kind="tips_taken").order_by()
    counts = TipCount.objects.filter(room_id=day.room_id, transfer_id__in=posted.values("id")).order_by()
    return list(counts.values_list("table_id").annotate(cents=Sum("cents")).values_list("table_id", "cents"))


def openings_of(day: GamingDay, *, until: datetime, also: Iterable[int] = ()) -> Sequence[Opening]:
    """
    Return what ran at the tables on a gaming day, by table and in the order of opening, with table and game.

    Also what was opened on an earlier day and still ran, or of which a hand was logged only now, and those named. What
    played on over the day's end has not closed on it: the next day's opening, which goes on with it, is another.
    """
    ran_on = Q(day_id__lt=day.pk, opened_at__lt=until) & (Q(closed_at=None) | Q(closed_at__gt=day.opened_at))
    logged = Q(pk__in=Hand.objects.filter(day=day).values("opening"))
    openings = Opening.objects.filter(Q(day=day) | ran_on | logged | Q(pk__in=set(also)), room_id=day.room_id)
    goes_on = Exists(Opening.objects.filter(continues=OuterRef("pk"), day_id__gt=day.pk))
    openings = openings.annotate(goes_on=goes_on).select_related("table", "game")
    found = list(openings.order_by("table__number", "opened_at", "id"))
    for opening in found:
        if opening.goes_on:
            opening.closed_at = opening.closed_by_id = None
    return found


def hands_of(day: GamingDay, slots: Slots, *, as_of: datetime | None = None) -> list[Hands]:
    """Return the hands of a gaming day, by opening, dealer, status (`as_of` a moment) and stretch of the night."""
    return [Hands(*row) for row in _rows(_HANDS.format(slot=_SLOT, status=_STATUS), day, slots, as_of)]


def charges_of(day: GamingDay, slots: Slots, *, as_of: datetime | None = None) -> list[Charges]:
    """Return what was charged on a gaming day by the log of hands (`as_of` a moment), and of time. Two queries."""
    charges = [
        Charges(*row)
        for row in _rows(_CHARGES.format(slot=_SLOT, status=_STATUS, hand_id=about.HAND), day, slots, as_of)
    ]
    times = TimeTaken.objects.filter(room_id=day.room_id, day=day, taken_back_at=None).order_by("id")
    for opening_id, by_time, at, due, paid in times.values_list(
        "opening_id", "opening__by_time", "taken_at", "due_cents", "paid_cents"
    ):
        kind = by_time["kind"] if by_time else _BY_TIME
        charges.append(Charges(opening_id, None, slots.of(at), kind, due, paid, is_of_hands=False))
    return charges


def posted_of(day: GamingDay) -> list[tuple[int, int | None, str, int]]:
    """
    Return what the ledger says was put into the tables' boxes on a gaming day: (table, opening, kind of charge, cents).

    The opening is that of the hand or the time for which it was posted, None where neither is named.
    """
    kinds = {kind.box: kind.code for kind in charge_kinds()}
    with connection.cursor() as cursor:
        cursor.execute(
            _POSTED.format(hand_and_time=about.HAND_AND_TIME),
            {"room": day.room_id, "day": day.pk, "accounts": list(kinds), "emptying": emptying()},
        )
        return [(table, opening, kinds[account], cents) for table, opening, account, cents in cursor.fetchall()]


def downs_of(day: GamingDay, *, until: datetime) -> list[Down]:
    """
    Return who dealt on a gaming day, as they began; what began before a table was opened counts too. What is caught up
    from paper is of the day on which it is entered, so a closed day stays as it closed. One query.
    """
    of_day = Q(day=day) | Q(day=None, began_at__gte=day.opened_at, began_at__lt=until)
    return list(Down.objects.filter(of_day, room_id=day.room_id).order_by("began_at", "id"))


def dealt_in(openings: Sequence[Opening], downs: Sequence[Down], *, until: datetime) -> Mapping[int, Sequence[int]]:
    """
    Return by opening who of a day's downs, as they began, has dealt at its table while it ran, until a moment: each
    once, in the order in which they pushed in (L-G19).
    """
    found: dict[int, Sequence[int]] = {}
    for opening in openings:
        ended = min(opening.closed_at or until, until)
        there = (
            each.dealer_id
            for each in downs
            if each.table_id == opening.table_id
            and each.began_at < ended
            and (each.ended_at is None or each.ended_at > opening.opened_at)
        )
        found[opening.pk] = list(dict.fromkeys(there))
    return found


@dataclass(frozen=True)
class Sitting:
    """From when to when somebody had a seat, by the record that the person has now, or had then."""

    player_id: int
    began_at: datetime
    ended_at: datetime | None


def sittings_in(openings: Sequence[Opening], *, until: datetime, as_closed: bool = False) -> list[Sitting]:
    """
    Return who sat in these openings by that moment, who has played on in those of later days too; `as_closed` by the
    record under which they sat, though it was joined with another since. Two queries.
    """
    ids = [each.pk for each in openings]
    seatings = Seating.objects.filter(Q(opening__in=ids) | Q(opening__in=openings_after(ids), sat_down_at__lt=until))
    seatings = seatings.order_by("id")
    rows = seatings.values_list(
        "player_id", "player__merged_into_id", "sat_down_at", "left_at", "sat_as_id", "opening_id"
    )
    here = set(ids)
    return [
        Sitting((player if opening in here else sat_as or player) if as_closed else merged or player, began, ended)
        for player, merged, began, ended, sat_as, opening in rows
    ]


# What is noteworthy besides the hands' own statuses (L-G18, L-G20).
_INCIDENTS: dict[str, str] = {
    Incident.Kind.RULING: "rulings",
    Incident.Kind.WARNING: "penalties",
    Incident.Kind.PENALTY: "penalties",
}

_BAN = "people.ban_player"


def events_of(day: GamingDay) -> list[tuple[int | None, int | None, datetime, str]]:
    """
    Return what else is noteworthy: (table's number, opening, when, what), where either of the first two is known.

    Disputed pots, rulings, warnings and penalties, other incidents, where the floor did otherwise than was proposed,
    and bans, which are of no table. Three queries.
    """
    happened: list[tuple[int | None, int | None, datetime, str]] = []
    pots = DisputedPot.objects.filter(room_id=day.room_id, day=day).order_by("id")
    for number, opening, at in pots.values_list("table__number", "hand__opening", "set_aside_at"):
        happened.append((number, opening, at, "disputes"))
    incidents = Incident.objects.filter(room_id=day.room_id, day=day).order_by("id")
    for kind, number, opening, at in incidents.values_list("kind", "table__number", "hand__opening", "at"):
        happened.append((number, opening, at, _INCIDENTS.get(kind, "incidents")))
    events = done_on(day, "tables.note_overrule", _BAN)
    for name, chain, at in events.order_by("id").values_list("name", "chain", "at"):
        if name == _BAN:
            happened.append((None, None, at, "restrictions"))
        else:
            happened.append((int(chain.removeprefix("table.")), None, at, "overrules"))
    return happened


def done_on(day: GamingDay, *names: str) -> QuerySet[Event]:
    """
    Return the events of these commands that were carried out on a gaming day, or since the day before closed: what is
    done between two days is done for the next one. A day ends with the event that closed it, as in its auditor's pack:
    what was done while it closed is of it.
    """
    closings = Event.objects.filter(room_id=day.room_id, name="cage.close_day", result=DONE).values("id")
    began = Coalesce(Subquery(closings.filter(id__lte=day.opened_after).order_by("-id")[:1]), 0)
    events = Event.objects.filter(room_id=day.room_id, name__in=names, result=DONE, id__gt=began)
    if day.closed_after is None:
        return events
    closed = Subquery(closings.filter(id__gt=day.closed_after).order_by("id")[:1])
    return events.filter(id__lte=Coalesce(closed, day.closed_after))


def _rows(statement: LiteralString, day: GamingDay, slots: Slots, as_of: datetime | None) -> list[tuple[Any, ...]]:
    about: dict[str, Any] = {
        "room": day.room_id,
        "day": day.pk,
        "slots": slots.count,
        "began": slots.began_at,
        "step": slots.seconds,
        "as_of": as_of,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, about)
        return list(cursor.fetchall())
