"""What the lobby's television shows: games, open seats, and how old each figure is."""

import json
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from casino.reading import Kept, is_keeping, read_once
from casino.rooms.models import Room
from casino.rooms.selectors import room_of
from casino.waiting.rules.estimates import Wait
from casino.waiting.selectors.lists import NOBODY, GameList, lists_by_game
from tables.models import Game, Seating, Table
from tables.selectors.prints import table_prints
from tables.selectors.running import (
    Dealing,
    Going,
    dealers_by_place,
    enough_play,
    games_on_offer,
    going_by_opening,
    seatings_by_table,
    tables_of,
)

# A hand in the log says for so long that a game runs: a forgotten tap must not take a full table off the wall, and a
# table that broke up must not stay on it. A dealer who pushed in says it for a little longer than a down.
RUNS_AFTER_A_HAND = timedelta(minutes=20)
RUNS_AFTER_A_PUSH = timedelta(minutes=40)


@dataclass(frozen=True)
class LobbyTable:
    """
    What one table adds to its game's row: how many sit there, and the `free` seats that no call promises; one that
    `closes` offers none.

    `runs_until` is the moment from which, without more news, nobody confirms that it runs: a dealer who pushed in or
    logged a hand, at a table where players with chips sit; None where nobody confirms it at all.
    """

    number: int
    runs_until: datetime | None
    seated: int
    free: int
    closes: bool


@dataclass(frozen=True)
class TableShown:
    """What the wall shows of one table: plain values, as `TileShown`. One that `rests` is beside others that run."""

    number: int
    free: int
    closes: bool
    rests: bool


@dataclass(frozen=True)
class LobbyGame:
    """
    One row on the wall: its figures are those of the tables that somebody confirms, where there are any.

    `newest_hand_at` and `seats_at` say how fresh it is: the last hand, the last change of who sits there. Tables come
    to rest while nothing is sent, so the screen counts again what `each` adds.
    """

    game: Game
    each: Sequence[LobbyTable]
    has_dealer: bool
    newest_hand_at: datetime | None
    seats_at: datetime
    waiting: GameList = NOBODY

    @cached_property
    def shown(self) -> Sequence[LobbyTable]:
        """A table that was just opened, or broke up, neither runs nor offers seats now because another one does."""
        return [table for table in self.each if table.runs_until] or self.each

    @property
    def tables(self) -> int:
        return len(self.shown)

    @cached_property
    def seated(self) -> int:
        return sum(table.seated for table in self.shown)

    @cached_property
    def free(self) -> int:
        return sum(table.free for table in self.shown)

    @cached_property
    def runs_until(self) -> datetime | None:
        """Return from when nobody confirms that the game runs; None where nobody does now."""
        return max((table.runs_until for table in self.each if table.runs_until), default=None)

    @cached_property
    def on_wall(self) -> Sequence[TableShown]:
        """Return what the wall shows of each table."""
        return [
            TableShown(each.number, each.free, each.closes, rests=bool(self.runs_until and not each.runs_until))
            for each in self.each
        ]

    @cached_property
    def by_table(self) -> str:
        """Return until when each table runs, and who sits and what is free there, as the screen reads it (lobby.js)."""
        tables = (
            {"until": table.runs_until and table.runs_until.isoformat(), "seated": table.seated, "free": table.free}
            for table in self.each
        )
        return json.dumps(list(tables))

    @property
    def has_begun(self) -> bool:
        """Whether anybody deals there, or dealt a hand since the table was opened."""
        return self.has_dealer or self.newest_hand_at is not None

    @property
    def wait(self) -> Wait | None:
        """Return how long somebody would wait who joined now, None where nobody knows."""
        return self.waiting.wait_of_next(free=max(self.free, 0))


@dataclass(frozen=True)
class Lobby:
    """The whole wall: rows with tables first, games that the floor would open, with who waits for them."""

    room: Room
    games: Sequence[LobbyGame]
    on_request: Sequence[tuple[Game, GameList]]

    @property
    def has_begun(self) -> bool:
        return any(row.has_begun for row in self.games)

    @property
    def free(self) -> int:
        """Return the seats free at games that run; a table that is just opening has its own row."""
        return sum(row.free for row in self.games if row.runs_until)

    @property
    def seated(self) -> int:
        return sum(row.seated for row in self.games)


