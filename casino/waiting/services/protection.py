"""
Exclusions, hours and pairs kept apart, at lists: as at seats (`tables.services.protection`).

Whoever wants to wait is locked first, so an exclusion that is made at the same moment comes before or after it, never
between: after it, it finds the entry. A live entry is therefore never an excluded player's, and a call needs no look at
exclusions.
"""

from casino.commands.carrying_out import Command
from casino.people.models import Player
from casino.people.services.locks import lock_player
from casino.people.services.playing import lock_for_play
from casino.people.standing import standing_of
from casino.rooms.models import GamingDay
from casino.waiting.models import Waiting
from tables.models import Table
from tables.services.penalties import check_no_penalty
from tables.services.protection import check_apart, hours_end


def lock_who_waits(command: Command, player_id: int, day: GamingDay) -> Player:
    """
    Lock a player who wants on a list. One statement; two for whoever is watched, three for whoever has limited hours.

    :raises NotFound: no such player.
    :raises PlayerBanned, PlayerExcludedOwnWish: the player may not play.
    :raises HoursUsedUp: the player's own limit of hours is reached.
    """
    player, standing = lock_for_play(command, player_id, day_id=day.pk)
    hours_end(command, player, standing, day)
    return player


def lock_waiting_player(command: Command, waiting_id: int) -> None:
    """
    Lock the player of an entry, before the table and the list are. Two statements.

    :raises NotFound: there is no such entry, or its player was merged into another record at this moment.
    """
    whose = Waiting.objects.filter(id=waiting_id, room_id=command.room_id).values_list("player_id", flat=True)
    lock_player(command, whose.first() or 0)


def check_call(command: Command, entry: Waiting, table: Table, day: GamingDay) -> None:
    """
    Ask whether a waiting player may be called to the locked table. One query; more for whoever is watched.

    :raises PlayersKeptApart: somebody is there from whom the player is kept apart (H1.75).
    :raises HoursUsedUp: the player's own limit of hours is reached.
    :raises PenaltyRuns: a penalty keeps the player out (H1.48).
    """
    check_no_penalty(entry.player, at=command.at)
    standing = standing_of(entry.player, day_id=day.pk)
    check_apart(table, entry.player_id, standing)
    hours_end(command, entry.player, standing, day)
