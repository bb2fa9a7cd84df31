"""What runs at the tables right now: which are open, who sits there, who deals, and how fast the hands come."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from casino.people.models import Device
from casino.rooms.models import Place
from tables.models import Seating, Table

# Fewer hands, or a shorter time, say nothing about an hour yet.
HANDS_FOR_A_PACE = 6
SECONDS_FOR_A_PACE = 600


@dataclass(frozen=True)
class Pace:
    """
    How fast hands come at a table, as its own log says: no clock is asked, so the figure carries its age.

    `newest_at` is when the last hand ended; `per_hour` is the rate over the hour up to then, None while
    there are too few hands to say.
    """

    newest_at: datetime
    per_hour: int | None


@dataclass(frozen=True)
class Dealing:
    """Who is signed in on a table's tablet, and since when."""

    name: str
    since: datetime


def tables_of(room_id: int) -> list[Table]:
    """Return all tables of the room by number, with what each runs. One query."""
    return list(Table.objects.filter(room_id=room_id).select_related("opening__game").order_by("number"))


def seatings_by_table(room_id: int) -> dict[int, list[Seating]]:
    """Return who sits in the room now, by table id, in the order of the seats. One query."""
    by_table: dict[int, list[Seating]] = {}
    found = Seating.objects.filter(room_id=room_id, left_at=None).select_related("player")
    for seating in found.order_by("table_id", "seat_number"):
        by_table.setdefault(seating.table_id, []).append(seating)
    return by_table


def dealers_by_place(room_id: int) -> dict[int, Dealing]:
    """Return who is signed in on the tablets of the tables, by place id. One query."""
    tablets = Device.objects.filter(
        room_id=room_id, place__kind=Place.Kind.TABLE, revoked_at=None, signed_in__isnull=False
    )
    found = tablets.order_by("signed_in_at", "id").values_list("place_id", "signed_in__display_name", "signed_in_at")
    return {place_id: Dealing(name, since) for place_id, name, since in found if since is not None}


# A late fact can stand behind a newer one, so the newest is looked for among the last rows instead of taken as
# the last row. Two hands a minute is more than any table plays.
_PACES = """
SELECT id, max(newest_at), count(*) FILTER (WHERE at > newest_at - interval '1 hour'),
    min(at) FILTER (WHERE at > newest_at - interval '1 hour')
FROM (
    SELECT opening.id, hand.at, max(hand.at) OVER (PARTITION BY opening.id) AS newest_at
    FROM unnest(%s::bigint[]) AS opening (id) CROSS JOIN LATERAL (
        SELECT coalesce(settled_at, ended_at) AS at FROM tables_hand
        WHERE opening_id = opening.id AND status IN ('settled', 'not_logged')
        ORDER BY tables_hand.id DESC LIMIT 120
    ) hand
) played GROUP BY id
"""


def paces(opening_ids: Iterable[int]) -> dict[int, Pace]:
    """Return how fast hands come, by opening id; openings without a hand are left out. One query."""
    ids = list(opening_ids)
    if not ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_PACES, [ids])
        return {
            opening_id: Pace(newest_at, _per_hour(count, (newest_at - oldest_at).total_seconds()))
            for opening_id, newest_at, count, oldest_at in cursor.fetchall()
        }


def _per_hour(hands: int, seconds: float) -> int | None:
    if hands < HANDS_FOR_A_PACE or seconds < SECONDS_FOR_A_PACE:
        return None
    return round((hands - 1) * 3600 / seconds)
