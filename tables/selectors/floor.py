"""What the tables give the floor's map: what to do next, every table at a glance, games with their open seats."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from django.utils.translation import get_language

from casino.live.todo import ToDoLine, in_order
from casino.reading import Kept, is_keeping, read_once
from casino.rooms.models import Room
from casino.rooms.selectors import room_of
from tables.claims import claims
from tables.models import Game, Seating, Table
from tables.rules.newcomers import Step
from tables.selectors.absences import lines_of_seats
from tables.selectors.barred import Barred, watched_of
from tables.selectors.next_steps import barred_now, steps_of, table_changes
from tables.selectors.prints import table_prints
from tables.selectors.running import (
    Dealing,
    Pace,
    dealers_by_place,
    enough_play,
    paces,
    seatings_by_table,
    tables_of,
)
from tables.selectors.step_lines import step_lines
from tables.selectors.todo import judged_from, loose_lines, open_table_lines, with_clauses, without_chips
from tables.selectors.todo_carried import carried_lines
from tables.selectors.todo_loose import loose_ends
from tables.selectors.todo_time import time_lines
from tables.selectors.todo_work import work_lines


@dataclass(frozen=True)
class TileShown:
    """What the map shows of one table: plain values, so that a tile that stayed the same is not drawn anew."""

    number: int
    game: str
    short_game: str
    filled: int
    seats: int
    hands_left: int | None
    dealing: Dealing | None
    pace: Pace | None
    trouble: str
    trouble_from: datetime | None


@dataclass(frozen=True)
class Tile:
    """
    One table on the map. `trouble` is what is wrong first of all, "" when all is well: "log", "no_dealer",
    "no_chips", "uncounted", "empty", "too_few"; before `trouble_from` the to-do says nothing of it, nor does the tile.
    """

    table: Table
    game: Game | None
    filled: int
    dealing: Dealing | None
    pace: Pace | None
    trouble: str
    trouble_from: datetime | None

    @property
    def seats(self) -> int:
        return self.game.seats if self.game else 0

    @cached_property
    def hands_left(self) -> int | None:
        """Return how many hands a closing table still deals (H2.22), None for one that runs on."""
        return self.table.opening.hands_left(self.table.hand_number) if self.table.opening else None

    @cached_property
    def shown(self) -> TileShown:
        return TileShown(
            number=self.table.number,
            game=self.game.name if self.game else "",
            short_game=self.game.short_name if self.game else "",
            filled=self.filled,
            seats=self.seats,
            hands_left=self.hands_left,
            dealing=self.dealing,
            pace=self.pace,
            trouble=self.trouble,
            trouble_from=self.trouble_from,
        )

    @property
    def open_seats(self) -> int:
        """Return the seats that nobody sits in; a table that closes offers none."""
        return 0 if self.hands_left is not None else self.seats - self.filled


@dataclass(frozen=True)
class RoomOnMap:
    """Everything of the tables on the map that is the same in every language; the to-do is `todo_of_room`."""

    tiles: Sequence[Tile]
    promised: int

    @cached_property
    def tables_open(self) -> int:
        return sum(tile.game is not None for tile in self.tiles)

    @cached_property
    def seated(self) -> int:
        return sum(tile.filled for tile in self.tiles)

    @cached_property
    def open_seats(self) -> int:
        """Return the seats that nobody sits in and that are promised to nobody."""
        return sum(tile.open_seats for tile in self.tiles) - self.promised


@read_once
def room_on_map(room_id: int) -> RoomOnMap:
    """
    Return what the map shows of the tables. Five queries, however many tables there are and players wait.
    """
    tables, seatings = tables_of(room_id), seatings_by_table(room_id)
    tiles = _tiles(room_id, tables, seatings, dealers_by_place(room_id))
    return RoomOnMap(tiles, sum(len(found.promises) for found in claims().by_game(room_id).values()))


def todo_of_room(room_id: int) -> list[ToDoLine]:
    """
    Return what the tables leave the floor to do, the most urgent first, in the active language. Three queries, two more
    where a game charges by the time, and those of `carried_lines`, `room_on_map` and `steps_on_map`.
    """
    room, tables, seatings = room_of(room_id), tables_of(room_id), seatings_by_table(room_id)
    others = in_order(
        loose_lines(room, loose_ends(room_id), tables=tables, seatings=seatings),
        step_lines(steps_on_map(room_id), tables=tables, seatings=seatings),
        work_lines(room, tables),
        time_lines(room, tables, seatings),
        carried_lines(room),
    )
    return in_order(with_clauses(others, tables), *_lines_of_tables(room).values())


# By table and language.
_kept_lines: Kept[tuple[int, str], list[ToDoLine]] = Kept()


def _lines_of_tables(room: Room) -> dict[tuple[int, str], list[ToDoLine]]:
    """Return the lines of what stands at each table now. No query, once each rule book has been read."""
    tables, seatings, claimed = tables_of(room.pk), seatings_by_table(room.pk), claims().by_game(room.pk)
    dealers, loose, penalties = dealers_by_place(room.pk), _loose_by_table(room.pk), _barred(room.pk).penalties
    waited_for = {name: found.player_ids for name, found in claimed.items()}

    def made(table: Table) -> list[ToDoLine]:
        seats = lines_of_seats(room, tables=[table], seatings=seatings, penalties=penalties, waited_for=waited_for)
        requested = loose.get(table.id, _NOTHING_LOOSE).requested
        stands = open_table_lines(table, seatings, dealers=dealers, requested=requested)
        return with_clauses([*seats, *stands], [table])

    language, by_id = get_language(), {table.id: table for table in tables}
    read_from = _lines_read_from(room.pk) if is_keeping() else dict.fromkeys(by_id)
    versions = {(table_id, language): version for table_id, version in read_from.items()}
    return _kept_lines.of(versions, lambda keys: {key: made(by_id[key[0]]) for key in keys})


@read_once
def _lines_read_from(room_id: int) -> dict[int, Hashable]:
    """
    Return by table all that `_lines_of_tables` is read from.

    What stands at a table is read from slips, penalties, lists and who deals too, with which its own rows do not
    change. Each is named: with one left out a line stays on the floor's map until somebody taps at that table.
    """
    room, prints, waiting = room_of(room_id), table_prints(room_id), claims().prints(room_id)
    dealers, loose, penalties = dealers_by_place(room_id), _loose_by_table(room_id), _barred(room_id).penalties
    # Of the whole room: put together once, and not for each of forty tables.
    of_room = (
        *(room.currency, room.locale, room.time_zone),
        *((player_id, penalty.pk, penalty.at, penalty.ends_at) for player_id, penalty in penalties.items()),
    )

    def version(table: Table) -> Hashable:
        found, game = prints[table.id], table.opening.game.name if table.opening else ""
        requested = loose.get(table.id, _NOTHING_LOOSE).requested
        return of_room, found.table, found.sitting, table.place_id in dealers, waiting.get(game, ""), requested

    return {table.id: version(table) for table in tables_of(room_id)}


# By table: those of whom anything may stand.
_kept_watched: Kept[int, list[Seating]] = Kept()


@read_once
def _barred(room_id: int) -> Barred:
    seatings = seatings_by_table(room_id)
    if is_keeping():
        prints = table_prints(room_id)
        versions = {table_id: prints[table_id].sitting for table_id in seatings}
        seatings = _kept_watched.of(versions, lambda some: {each: watched_of(seatings[each]) for each in some})
    return barred_now(room_id, seatings, claims().by_game(room_id))


_kept_places: Kept[int, Hashable] = Kept()
_kept_steps: Kept[int, Mapping[str, Sequence[Step]]] = Kept()


@read_once
def steps_on_map(room_id: int) -> Mapping[str, Sequence[Step]]:
    """Return what to do next with the free seats of each game that runs, as `steps_by_game`, for a screen."""
    changes, claimed, tables, seatings = (
        table_changes(room_id), claims().by_game(room_id), tables_of(room_id), seatings_by_table(room_id)
    )  # fmt: skip
    barred = _barred(room_id)
    version = None
    if is_keeping():
        by_id, prints = {table.id: table for table in tables}, table_prints(room_id)
        places = _kept_places.of(
            {table_id: (prints[table_id].table, prints[table_id].sitting) for table_id in by_id},
            lambda some: {each: _places(by_id[each], seatings.get(each, ()), room_id) for each in some},
        )
        moves = tuple((change.seating_id, change.to_table_id, change.seating.table_id) for change in changes)
        version = (
            tuple(places.values()),
            moves,
            tuple(barred.apart.items()),
            barred.plays_no_more,
            tuple(claims().prints(room_id).items()),
        )
    return _kept_steps.one(
        room_id, version, lambda: steps_of(tables, seatings, claimed=claimed, changes=changes, kept=barred)
    )


def _places(table: Table, sitting: Sequence[Seating], room_id: int) -> Hashable:
    """Return all of a table that says who is to go where: a hand that was played there changes nothing of it."""
    opening = table.opening
    if opening is None or opening.is_closing:
        return table_prints(room_id)[table.pk]
    seats = tuple(
        (
            *(seating.pk, seating.seat_number, seating.player_id, seating.is_held, seating.sat_down_at),
            *(seating.change_wished_at, seating.change_to, seating.holder and seating.holder.player_id),
        )
        for seating in sitting
    )
    return table.number, opening.pk, opening.feeds_id, opening.opened_at, opening.game_id, opening.game.seats, seats


# By table.
_kept_tiles: Kept[int, Tile] = Kept()


def _tiles(
    room_id: int, tables: Sequence[Table], seatings: Mapping[int, Sequence[Seating]], dealers: Mapping[int, Dealing]
) -> list[Tile]:
    pace_of, prints = paces(tables), table_prints(room_id) if is_keeping() else None
    loose, by_id = _loose_by_table(room_id), {table.id: table for table in tables}

    def version(table: Table) -> Hashable:
        return None if prints is None else (prints[table.id].table, prints[table.id].sitting, beside(table))

    def beside(table: Table) -> tuple[Dealing | None, Pace | None, _LooseAtTable]:
        return dealers.get(table.place_id), pace_of.get(table.opening_id or 0), loose.get(table.id, _NOTHING_LOOSE)

    def made(table: Table) -> Tile:
        sitting, (dealing, pace, there) = seatings.get(table.id, ()), beside(table)
        trouble, since = _trouble(table, sitting, has_dealer=dealing is not None, loose=there)
        game = table.opening.game if table.opening else None
        return Tile(table, game, len(sitting), dealing, pace, trouble, since)

    versions = {table_id: version(table) for table_id, table in by_id.items()}
    return list(_kept_tiles.of(versions, lambda ids: {each: made(by_id[each]) for each in ids}).values())


class _LooseAtTable(NamedTuple):
    """
    What is open at one table, besides what stands there now: from when each row is to be judged (None: now), whether
    somebody left uncounted, and for which seatings chips were requested.
    """

    judged_from: tuple[datetime | None, ...] = ()
    is_uncounted: bool = False
    requested: tuple[int, ...] = ()


_NOTHING_LOOSE = _LooseAtTable()


@read_once
def _loose_by_table(room_id: int) -> dict[int, _LooseAtTable]:
    """Return what is open at each table where anything is."""
    loose = loose_ends(room_id)
    uncounted = {seating.table_id for seating in loose.uncounted}
    requested = [slip.seat for slip in loose.slips if slip.seat]
    table_ids = uncounted | {row.table_id for row in loose.rows} | {seat.table for seat in requested}
    return {
        table_id: _LooseAtTable(
            tuple(judged_from(row) for row in loose.rows if row.table_id == table_id),
            table_id in uncounted,
            tuple(seat.seating for seat in requested if seat.table == table_id),
        )
        for table_id in table_ids
    }


def _trouble(
    table: Table, sitting: Sequence[Seating], *, has_dealer: bool, loose: _LooseAtTable
) -> tuple[str, datetime | None]:
    """Return what is wrong at a table, and from when if not yet. No other trouble waits with what an undo left."""
    if None in loose.judged_from:
        return "log", None
    trouble = _trouble_beside_the_log(table, sitting, has_dealer=has_dealer, loose=loose)
    waits = [moment for moment in loose.judged_from if moment is not None]
    return ("log", min(waits)) if waits and not trouble else (trouble, None)


def _trouble_beside_the_log(table: Table, sitting: Sequence[Seating], *, has_dealer: bool, loose: _LooseAtTable) -> str:
    if loose.is_uncounted:
        return "uncounted"
    if table.opening is None:
        return ""
    plays = enough_play(table.opening, sitting)
    if plays and not has_dealer:
        return "no_dealer"
    if without_chips(sitting, loose.requested):
        return "no_chips"
    if not sitting:
        return "" if table.opening.is_closing else "empty"
    return "" if plays else "too_few"
