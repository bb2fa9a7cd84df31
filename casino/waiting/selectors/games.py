"""What the lists give the floor's map: each game with its tables, who waits for it, and who is called next."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from casino.reading import read_once
from casino.waiting.models import Waiting
from casino.waiting.rules.estimates import Wait
from casino.waiting.selectors.call_times import seats_run_out
from casino.waiting.selectors.lists import NOBODY, GameList, lists_by_game
from tables.models import Game
from tables.rules.newcomers import Proposal, Step
from tables.selectors.floor import Tile, room_on_map, steps_on_map
from tables.selectors.running import games_on_offer

# How many of each list the map shows.
LISTED = 20


@dataclass(frozen=True)
class EntryShown:
    """
    What the map shows of somebody who waits, in plain values, as `TileShown`.

    `seat` is the one to call them to now, None for all but one; `runs_out` as in `OfferedGame`.
    """

    pk: int
    place: int
    nickname: str
    has_right: bool
    is_passed: bool
    joined_at: datetime
    seat: Proposal | None
    runs_out: tuple[datetime, int] | None


@dataclass(frozen=True)
class Chip:
    """What the map shows of a table in its game's row, in plain values, as `TileShown`."""

    number: int
    filled: int
    seats: int


@dataclass(frozen=True)
class OfferedGame:
    """
    A game on offer, the tables that run it now, who waits for it and how long, and the seat to offer next, to whom.

    `runs_out` is when the minutes of that seat are over, and how many seconds a call lasts at least (A21).
    """

    game: Game
    tiles: Sequence[Tile]
    waiting: GameList = NOBODY
    next_seat: Proposal | None = None
    next_entry: Waiting | None = None
    runs_out: tuple[datetime, int] | None = None

    @property
    def passed(self) -> Sequence[Waiting]:
        """Return who stands before the one that is called next and may not sit there now."""
        present = self.waiting.present
        return present[: present.index(self.next_entry)] if self.next_entry is not None else ()

    @property
    def chips(self) -> Sequence[Chip]:
        """Return its tables, each with who sits there."""
        return [Chip(tile.table.number, tile.filled, tile.seats) for tile in self.tiles]

    @property
    def seated(self) -> int:
        return sum(tile.filled for tile in self.tiles)

    @property
    def open_seats(self) -> int:
        """Return the seats that nobody sits in and no call promises."""
        return sum(tile.open_seats for tile in self.tiles) - len(self.waiting.called)

    @property
    def listed(self) -> Sequence[EntryShown]:
        """Return who stands first on the list: as many as a map is read for; the rest is one tap away."""
        passed = {entry.pk for entry in self.passed}
        next_pk = self.next_entry.pk if self.next_entry and self.next_seat else None
        return [
            EntryShown(
                pk=entry.pk,
                place=place,
                nickname=entry.player.nickname,
                has_right=entry.right_from_id is not None,
                is_passed=entry.pk in passed,
                joined_at=entry.joined_at,
                seat=self.next_seat if entry.pk == next_pk else None,
                runs_out=self.runs_out if entry.pk == next_pk else None,
            )
            for place, entry in enumerate(self.waiting.present[:LISTED], start=1)
        ]

    @property
    def more_listed(self) -> int:
        """Return how many stand behind those."""
        return max(len(self.waiting.present) - LISTED, 0)

    @property
    def wait(self) -> Wait | None:
        """Return how long somebody would wait who joined now, None where nobody knows."""
        return self.waiting.wait_of_next(free=max(self.open_seats, 0))


def first_call(steps: Sequence[Step], waiting: GameList) -> tuple[Waiting, Proposal] | None:
    """Return who of a list is called next, and to which seat: the first who may sit there; None while nobody is."""
    for step in steps:
        if not step.claim.is_waiting:
            continue
        # Mostly the very first: to look them all up by their ids first takes longer.
        entry = next((entry for entry in waiting.present if entry.id == step.claim.ref), None)
        if entry is not None:
            return entry, Proposal(step.seat.table_number, step.seat.seat_number, step.reason)
    return None


@read_once
def games_on_map(room_id: int) -> list[OfferedGame]:
    """
    Return the games on offer, those that still run and those that somebody waits for, running ones first.

    One query, two more where somebody is called next, and those of the map's tables and their next steps.
    """
    tiles, lists, steps = room_on_map(room_id).tiles, lists_by_game(room_id), steps_on_map(room_id)
    games = {game.name: game for game in games_on_offer(room_id)}
    games |= {name: game_list.game for name, game_list in lists.items() if game_list.game and name not in games}
    # By name: tables that still run the old terms of a game are its tables.
    running: dict[str, list[Tile]] = {}
    for tile in tiles:
        if tile.game is not None:
            running.setdefault(tile.game.name, []).append(tile)
            games.setdefault(tile.game.name, tile.game)
    calls = {name: first_call(steps.get(name, ()), lists.get(name, NOBODY)) for name in games}
    ends = seats_run_out(room_id, filter(None, calls.values()), [tile.table for tile in tiles])
    offered = []
    for name, game in games.items():
        waiting, of_game = lists.get(name, NOBODY), running.get(name, ())
        entry, seat = calls[name] or (None, None)
        runs_out = ends.get(entry.pk) if entry else None
        offered.append(OfferedGame(game, of_game, waiting, seat, entry, runs_out))
    return sorted(offered, key=lambda offer: (not offer.tiles, offer.game.big_blind_cents, offer.game.name))