@read_once
def lobby(room_id: int) -> Lobby:
    """Return what the lobby shows. Seven queries, however many tables there are and players wait."""
    room = room_of(room_id)
    lists = lists_by_game(room_id)
    # By name: tables that still run the old terms of a game are its tables.
    by_game: dict[str, list[_OpenTable]] = {}
    for table in _open_tables(room_id):
        by_game.setdefault(table.opening.game.name, []).append(table)
    rows = [_row(tables, lists.get(name, NOBODY)) for name, tables in by_game.items()]
    return Lobby(
        room=room,
        games=sorted(rows, key=lambda row: (row.game.big_blind_cents, row.game.name)),
        on_request=[
            (game, lists.get(game.name, NOBODY)) for game in games_on_offer(room_id) if game.name not in by_game
        ],
    )


class _OpenTable:
    """An open table, and who says that it runs."""

    def __init__(self, table: Table, sitting: Sequence[Seating], dealing: Dealing | None, going: Going) -> None:
        assert table.opening is not None
        self.number, self.opening, self.filled = table.number, table.opening, len(sitting)
        # A tablet's dealer signs out; one at a desktop is known by hands alone, and those say when they were played.
        self.pushed_in_at = dealing.since if dealing else None
        self.newest_at = going.pace.newest_at if going.pace else None
        opened_at = self.opening.opened_at
        self.seats_at = max(going.seats_at or opened_at, self.newest_at or opened_at)
        # Fewer do not play, whoever deals.
        self.has_players = enough_play(self.opening, sitting)

    @cached_property
    def runs_until(self) -> datetime | None:
        """Return until when the dealer and the players there confirm that it runs, None if they do not."""
        until = [self.newest_at + RUNS_AFTER_A_HAND] if self.newest_at else []
        until += [self.pushed_in_at + RUNS_AFTER_A_PUSH] if self.pushed_in_at else []
        return max(until, default=None) if self.has_players else None

    def shown(self, *, promised: int) -> LobbyTable:
        """Return what it adds to its game's row. A table that closes offers no seats."""
        closes = self.opening.is_closing
        free = 0 if closes else self.opening.game.seats - self.filled
        return LobbyTable(self.number, self.runs_until, self.filled, free - promised, closes)


# By table.
_kept_open: Kept[int, _OpenTable] = Kept()


def _open_tables(room_id: int) -> Iterable[_OpenTable]:
    """Return the open tables, by number. Four queries."""
    by_id = {table.id: table for table in tables_of(room_id) if table.opening is not None}
    seatings, dealers, going = seatings_by_table(room_id), dealers_by_place(room_id), going_by_opening(by_id.values())
    prints = table_prints(room_id) if is_keeping() else None

    def beside(table: Table) -> tuple[Dealing | None, Going]:
        return dealers.get(table.place_id), going[table.opening_id or 0]

    def version(table: Table) -> Hashable:
        return None if prints is None else (prints[table.id].table, prints[table.id].sitting, beside(table))

    def made(table: Table) -> _OpenTable:
        return _OpenTable(table, seatings.get(table.id, ()), *beside(table))

    versions = {table_id: version(table) for table_id, table in by_id.items()}
    return _kept_open.of(versions, lambda ids: {each: made(by_id[each]) for each in ids}).values()


def _row(tables: Sequence[_OpenTable], waiting: GameList) -> LobbyGame:
    promised = Counter(entry.table_id for entry in waiting.called)
    each = [table.shown(promised=promised[table.opening.table_id]) for table in tables]
    confirmed = [table for table in tables if table.runs_until] or tables
    return LobbyGame(
        game=tables[0].opening.game,
        each=each,
        has_dealer=any(table.pushed_in_at for table in tables),
        newest_hand_at=max((table.newest_at for table in tables if table.newest_at), default=None),
        seats_at=max(table.seats_at for table in confirmed),
        waiting=waiting,
    )
