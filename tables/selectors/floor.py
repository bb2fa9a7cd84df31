"""The floor's map of the room: what to do next, every table at a glance, games with their open seats."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from casino.rooms.models import Room
from casino.rooms.selectors import open_day, room_of
from tables.models import Game, Seating, Table
from tables.selectors.running import (
    Dealing,
    Pace,
    dealers_by_place,
    games_on_offer,
    paces,
    seatings_by_table,
    tables_of,
)
from tables.selectors.todo import Line, Loose, loose_ends, todo_lines


@dataclass(frozen=True)
class Tile:
    """
    One table on the map. `trouble` is what is wrong first of all, "" when all is well: "log", "no_dealer",
    "no_chips", "uncounted", "empty", "too_few".
    """

    table: Table
    game: Game | None
    filled: int
    dealing: Dealing | None
    pace: Pace | None
    trouble: str

    @property
    def seats(self) -> int:
        return self.game.seats if self.game else 0

    @property
    def open_seats(self) -> int:
        return self.seats - self.filled


@dataclass(frozen=True)
class OfferedGame:
    """A game on offer, and the tables that run it now."""

    game: Game
    tiles: Sequence[Tile]

    @property
    def seated(self) -> int:
        return sum(tile.filled for tile in self.tiles)

    @property
    def open_seats(self) -> int:
        return sum(tile.open_seats for tile in self.tiles)


@dataclass(frozen=True)
class FloorMap:
    """Everything on the floor's first page."""

    room: Room
    is_day_open: bool
    todo: Sequence[Line]
    tiles: Sequence[Tile]
    games: Sequence[OfferedGame]

    @property
    def tables_open(self) -> int:
        return sum(tile.game is not None for tile in self.tiles)

    @property
    def seated(self) -> int:
        return sum(tile.filled for tile in self.tiles)

    @property
    def open_seats(self) -> int:
        return sum(tile.open_seats for tile in self.tiles)


def floor_map(room_id: int) -> FloorMap:
    """Return the floor's map. Eleven queries, however many tables there are."""
    room = room_of(room_id)
    day = open_day(room_id)
    tables = tables_of(room_id)
    seatings = seatings_by_table(room_id)
    dealers = dealers_by_place(room_id)
    loose = loose_ends(room_id)
    tiles = _tiles(tables, seatings, dealers, loose)
    return FloorMap(
        room=room,
        is_day_open=day is not None,
        todo=todo_lines(room, tables=tables, seatings=seatings, dealers=dealers, loose=loose),
        tiles=tiles,
        games=_games(room_id, tiles),
    )


def _tiles(
    tables: Sequence[Table],
    seatings: Mapping[int, Sequence[Seating]],
    dealers: Mapping[int, Dealing],
    loose: Loose,
) -> list[Tile]:
    pace_of = paces(tables)
    return [
        Tile(
            table=table,
            game=table.opening.game if table.opening else None,
            filled=len(seatings.get(table.pk, ())),
            dealing=dealers.get(table.place_id),
            pace=pace_of.get(table.opening_id) if table.opening_id else None,
            trouble=_trouble(table, seatings.get(table.pk, ()), has_dealer=table.place_id in dealers, loose=loose),
        )
        for table in tables
    ]


def _trouble(table: Table, sitting: Sequence[Seating], *, has_dealer: bool, loose: Loose) -> str:
    if any(row.table_id == table.pk for row in loose.rows):
        return "log"
    if any(seating.table_id == table.pk for seating in loose.uncounted):
        return "uncounted"
    if table.opening is None:
        return ""
    playing = sum(seating.chips_in_cents > 0 and not seating.is_held for seating in sitting)
    if playing >= 2 and not has_dealer:
        return "no_dealer"
    if any(seating.chips_in_cents == 0 for seating in sitting):
        return "no_chips"
    if not sitting:
        return "empty"
    return "too_few" if playing < 2 else ""


def _games(room_id: int, tiles: Iterable[Tile]) -> list[OfferedGame]:
    """Return the games on offer and those that still run, running ones first. One query."""
    running: dict[int, list[Tile]] = {}
    for tile in tiles:
        if tile.game is not None:
            running.setdefault(tile.game.pk, []).append(tile)
    games = {game.pk: game for game in games_on_offer(room_id)}
    games |= {tile.game.pk: tile.game for found in running.values() for tile in found if tile.game}
    shown = [OfferedGame(game, running.get(game.pk, ())) for game in games.values()]
    return sorted(shown, key=lambda offer: (not offer.tiles, offer.game.big_blind_cents, offer.game.name))
