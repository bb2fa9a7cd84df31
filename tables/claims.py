"""
Claims to seats of players who do not sit: who is called to a seat, and who waits for a game.

The tables own their seats and keep none of these claims. They say which seats are free (`selectors.next_steps`), and
ask here. An app above them that keeps claims registers itself in its AppConfig; without one nobody waits. What a method
locks comes after the table, which its caller has locked.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from casino.commands.carrying_out import Command
from casino.people.models import Player
from tables.models import Game, Opening, Table


@dataclass(frozen=True)
class Promise:
    """A seat that is kept for a player who was called to it, and until when."""

    table_id: int
    seat_number: int
    player: Player
    until: datetime | None


@dataclass(frozen=True)
class Waits:
    """
    A player who waits for a seat; `ref` names the row that says so.

    `is_there`: in the room, and not only announced. `has_right`: since a table closed at which they sat (H2.11).
    """

    ref: int
    player: Player
    is_there: bool
    has_right: bool


@dataclass(frozen=True)
class ClaimsOfGame:
    """The claims to one game's seats: the seats that are promised, and who waits, in order."""

    promises: Sequence[Promise] = ()
    waiting: Sequence[Waits] = ()

    @cached_property
    def players(self) -> Sequence[Player]:
        """Return who is called or waits, announced or there."""
        return (*(each.player for each in self.promises), *(each.player for each in self.waiting))

    @cached_property
    def player_ids(self) -> frozenset[int]:
        """Return who is called or waits in the room."""
        waiting = frozenset(each.player.pk for each in self.waiting if each.is_there)
        return waiting | {each.player.pk for each in self.promises}


NO_CLAIMS = ClaimsOfGame()


@dataclass(frozen=True)
class Ended:
    """What became of claims: the rows that ended, and the screens that show it."""

    refs: Sequence[int] = ()
    screens: tuple[str, ...] = ()

    @property
    def ref(self) -> int | None:
        """Return the row that ended, None where none did."""
        return next(iter(self.refs), None)


class Claims:
    """
    Who is to get seats, as the app that keeps the waiting lists answers it. These answers, all empty, are those of a
    house where no app keeps any.
    """

    def anybody_waits(self, game: Game, *, but: int) -> bool:
        """Say whether somebody other than the player `but` is there who waits for a game (R-§4). One query."""
        return False

    def by_game(self, room_id: int) -> Mapping[str, ClaimsOfGame]:
        """Return the room's claims by the game's name; games without any are left out. One query."""
        return {}

    def prints(self, room_id: int) -> Mapping[str, str]:
        """Return from which rows each game's claims are read, by its name: for what pushes keep. One query."""
        return {}

    def promises_at(self, table_id: int) -> Mapping[int, Promise]:
        """Return who is called to a table's seats, by seat, for a screen. One query."""
        return {}

    def promised_at(self, table_id: int) -> Mapping[int, int]:
        """Return the players who are called to seats of a locked table, by seat. One query."""
        return {}

    def promised_among(self, table_ids: Collection[int]) -> frozenset[int]:
        """Return those of the tables to a seat of which somebody is called. One query."""
        return frozenset()

    def promised_to(self, player_id: int) -> tuple[Table, int] | None:
        """Return the table (with what it runs) and the seat to which a player is called, None if to none."""
        return None

    def ref_of(self, game: Game, player_id: int) -> int:
        """Return the row by which a player waits for a game or is called, 0 where there is none. One query."""
        return 0

    def right_of(self, opening: Opening, player_id: int) -> Opening | None:
        """Return the game that closed under a player who has a right to a seat here since, None for others (H2.11)."""
        return None

    def met(self, command: Command, table: Table, game: Game, player_id: int) -> Ended:
        """End a player's claim to a game's seats, who has one at the locked table now (H2.9)."""
        return Ended()

    def met_by_going_back(
        self, command: Command, table: Table, game: Game, player_id: int, *, was: int | None
    ) -> Ended:
        """
        End a player's claim to a game's seats as `met`, whose move is taken back to the locked table; the claim `was`
        that the move had met holds again.
        """
        return Ended()

    def nobody_new(self, command: Command, table: Table) -> Ended:
        """Take back every call to a locked table at which nobody new sits down any more (H2.22)."""
        return Ended()

    def goes_on(self, game: Game) -> None:
        """Let claims to a game's seats be claims to its new terms (H2.3)."""


_NOBODYS = Claims()
_keepers: list[Claims] = []


def register(keeper: Claims) -> None:
    """Make known who keeps the claims: one app does."""
    assert not _keepers, "one app keeps the claims"
    _keepers.append(keeper)


def claims() -> Claims:
    """Return who keeps the claims."""
    return _keepers[0] if _keepers else _NOBODYS
