"""
Who waits for which game, as the floor's paper would have it: in order, called to which seat, gone and why.

Time strikes and moves players by itself: `follow` takes over from the rows what time or a seat explains, and nothing
else.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from casino.simulation.broken import Broken
from casino.simulation.felt import Player

EXPLAINED = "every list's order is explained by its events"
ANSWERED = "a call lasts and is answered as the floor and the player have said"


@dataclass(frozen=True)
class Says:
    """A called player's own answers: on the way, asks for more time; and whether the floor gave none."""

    is_on_the_way: bool = False
    asks_more: bool = False
    is_refused: bool = False


@dataclass
class Wait:
    """One player on one list. It stays in the order when it has ended, for who is put back gets the old place."""

    id: int
    player: Player
    is_there: bool = True
    # "waiting", "called", then how it ended: "seated", "struck", "dropped".
    status: str = "waiting"
    # Table and seat of the call.
    called_to: tuple[int, int] | None = None
    until: datetime | None = None
    missed_calls: int = 0
    # What the called player has answered from the phone.
    says: Says = Says()
    # The seat of this call was kept for the cage.
    has_fetched: bool = False
    # As the screens show it: whoever decides on an older one is told so.
    version: int = 1
    # Whether anybody could say where the old place is.
    may_be_put_back: bool = True
    # Before everybody else, as a player of a table that closed.
    has_right: bool = False

    @property
    def is_live(self) -> bool:
        return self.status in {"waiting", "called"}

    def waits_again(self) -> None:
        """Take the call back: the entry waits in its old place."""
        self._is_not_called("waiting")

    def ends(self, how: str) -> None:
        """End the entry, as `how`."""
        self._is_not_called(how)

    def _is_not_called(self, status: str) -> None:
        self.status, self.called_to, self.until = status, None, None
        self.says, self.has_fetched = Says(), False


@dataclass(frozen=True)
class WaitRow:
    """An entry as the house has it."""

    id: int
    game: int
    player: int
    status: str
    why: str
    missed_calls: int
    version: int
    # Table and seat of a call, and until when the seat is kept.
    called_to: tuple[int, int] | None
    until: datetime | None
    says: Says = Says()

    @classmethod
    def of(cls, *row: Any) -> "WaitRow":
        """Read a row that ends with table and seat of a call, or None, its moment, and the player's answers to it."""
        id, game, player, status, why, missed_calls, version, table, seat, until, *says = row
        called_to = (table, seat) if table else None
        return cls(id, game, player, status, why, missed_calls, version, called_to, until, Says(*says))


@dataclass
class Lists:
    """All lists of the room, by the number of the game."""

    entries: dict[int, list[Wait]] = field(default_factory=dict)

    def live(self) -> list[tuple[int, Wait]]:
        """Return who waits or is called, with the game, list by list and in order."""
        return [(game, wait) for game in sorted(self.entries) for wait in self.entries[game] if wait.is_live]

    def waits_for(self, game: int, player: Player) -> bool:
        """Say whether this player is on that list."""
        return any(wait.is_live and wait.player is player for wait in self.entries.get(game, []))

    def is_called(self, player: Player) -> bool:
        """Say whether a seat is promised to this player."""
        return any(wait.called_to and wait.player is player for _, wait in self.live())

    def promised(self, table: int) -> dict[int, Wait]:
        """Return who is called to which seat of a table."""
        return {wait.called_to[1]: wait for _, wait in self.live() if wait.called_to and wait.called_to[0] == table}

    def joins(self, game: int, wait: Wait) -> None:
        """Add a player at the end of the list."""
        self.entries.setdefault(game, []).append(wait)

    def waiting_for(self, game: int, player: Player) -> Wait | None:
        """Return the entry with which this player is on that list."""
        return next((wait for wait in self.entries.get(game, []) if wait.is_live and wait.player is player), None)

    def waits_first(self, game: int, wait: Wait) -> None:
        """Put a player with a right to a seat (H2.11) before all others but earlier ones of that right."""
        order = self.entries.setdefault(game, [])
        if wait in order:
            order.remove(wait)
        wait.has_right = wait.is_there = True
        others = (number for number, each in enumerate(order) if each.is_live and not each.has_right)
        order.insert(next(others, len(order)), wait)

    def moves(self, game: int, wait: Wait, before: Wait | None) -> None:
        """Move an entry before another one, or to the end."""
        order = self.entries[game]
        order.remove(wait)
        order.insert(order.index(before) if before else len(order), wait)

    def follow(self, rows: Iterable[WaitRow], *, ran_out: Callable[[datetime], bool]) -> None:
        """
        Hold the lists against the rows, and take over what happened by itself.

        :raises Broken: a row that nothing explains, an order that is not ours, or a promised seat that somebody has.
        """
        found = {row.id: row for row in rows}
        for game, wait in self.live():
            row = found.get(wait.id)
            if row is None or (row.game, row.player) != (game, wait.player.id):
                raise Broken(EXPLAINED, f"{wait} is {row}")
            self._take_over(game, wait, row, ran_out=ran_out)
        for game in self.entries:
            ours = [wait.id for wait in self.entries[game] if wait.is_live]
            theirs = [row.id for row in found.values() if row.game == game and row.status in {"waiting", "called"}]
            if ours != theirs:
                raise Broken(EXPLAINED, f"game {game}: {theirs}, on paper {ours}")

    def _take_over(self, game: int, wait: Wait, row: WaitRow, *, ran_out: Callable[[datetime], bool]) -> None:
        is_over = wait.until is not None and ran_out(wait.until)
        if (row.status, row.called_to) == (wait.status, wait.called_to):
            # The floor alone makes a call longer, and says until when.
            if (row.until, row.says) != (wait.until, wait.says):
                raise Broken(ANSWERED, f"{wait} is {row}")
        elif row.status == "seated" and row.why.startswith("table_"):
            wait.ends("seated")
        elif row.status == "struck" and row.why == "call_ran_out" and is_over:
            wait.ends("struck")
        elif row.status == "waiting" and row.missed_calls == wait.missed_calls + 1 and is_over:
            wait.waits_again()
            self.moves(game, wait, None)
        else:
            raise Broken(EXPLAINED, f"{wait} is {row}")
        wait.missed_calls, wait.version = row.missed_calls, row.version
