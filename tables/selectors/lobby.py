"""What the lobby's television shows: games, open seats, and how old each figure is."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from casino.reading import read_once
from casino.rooms.models import Room
from casino.rooms.selectors import room_of
from tables.models import Game, Table
from tables.selectors.running import (
    Dealing,
    Pace,
    dealers_by_place,
    games_on_offer,
    paces,
    seatings_by_table,
    tables_of,
)

# A game without a dealer signed in still counts as running for so long after its last hand: a forgotten tap must
# not take a full table off the wall, and a table that broke up must not stay on it.
RUNS_AFTER_A_HAND = timedelta(minutes=20)


@dataclass(frozen=True)
class LobbyGame:
    """
    One row on the wall. `runs_until` is the moment from which, without more news, the game no longer counts
    as running; None while a dealer is signed in. `newest_hand_at` is how fresh it is.
    """

    game: Game
    tables: int
    seated: int
    free: int
    has_dealer: bool
    newest_hand_at: datetime | None
    runs_until: datetime | None

    @property
    def has_begun(self) -> bool:
        """Whether anybody deals there, or dealt a hand since the table was opened."""
        return self.has_dealer or self.newest_hand_at is not None


@dataclass(frozen=True)
class Lobby:
    """The whole wall: rows with tables first, games that the floor would open for those who ask after them."""

    room: Room
    games: Sequence[LobbyGame]
    on_request: Sequence[Game]

    @property
    def has_begun(self) -> bool:
        return any(row.has_begun for row in self.games)

    @property
    def free(self) -> int:
        """Return the seats free at games that run; a table that is just opening has its own row."""
        return sum(row.free for row in self.games if row.has_begun)

    @property
    def seated(self) -> int:
        return sum(row.seated for row in self.games)


@read_once
def lobby(room_id: int) -> Lobby:
    """Return what the lobby shows. Six queries, however many tables there are."""
    room = room_of(room_id)
    open_tables = [table for table in tables_of(room_id) if table.opening is not None]
    seatings = seatings_by_table(room_id)
    dealers = dealers_by_place(room_id)
    pace_of = paces(open_tables)
    by_game: dict[int, list[Table]] = {}
    for table in open_tables:
        assert table.opening is not None
        by_game.setdefault(table.opening.game_id, []).append(table)
    rows = [
        _row(tables, {table.pk: len(seatings.get(table.pk, ())) for table in tables}, dealers, pace_of)
        for tables in by_game.values()
    ]
    return Lobby(
        room=room,
        games=sorted(rows, key=lambda row: (row.game.big_blind_cents, row.game.name)),
        on_request=[game for game in games_on_offer(room_id) if game.pk not in by_game],
    )


def _row(
    tables: Sequence[Table], filled: dict[int, int], dealers: dict[int, Dealing], pace_of: dict[int, Pace]
) -> LobbyGame:
    opening = tables[0].opening
    assert opening is not None
    # A tablet's dealer signs out; one at a desktop is known by hands alone, and those say when they were played.
    has_dealer = any(table.place_id in dealers and dealers[table.place_id].since for table in tables)
    known = [pace_of[table.opening_id].newest_at for table in tables if table.opening_id in pace_of]
    newest = max(known, default=None)
    return LobbyGame(
        game=opening.game,
        tables=len(tables),
        seated=sum(filled.values()),
        free=len(tables) * opening.game.seats - sum(filled.values()),
        has_dealer=has_dealer,
        newest_hand_at=newest,
        runs_until=newest + RUNS_AFTER_A_HAND if newest and not has_dealer else None,
    )
