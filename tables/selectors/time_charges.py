"""What of a table's time charge is due, and what was taken (H1.91, L-P21)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from casino.poker.time_charge import TimeCharge, time_from_dict
from tables.charges import kind_of
from tables.models import Hand, Opening, Seating, Table, TimeTaken
from tables.selectors.continued import openings_before


@dataclass(frozen=True)
class Share:
    """What one seat owes for the period, in cents: nothing for who is away, unless the house says so."""

    seat: int
    cents: int
    is_away: bool


@dataclass(frozen=True)
class TimeDue:
    """
    The next period of a table that is to be paid: `number` counts from 1.

    `begins_at` is when it falls due, None before the first hand. What has begun since and was not taken follows from
    it, the minutes and the clock. `shares` is what each seat owes as players sit now. `kind` is the charge of hands in
    whose stead the table pays it (H7.18), "" where it is the game's own.
    """

    opening: int
    number: int
    begins_at: datetime | None
    minutes: int
    charge: TimeCharge
    shares: Sequence[Share]
    kind: str = ""

    @property
    def due_cents(self) -> int:
        return sum(share.cents for share in self.shares)

    def is_due(self, at: datetime) -> bool:
        """Say whether the period has begun."""
        return self.begins_at is not None and self.begins_at <= at


def time_due(opening: Opening, seatings: Sequence[Seating]) -> TimeDue | None:
    """Return the period to be paid next at a table, None where nothing is charged by the time. Two queries, or none."""
    charge = opening.terms.time_charge
    if charge is None:
        return None
    number, began_at = next_period(opening), play_began_at(opening)
    return _due(opening, charge, seatings, number=number, began_at=began_at)


def _due(
    opening: Opening, charge: TimeCharge, seatings: Sequence[Seating], *, number: int, began_at: datetime | None
) -> TimeDue:
    return TimeDue(
        opening=opening.pk,
        number=number,
        begins_at=charge.begins_at(number, began_at=began_at) if began_at else None,
        minutes=charge.period_minutes,
        charge=charge,
        shares=shares_of(charge, seatings, button=last_button(opening)),
        kind=opening.terms.time_kind,
    )


_FIRST_HANDS = """
SELECT opening.id, hand.dealt_at
FROM unnest(%s::bigint[]) AS opening (id) CROSS JOIN LATERAL (
    SELECT dealt_at FROM tables_hand
    WHERE opening_id = opening.id AND dealt_at IS NOT NULL ORDER BY dealt_at LIMIT 1
) hand
"""


def times_due(tables: Iterable[Table], seatings: Mapping[int, Sequence[Seating]]) -> list[tuple[Table, TimeDue]]:
    """
    Return the next period of each of these tables where somebody sits and time runs, with its table.

    Two queries, or none where no game charges by the time; two more for each table that went on otherwise.
    """
    running = [(table, table.opening) for table in tables if table.opening is not None and seatings.get(table.pk)]
    charged = {
        opening.pk: (table, opening, charge) for table, opening in running if (charge := opening.terms.time_charge)
    }
    if not charged:
        return []
    taken: dict[int, set[int]] = {}
    standing = TimeTaken.objects.filter(opening__in=charged, taken_back_at=None)
    for opening_id, number in standing.values_list("opening", "number"):
        taken.setdefault(opening_id, set()).add(number)
    with connection.cursor() as cursor:
        cursor.execute(_FIRST_HANDS, [list(charged)])
        first_hands = dict(cursor.fetchall())
    due = []
    for opening_id, dealt_at in first_hands.items():
        table, opening, charge = charged[opening_id]
        began_at, number = _runs_from(opening, dealt_at), _first_not_in(taken.get(opening_id, set()))
        due.append((table, _due(opening, charge, seatings[table.pk], number=number, began_at=began_at)))
    return due


def shares_of(charge: TimeCharge, seatings: Sequence[Seating], *, button: int) -> list[Share]:
    """Return what each seat owes, in the order of the seats: who holds a seat without playing is away (H1.5, H1.60)."""
    away = {each.seat_number for each in seatings if each.is_held or each.chips_in_cents == 0}
    present = [each.seat_number for each in seatings if each.seat_number not in away]
    owed = charge.shares(present=present, absent=sorted(away), button=button)
    return [Share(seat, cents, seat in away) for seat, cents in owed.items()]


def next_period(opening: Opening) -> int:
    """Return the first period of an opening that is neither taken nor let go. One query."""
    taken = TimeTaken.objects.filter(opening=opening, taken_back_at=None).values_list("number", flat=True)
    return _first_not_in(set(taken))


def _first_not_in(numbers: set[int]) -> int:
    return next(number for number in range(1, len(numbers) + 2) if number not in numbers)


def play_began_at(opening: Opening) -> datetime | None:
    """
    Return from when on time runs: from the first hand of an opening. One query, two more where it continues another.

    What was paid before runs to its end (L-P23, H7.18): the new charge begins there.
    """
    hands = Hand.objects.filter(opening=opening, dealt_at__isnull=False).order_by("dealt_at")
    dealt_at = hands.values_list("dealt_at", flat=True).first()
    return _runs_from(opening, dealt_at) if dealt_at else None


def _runs_from(opening: Opening, dealt_at: datetime) -> datetime:
    paid_until = _paid_until(opening, openings_before(opening)).get(opening.terms.time_kind)
    return max(dealt_at, paid_until) if paid_until else dealt_at


def free_until(opening: Opening, before: Sequence[Opening]) -> dict[str, str]:
    """
    Return until when hands of an opening are free of a kind of charge, for time was paid in those `before` it.

    As `Opening.free_until`. One query, none where there are none before.
    """
    ends = _paid_until(opening, before)
    return {kind: until.isoformat() for kind, until in ends.items() if kind and until > opening.opened_at}


def _paid_until(opening: Opening, before: Sequence[Opening]) -> dict[str, datetime]:
    """
    Return when time ends that was paid in the openings `before` one, by the kind of charge in whose stead it was.

    Of a period of which nobody paid anything nothing was paid, and what was paid for another purse counts for nothing
    here. One query, or none.
    """
    paid_until: dict[str, datetime] = {}
    if not before:
        return paid_until
    ran = {each.pk: each for each in before}
    paid = TimeTaken.objects.filter(opening__in=ran, taken_back_at=None, paid_cents__gt=0)
    for opening_id, began_at, charge in paid.values_list("opening", "began_at", "charge"):
        kind = ran[opening_id].terms.time_kind
        if _purse(kind, ran[opening_id]) == _purse(kind, opening):
            until = time_from_dict(charge).begins_at(2, began_at=began_at)
            paid_until[kind] = max(until, paid_until.get(kind, until))
    return paid_until


def _purse(kind: str, opening: Opening) -> str | None:
    """Return what a kind of charge feeds in an opening, None where its game has no such charge."""
    if not kind:
        return ""
    terms = opening.game.charges.get(kind)
    return None if terms is None else kind_of(kind).feeds(terms, opening.book)


def last_button(opening: Opening) -> int:
    """Return where the button lay last, 0 where nobody knows: then odd chips begin with seat 1."""
    last = opening.hand_before
    return opening.button_here or (last.button_seat if last else None) or opening.draw_winner or 0


def times_taken(opening: Opening, *, limit: int = 12) -> list[TimeTaken]:
    """Return the periods of an opening, and of all that it continues, newest first. Four queries at most."""
    ran = [opening.pk, *(each.pk for each in openings_before(opening))]
    taken = TimeTaken.objects.filter(opening__in=ran).order_by("-began_at", "-id")
    return list(taken.prefetch_related("shares__player")[:limit])
