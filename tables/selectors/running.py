"""What runs at the tables right now: which are open, who sits there, who deals, and how fast the hands come."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString

from django.db import connection

from casino import seldom
from casino.people.erased import shown_staff_name
from casino.people.models import Player
from casino.reading import Kept, is_keeping, read_once
from casino.rows import read_joined, read_seldom, relate
from tables.models import Game, Opening, Seating, Table, at_seats
from tables.selectors.prints import prints_of_openings, table_prints

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
    """Who deals at a table, and since when; None where only the hands they log say that they are there."""

    name: str
    since: datetime | None


def enough_play(opening: Opening, sitting: Iterable[Seating]) -> bool:
    """Say whether a table has as many as its game takes (U12), of those who may be dealt in. No query."""
    return sum(seating.may_be_dealt_in for seating in sitting) >= opening.game.players_min


_RUNNING = """FROM tables_table
    LEFT JOIN tables_opening ON tables_opening.id = tables_table.opening_id
    LEFT JOIN tables_game ON tables_game.id = tables_opening.game_id
    WHERE tables_table.room_id = %s ORDER BY tables_table.number"""


# In a push: of those alone whose rows have changed since they were kept, mostly one table. As places of their own, for
# with an array PostgreSQL guesses ten tables, and plans for one anew each time.
_THESE_RUN = """FROM tables_table
    LEFT JOIN tables_opening ON tables_opening.id = tables_table.opening_id
    LEFT JOIN tables_game ON tables_game.id = tables_opening.game_id
    WHERE tables_table.id IN ({}) ORDER BY tables_table.number"""
_kept_tables: Kept[int, Table] = Kept()


@read_once
def tables_of(room_id: int) -> list[Table]:
    """Return all tables of the room by number, with what each runs. One query."""
    if not is_keeping():
        return _tables(_RUNNING, room_id)
    versions = {each.table_id: each.table for each in table_prints(room_id).values()}
    by_id = _kept_tables.of(versions, lambda ids: {table.pk: table for table in _these(ids)})
    return list(by_id.values())


def _these(table_ids: Sequence[int]) -> list[Table]:
    return _tables(_THESE_RUN.format(_places(table_ids)), *table_ids)


def _places(values: Sequence[int]) -> LiteralString:
    return ", ".join(["%s"] * len(values))


def _tables(tail: LiteralString, *values: int) -> list[Table]:
    tables = []
    for table, opening, game in read_joined((Table, Opening, Game), tail, *values):
        if opening is not None:
            relate(opening, game=game)
        relate(table, opening=opening)
        tables.append(table)
    return tables


@read_once
def games_on_offer(room_id: int) -> list[Game]:
    """Return the games on offer, the smallest first. One query."""
    offered = "FROM tables_game WHERE room_id = %s AND is_offered ORDER BY big_blind_cents, name"
    return [game for (game,) in read_seldom((Game,), offered, room_id)]


_SITTING = """FROM tables_seating JOIN people_player ON people_player.id = tables_seating.player_id
    WHERE tables_seating.room_id = %s AND tables_seating.left_at IS NULL
    ORDER BY tables_seating.table_id, tables_seating.seat_number"""


# As `_THESE_RUN`.
_SITTING_THERE = """FROM tables_seating JOIN people_player ON people_player.id = tables_seating.player_id
    WHERE tables_seating.table_id IN ({}) AND tables_seating.left_at IS NULL
    ORDER BY tables_seating.table_id, tables_seating.seat_number"""
_kept_sitting: Kept[int, list[Seating]] = Kept()


@read_once
def seatings_by_table(room_id: int) -> dict[int, list[Seating]]:
    """Return who sits in the room now, by table id, in the order of the seats. One query."""
    if not is_keeping():
        return _sitting(_SITTING, room_id)
    # A table where nobody sits has no rows to make a value of, and `Kept` wants one for each key.
    versions = {each.table_id: each.sitting for each in table_prints(room_id).values() if each.sitting}
    return _kept_sitting.of(versions, lambda ids: _sitting(_SITTING_THERE.format(_places(ids)), *ids))


def _sitting(tail: LiteralString, *values: int) -> dict[int, list[Seating]]:
    by_table: dict[int, list[Seating]] = {}
    for seating, player in read_joined((Seating, Player), tail, *values):
        relate(seating, player=player)
        by_table.setdefault(seating.table_id, []).append(seating)
    return {table_id: at_seats(sitting) for table_id, sitting in by_table.items()}


# Whoever is signed in on the table's tablet deals there. At a table that has none, hands are logged at a desktop,
# which stands nowhere: there it is whoever logged the newest hand of what the table runs now.
_DEALERS = """
SELECT place_id, display_name, signed_in_at
FROM (
    SELECT DISTINCT ON (device.place_id) device.place_id, staff.display_name, device.signed_in_at
    FROM people_device device
    JOIN rooms_place place ON place.id = device.place_id AND place.kind = 'table'
    JOIN people_staff staff ON staff.id = device.signed_in_id
    WHERE device.room_id = %s AND device.revoked_at IS NULL AND device.signed_in_at IS NOT NULL
    ORDER BY device.place_id, device.signed_in_at DESC, device.id DESC
) on_tablets
UNION ALL
SELECT a_table.place_id, staff.display_name, NULL
FROM tables_table a_table
CROSS JOIN LATERAL (
    SELECT opening_id, dealer_id FROM tables_hand
    WHERE table_id = a_table.id AND status <> 'dealt' AND corrects_id IS NULL ORDER BY id DESC LIMIT 1
) newest
JOIN people_staff staff ON staff.id = newest.dealer_id
WHERE a_table.room_id = %s AND newest.opening_id = a_table.opening_id AND NOT EXISTS (
    SELECT FROM people_device WHERE place_id = a_table.place_id AND revoked_at IS NULL
)
"""


@read_once
def dealers_by_place(room_id: int) -> dict[int, Dealing]:
    """Return who deals at the tables, by place id. One query."""
    rows = seldom.rows(_DEALERS, room_id, room_id)
    return {place_id: Dealing(shown_staff_name(name), since) for place_id, name, since in rows}


# A late fact can stand behind a newer one, so the newest is looked for among the last rows instead of taken as
# the last row. Two hands a minute is more than any table plays.
_GOING = """
SELECT opening.id, played.newest_at, played.hands, played.oldest_at, (
    SELECT max(greatest(sat_down_at, coalesce(left_at, sat_down_at))) FROM tables_seating WHERE opening_id = opening.id
)
FROM (VALUES {}) AS opening (id) CROSS JOIN LATERAL (
    SELECT max(newest_at) AS newest_at, count(*) FILTER (WHERE at > newest_at - interval '1 hour') AS hands,
        min(at) FILTER (WHERE at > newest_at - interval '1 hour') AS oldest_at
    FROM (
        SELECT at, max(at) OVER () AS newest_at FROM (
            SELECT coalesce(settled_at, ended_at) AS at FROM tables_hand
            WHERE opening_id = opening.id AND status IN ('settled', 'not_logged') ORDER BY id DESC LIMIT 120
        ) hand
    ) hand
) played
"""


@dataclass(frozen=True)
class Going:
    """How a table goes on: the pace, None before the first hand, and when somebody last sat down or left, if ever."""

    pace: Pace | None
    seats_at: datetime | None


_kept_going: Kept[int, Going] = Kept()


def paces(tables: Iterable[Table]) -> dict[int, Pace]:
    """Return how fast hands come at these tables, by opening id; openings without a hand are left out. One query."""
    return {opening_id: going.pace for opening_id, going in going_by_opening(tables).items() if going.pace is not None}


def going_by_opening(tables: Iterable[Table]) -> dict[int, Going]:
    """Return how these tables go on, by opening id. One query, the same as `paces`."""
    room_ids = {table.opening_id: table.room_id for table in tables if table.opening_id}
    return _going_of(min(room_ids.values()), tuple(room_ids)) if room_ids else {}


@read_once
def _going_of(room_id: int, opening_ids: tuple[int, ...]) -> dict[int, Going]:
    if not is_keeping():
        return _read_going(opening_ids)
    # Whoever sits down or leaves changes the table's row, too.
    return _kept_going.of(prints_of_openings(room_id, opening_ids), _read_going)


def _read_going(opening_ids: Sequence[int]) -> dict[int, Going]:
    with connection.cursor() as cursor:
        # As `_THESE_RUN`.
        cursor.execute(_GOING.format(", ".join(["(%s::bigint)"] * len(opening_ids))), opening_ids)
        return {
            opening_id: Going(
                Pace(newest_at, _per_hour(hands, (newest_at - oldest_at).total_seconds())) if newest_at else None,
                seats_at,
            )
            for opening_id, newest_at, hands, oldest_at, seats_at in cursor.fetchall()
        }


def _per_hour(hands: int, seconds: float) -> int | None:
    if hands < HANDS_FOR_A_PACE or seconds < SECONDS_FOR_A_PACE:
        return None
    return round((hands - 1) * 3600 / seconds)
