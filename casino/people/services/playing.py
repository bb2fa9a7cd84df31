"""May this player play? Asked at the list, the seat and the cage, under the player's lock."""

from datetime import datetime
from zoneinfo import ZoneInfo

from casino.commands.carrying_out import Command
from casino.errors import Refusal
from casino.people.errors import PlayerBanned, PlayerExcludedOwnWish
from casino.people.models import Player
from casino.people.rules.exclusions import OWN, Excluded, strictest
from casino.people.services.locks import lock_player
from casino.people.standing import Standing, last_day_of, standing_of
from casino.rooms.selectors import room_of


def lock_for_play(command: Command, player_id: int, *, day_id: int) -> tuple[Player, Standing]:
    """
    Lock a player who wants to play, and return what stands about them. One statement; two for whoever is watched.

    Call it once the gaming day is held and before any table, list or drawer is locked.

    :raises NotFound: not of this room, erased, or merged into another record.
    :raises PlayerBanned, PlayerExcludedOwnWish: the player may not play.
    """
    player = lock_player(command, player_id)
    standing = standing_of(player, day_id=day_id)
    check_not_excluded(standing, room_id=command.room_id, at=command.at)
    return player, standing


def check_not_excluded(standing: Standing, *, room_id: int, at: datetime) -> None:
    """:raises PlayerBanned, PlayerExcludedOwnWish: the player may not play at this moment."""
    excluded = strictest(standing.exclusions, at)
    if excluded is not None:
        raise _refusal(excluded, room_id)


def _refusal(excluded: Excluded, room_id: int) -> Refusal:
    last_day = last_day_of(excluded.until, ZoneInfo(room_of(room_id).time_zone))
    if excluded.kind == OWN:
        return PlayerExcludedOwnWish(last_day=last_day)
    clause = {"clause": excluded.clause} if excluded.clause else {}
    return PlayerBanned(last_day=last_day, **clause)
