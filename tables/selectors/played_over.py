"""Seats in which somebody plays while their holder is away (H4.48-H4.50)."""

from django.db.models import Q

from casino.poker.missed import Missed
from tables.models import Hand, HandSeat, Seating

# Hands whose blinds were paid: not one that is dealt again, nor one that never was.
_PAID = ~Q(status__in=(Hand.Status.DEALT, Hand.Status.UNDONE)) & ~Q(status=Hand.Status.VOID, settled_at=None)


def chooses_way_back(holder: Seating, over: Seating) -> Missed | None:
    """
    Return the missed blinds for which an absent holder chooses a way in on coming back, while `over` plays there; None
    where the holder is dealt in again for nothing. Two queries.

    Rules: H4.39, H4.50, A40.
    """
    return way_back(holder, over, missed_before_paid(holder, over))


def way_back(holder: Seating, over: Seating, paid: Missed | None) -> Missed | None:
    """Return the same where it is known what was missed before `over` paid, as `missed_before_paid`. No query."""
    owed = _owed(over, paid)
    if holder.entry == Seating.EntryKind.IN or owed is Missed.NONE:
        return None
    return Missed(holder.missed) if owed is None else owed


def owed_on_coming_back(holder: Seating, over: Seating, *, played: Hand | None = None) -> Missed | None:
    """
    Return the missed blinds that a holder still owes on coming back where `over`, who plays there, has paid a big blind
    there: those of before that orbit, and what `over` has missed since; None where none was paid.

    `played` as in `missed_before_paid`. Two queries.

    Rules: H4.50, A40.
    """
    return _owed(over, missed_before_paid(holder, over, played=played))


def _owed(over: Seating, paid: Missed | None) -> Missed | None:
    return None if paid is None else max(paid, Missed(over.missed), key=lambda missed: missed.markers)


def missed_before_paid(holder: Seating, over: Seating, *, played: Hand | None = None) -> Missed | None:
    """
    Return what a holder had missed before the last hand on which `over` paid the big blind there, None where there was
    none. `played` is a hand that is just over and not stored as such. Two queries.
    """
    if played is None or played.big_blind_seat != holder.seat_number:
        paid = Hand.objects.filter(_PAID, table=holder.table_id, big_blind_seat=holder.seat_number)
        played = paid.filter(dealt_at__gte=over.sat_down_at).exclude(Hand.MOVES_NOTHING).order_by("-id").first()
    if played is None:
        return None
    if not HandSeat.objects.filter(hand=played, seat_number=holder.seat_number, player=over.player_id).exists():
        return None
    kept = played.in_turn
    changed = kept.missed.get(holder.pk) if kept else None
    return Missed(changed[0] if changed else holder.missed)
