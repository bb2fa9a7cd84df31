"""What a player's phone shows: their place on each list, their call, and what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from casino.people.models import Player, PlayerPass
from casino.rooms.models import GamingDay, Room
from casino.rooms.selectors import room_of
from casino.rows import read_joined
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.rules.estimates import Wait
from casino.waiting.selectors.lists import lists_by_game
from tables.models import Game

# So many of the evening's lists that are over stay on the page: what became of the newest.
ENDED_MAX = 3

# Whoever waits on a list sees their place move when somebody before them goes; who is off it sees that.
_ON_LIST = """
SELECT pass.id FROM people_playerpass pass
JOIN rooms_gamingday day ON day.id = pass.day_id AND day.closed_at IS NULL
WHERE pass.revoked_at IS NULL AND (pass.player_id = %s OR pass.player_id IN (
    SELECT player_id FROM waiting_waiting WHERE waiting_list_id = %s AND status IN ('waiting', 'called')
)) ORDER BY pass.id
"""
_HELD = """FROM people_playerpass
    JOIN people_player ON people_player.id = people_playerpass.player_id
    JOIN rooms_gamingday ON rooms_gamingday.id = people_playerpass.day_id
    WHERE people_playerpass.id = %s AND people_playerpass.room_id = %s AND people_playerpass.revoked_at IS NULL
    AND rooms_gamingday.closed_at IS NULL"""
_ENDED = """FROM waiting_waiting
    JOIN waiting_waitinglist ON waiting_waitinglist.id = waiting_waiting.waiting_list_id
    JOIN tables_game ON tables_game.id = waiting_waitinglist.game_id
    WHERE waiting_waiting.player_id = %s AND waiting_waiting.day_id = %s AND waiting_waiting.ended_at IS NOT NULL
    ORDER BY waiting_waiting.ended_at DESC, waiting_waiting.id DESC LIMIT 20"""


@dataclass(frozen=True)
class OwnPlace:
    """
    One list that the player waits on. `place` counts those who are in the room, None while the player is not.

    `wait` is None where too few seats came free to say.
    """

    entry: Waiting
    game: str
    place: int | None
    wait: Wait | None


@dataclass(frozen=True)
class OverPlace:
    """A list that the player no longer waits on, and why; `table_number` is where the player was seated from it."""

    entry: Waiting
    game: str

    @property
    def table_number(self) -> str:
        return self.entry.ended_why.removeprefix("table_") if self.entry.status == Waiting.Status.SEATED else ""


@dataclass(frozen=True)
class Phone:
    """A player's page; `player` is None once the pass has ended, and then there is nothing else."""

    room: Room
    player: Player | None = None
    called: OwnPlace | None = None
    waits: Sequence[OwnPlace] = ()
    ended: Sequence[OverPlace] = ()


def phone(room_id: int, pass_id: int) -> Phone:
    """Return what the phone shows that holds this pass. Four queries, two of them shared by all phones."""
    room = room_of(room_id)
    held = read_joined((PlayerPass, Player, GamingDay), _HELD, pass_id, room_id)
    if not held:
        return Phone(room)
    _, player, day = held[0]
    own = _own_places(room_id, player)
    live = {place.entry.waiting_list_id for place in own}
    return Phone(
        room=room,
        player=player,
        called=next((place for place in own if place.entry.status == Waiting.Status.CALLED), None),
        waits=[place for place in own if place.entry.status == Waiting.Status.WAITING],
        ended=_ended(player, day, live),
    )


def _own_places(room_id: int, player: Player) -> list[OwnPlace]:
    own = []
    for game_list in lists_by_game(room_id).values():
        assert game_list.game is not None, "a list with somebody on it is a game's"
        present = game_list.present
        for entry in (*game_list.called, *game_list.waiting):
            if entry.player_id == player.pk:
                place = present.index(entry) + 1 if entry in present else None
                # Seats that are free this moment are being called to: what phones show moves with their list alone.
                own.append(OwnPlace(entry, game_list.game.name, place, game_list.wait(place) if place else None))
    return own


def _ended(player: Player, day: GamingDay, live: set[int]) -> list[OverPlace]:
    newest: dict[int, OverPlace] = {}
    for entry, waiting_list, game in read_joined((Waiting, WaitingList, Game), _ENDED, player.pk, day.pk):
        if waiting_list.pk not in live:
            newest.setdefault(waiting_list.pk, OverPlace(entry, game.name))
    return list(newest.values())[:ENDED_MAX]


def phones_on_list(list_id: int, player_id: int) -> tuple[str, ...]:
    """Return the audiences of the phones that show a list, and of this player's. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_ON_LIST, [player_id, list_id])
        return tuple(f"pass.{pass_id}" for (pass_id,) in cursor.fetchall())
