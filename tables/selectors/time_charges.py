"""What of a table's time charge is due, and what was taken (H1.91, L-P21)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from casino.poker.time_charge import TimeCharge
from tables.models import Hand, Opening, Seating, Table, TimeTaken


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

    Two queries, or none where no game charges by the time; three more for each table that changed its stakes.
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
    found = []
    for opening_id, dealt_at in first_hands.items():
        table, opening, charge = charged[opening_id]
        began_at, number = _runs_from(opening, dealt_at), _first_not_in(taken.get(opening_id, set()))
        found.append((table, _due(opening, charge, seatings[table.pk], number=number, began_at=began_at)))
    return found


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
    Return from when on time runs: from the first hand of an opening. One query, three more after a change of stakes.

    What was paid before runs to its end (L-P23, H7.18): the new charge begins there.
    """
    hands = Hand.objects.filter(opening=opening, dealt_at__isnull=False).order_by("dealt_at")
    dealt_at = hands.values_list("dealt_at", flat=True).first()
    return _runs_from(opening, dealt_at) if dealt_at else None


def _runs_from(opening: Opening, dealt_at: datetime) -> datetime:
    paid_until = _paid_until(opening.continues_id) if opening.continues_id else None
    free_until = opening.free_until.get(opening.terms.time_kind)
    return max(each for each in (dealt_at, paid_until, free_until and datetime.fromisoformat(free_until)) if each)


def paid_instead_until(opening: Opening, *, at: datetime) -> dict[str, str]:
    """
    Return until when a table has paid by the time, after that moment, by the kind of charge in whose stead it did.

    As `Opening.free_until`. Of a period that was let go nothing was paid. One query, or none.
    """
    found = {kind: until for kind, until in opening.free_until.items() if datetime.fromisoformat(until) > at}
    if (agreed := opening.agreed) is None:
        return found
    taken = TimeTaken.objects.filter(opening=opening, taken_back_at=None, is_let_go=False)
    began_at = taken.order_by("-number").values_list("began_at", flat=True).first()
    if began_at is not None and (until := agreed.charge.begins_at(2, began_at=began_at)) > at:
        found[agreed.kind] = until.isoformat()
    return found


def _paid_until(opening_id: int) -> datetime | None:
    """Return when what was paid in an opening ends; None where nothing was charged by the time."""
    opening = Opening.objects.select_related("game").get(id=opening_id)
    charge = opening.terms.time_charge
    if charge is None:
        return None
    began_at = play_began_at(opening)
    if began_at is None:
        return _paid_until(opening.continues_id) if opening.continues_id else None
    return charge.begins_at(next_period(opening), began_at=began_at)


def last_button(opening: Opening) -> int:
    """Return where the button lay last, 0 where nobody knows: then odd chips begin with seat 1."""
    last = opening.last_hand
    return opening.button_here or (last.button_seat if last else None) or opening.draw_winner or 0


def times_taken(opening: Opening, *, limit: int = 12) -> list[TimeTaken]:
    """Return the periods of an opening, and of the one before that it continues, newest first. Two queries."""
    found = TimeTaken.objects.filter(opening__in=[opening.pk, opening.continues_id or 0]).order_by("-began_at", "-id")
    return list(found.prefetch_related("shares__player")[:limit])
