"""How long a call to a seat would last, before it is made."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import connection

from casino import clock
from casino.poker.calls import CallRunsFrom
from casino.reading import Kept, is_keeping
from casino.rooms.selectors import rule_book_in_force
from casino.waiting.models import Waiting
from tables.models import Opening, Table
from tables.rules.newcomers import Proposal
from tables.selectors.prints import prints_of_openings


def seats_run_out(
    room_id: int, offers: Iterable[tuple[Waiting, Proposal]], tables: Iterable[Table]
) -> dict[int, tuple[datetime, int]]:
    """
    Return when the minutes of a proposed seat are over that run from its opening, and how many seconds a call lasts
    at least, by the entry that would be called (H2.6, A21); who is left out has all of them from the call.

    Two queries, none where nobody is called next.
    """
    offers = list(offers)
    if not offers:
        return {}
    _, book = rule_book_in_force(room_id, at=clock.now())
    if book.settings.call_runs_from is not CallRunsFrom.SEAT_OPENING:
        return {}
    openings = {table.number: table.opening for table in tables if table.opening}
    left = _left_last(room_id, [openings[seat.table_number].pk for _, seat in offers])
    run_out = {}
    for entry, seat in offers:
        opening = openings[seat.table_number]
        at = left[opening.pk].get(seat.seat_number, opening.opened_at)
        if entry.joined_at <= at:
            over = at + timedelta(seconds=book.timers.call_seconds)
            run_out[entry.pk] = (over, book.timers.call_least_seconds)
    return run_out


def seat_opened_at(opening: Opening, seat_number: int) -> datetime:
    """Return when a free seat opened: when it was left last, or with the table where nobody has left it. One query."""
    return _left([opening.pk])[opening.pk].get(seat_number, opening.opened_at)


_LEFT = """
SELECT opening_id, seat_number, max(left_at) FROM tables_seating
WHERE opening_id = ANY(%s) AND left_at IS NOT NULL GROUP BY opening_id, seat_number
"""
_kept_left: Kept[int, dict[int, datetime]] = Kept()


def _left_last(room_id: int, opening_ids: Sequence[int]) -> dict[int, dict[int, datetime]]:
    """Return by opening when each of its seats was left last, by the seat's number."""
    if not is_keeping():
        return _left(opening_ids)
    return _kept_left.of(prints_of_openings(room_id, opening_ids), _left)


def _left(opening_ids: Sequence[int]) -> dict[int, dict[int, datetime]]:
    left_at: dict[int, dict[int, datetime]] = {opening_id: {} for opening_id in opening_ids}
    with connection.cursor() as cursor:
        cursor.execute(_LEFT, [[*opening_ids]])
        for opening_id, seat, at in cursor.fetchall():
            left_at[opening_id][seat] = at
    return left_at
