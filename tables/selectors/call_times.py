"""How long a call to a seat would last, before it is made."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Max

from casino import clock
from casino.poker.calls import CallRunsFrom
from casino.rooms.selectors import rule_book_in_force
from tables.models import Seating, Table, Waiting
from tables.rules.newcomers import Proposal


def seats_run_out(
    room_id: int, offers: Iterable[tuple[Waiting, Proposal]], tables: Iterable[Table]
) -> dict[int, tuple[datetime, int]]:
    """
    Return when the minutes of a proposed seat are over that run from its opening, and how many seconds a call lasts
    at least, by the entry that would be called (H2.6, A21); who is left out is called for all of them.

    Two queries, none where nobody is called next.
    """
    offers = list(offers)
    if not offers:
        return {}
    _, book = rule_book_in_force(room_id, at=clock.now())
    if book.settings.call_runs_from is not CallRunsFrom.SEAT_OPENING:
        return {}
    openings = {table.number: table.opening_id for table in tables}
    left = Seating.objects.filter(
        opening__in=[openings[seat.table_number] for _, seat in offers], left_at__isnull=False
    )
    rows = left.values_list("opening", "seat_number").annotate(at=Max("left_at"))
    opened = {(opening_id, seat): at for opening_id, seat, at in rows}
    found = {}
    for entry, seat in offers:
        at = opened.get((openings[seat.table_number], seat.seat_number))
        if at is not None and entry.joined_at <= at:
            over = at + timedelta(seconds=book.timers.call_seconds)
            found[entry.pk] = (over, book.timers.call_least_seconds)
    return found
