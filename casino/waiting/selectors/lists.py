"""The waiting lists as screens show them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import LiteralString

from django.db.models import Exists, OuterRef, Q

from casino.people.models import Player
from casino.reading import Kept, is_keeping, read_once
from casino.rooms.models import GamingDay
from casino.rows import read_joined, relate
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.rules.estimates import Turnover, Wait, wait_for
from casino.waiting.selectors.prints import list_prints
from tables.claims import ClaimsOfGame, Waits
from tables.models import Game, HandSeat, Seating, Table, of_game

# How long somebody who is off a list can be put back with one tap.
LATELY = timedelta(minutes=30)


# How many of those present the wall names.
NAMED = 6


@dataclass(frozen=True)
class OnWall:
    """
    What the wall shows of a list, in plain values and in the active language: who is called and until when, the names
    of the first who are there, how many of them there are, and how many have called in.
    """

    called: tuple[tuple[str, datetime | None], ...]
    first: tuple[str, ...]
    present: int
    call_ins: int


@dataclass(frozen=True)
class GameList:
    """
    The list of one game: who is called, in the order of the calls, and who waits, in order.

    `turnover` is how fast its seats come free, as it was last counted; None while it never was.
    """

    version: int = 0
    called: Sequence[Waiting] = ()
    waiting: Sequence[Waiting] = ()
    turnover: Turnover | None = None
    game: Game | None = None

    @cached_property
    def present(self) -> Sequence[Waiting]:
        """Return who waits in the room, in order: whose places are counted."""
        return tuple(entry for entry in self.waiting if entry.is_there)

    @cached_property
    def call_ins(self) -> Sequence[Waiting]:
        """Return who has called in and is not there yet, in order."""
        return tuple(entry for entry in self.waiting if not entry.is_there)

    @cached_property
    def claims(self) -> ClaimsOfGame:
        """Return it as the tables see it."""
        return ClaimsOfGame(
            tuple(promise for entry in self.called if (promise := entry.promise) is not None),
            tuple(Waits(each.pk, each.player, each.is_there, each.right_from_id is not None) for each in self.waiting),
        )

    @property
    def on_wall(self) -> OnWall:
        """Return what the wall shows of it."""
        return OnWall(
            called=tuple((entry.player.public_name, entry.holds_until) for entry in self.called),
            first=tuple(entry.player.public_name for entry in self.present[:NAMED]),
            present=len(self.present),
            call_ins=len(self.call_ins),
        )

    @property
    def first(self) -> Waiting | None:
        """Return who is called next: the first who is there."""
        return next(iter(self.present), None)

    def wait(self, place: int, *, free: int = 0) -> Wait | None:
        """Return how long the place may take, None where nobody knows; `free` seats are there to be called to."""
        return wait_for(self.turnover, place=place, free=free)

    def wait_of_next(self, *, free: int = 0) -> Wait | None:
        """Return how long somebody would wait who joined now."""
        return self.wait(len(self.present) + 1, free=free)


NOBODY = GameList()


@dataclass
class _Making:
    of: WaitingList
    game: Game
    called: list[Waiting] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)


_LIVE = """FROM waiting_waiting
    JOIN waiting_waitinglist ON waiting_waitinglist.id = waiting_waiting.waiting_list_id
    JOIN tables_game ON tables_game.id = waiting_waitinglist.game_id
    JOIN people_player ON people_player.id = waiting_waiting.player_id
    LEFT JOIN tables_table ON tables_table.id = waiting_waiting.table_id
    WHERE waiting_waiting.room_id = %s AND waiting_waiting.status IN ('waiting', 'called')
    ORDER BY waiting_waiting.place, waiting_waiting.id"""


_LIVE_FOR = """FROM waiting_waiting
    JOIN waiting_waitinglist ON waiting_waitinglist.id = waiting_waiting.waiting_list_id
    JOIN tables_game ON tables_game.id = waiting_waitinglist.game_id
    JOIN people_player ON people_player.id = waiting_waiting.player_id
    LEFT JOIN tables_table ON tables_table.id = waiting_waiting.table_id
    WHERE waiting_waiting.room_id = %s AND waiting_waiting.status IN ('waiting', 'called')
        AND tables_game.name = ANY(%s)
    ORDER BY waiting_waiting.place, waiting_waiting.id"""
# A kept list shows of the table to which somebody is called its number alone, which never changes.
_kept_lists: Kept[tuple[int, str], GameList] = Kept()


@read_once
def lists_by_game(room_id: int) -> dict[str, GameList]:
    """
    Return who waits in the room, by the game's name: a list goes on with new terms of its game.

    Games for which nobody waits are left out. One query.
    """
    if not is_keeping():
        return _lists(_LIVE, room_id)

    def made(keys: Sequence[tuple[int, str]]) -> dict[tuple[int, str], GameList]:
        lists = _lists(_LIVE_FOR, room_id, [name for _room_id, name in keys])
        return {(room_id, name): game_list for name, game_list in lists.items()}

    kept = _kept_lists.of({(room_id, name): version for name, version in list_prints(room_id).items()}, made)
    return {name: game_list for (_room_id, name), game_list in kept.items()}


def _lists(tail: LiteralString, *of: object) -> dict[str, GameList]:
    by_game: dict[str, _Making] = {}
    shapes = (Waiting, WaitingList, Game, Player, Table)
    for entry, waiting_list, game, player, table in read_joined(shapes, tail, *of):
        relate(entry, player=player, table=table, waiting_list=waiting_list)
        relate(waiting_list, game=game)
        of_game = by_game.setdefault(game.name, _Making(waiting_list, game))
        (of_game.called if entry.status == Waiting.Status.CALLED else of_game.waiting).append(entry)
    return {
        name: GameList(
            version=made.of.version,
            called=sorted(made.called, key=lambda entry: (entry.called_at, entry.pk)),
            waiting=made.waiting,
            turnover=_turnover(made.of),
            game=made.game,
        )
        for name, made in by_game.items()
    }


def _turnover(of: WaitingList) -> Turnover | None:
    if of.seats_opened is None or of.measured_minutes is None or of.measured_at is None:
        return None
    return Turnover(of.seats_opened, of.measured_minutes, of.measured_at)


def struck_lately(game: Game, *, at: datetime) -> list[Waiting]:
    """
    Return who may be put back on the open day's list with one tap, the last one first: struck or dropped out not long
    ago; or seated, and up again before they had cards. One query.
    """
    is_struck = Q(status__in=[Waiting.Status.STRUCK, Waiting.Status.DROPPED])
    sits = Seating.objects.filter(player=OuterRef("player"), left_at=None)
    played = HandSeat.objects.filter(player=OuterRef("player"), hand__dealt_at__gte=OuterRef("ended_at"))
    was_seated_wrongly = Q(~Exists(sits), ~Exists(played), status=Waiting.Status.SEATED)
    gone = Waiting.objects.filter(
        is_struck | was_seated_wrongly,
        of_game(game, "waiting_list__game"),
        day__in=GamingDay.objects.filter(room_id=game.room_id, closed_at=None),
        ended_at__gte=at - LATELY,
    )
    return list(gone.select_related("player").order_by("-ended_at", "-id"))
