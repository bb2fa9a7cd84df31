"""
Exclusions, hours and pairs kept apart, at lists and seats.

Whoever wants to sit or wait is locked first (`casino.people.services.locks.lock_player`), so an exclusion that is made
at the same moment comes before or after it, never between: after it, it finds the entry and the seating. A live entry
is therefore never an excluded player's, and a call needs no look at exclusions.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from casino.commands.carrying_out import Command
from casino.people.models import OwnLimit, Player
from casino.people.services.playing import check_not_excluded
from casino.people.standing import Standing, ids_of, standing_of
from casino.rooms.models import GamingDay
from tables.audiences import of_table
from tables.claims import claims
from tables.errors_people import HoursUsedUp, PlayersKeptApart
from tables.models import Seating, Table
from tables.rules.hours import plays_until


def lock_who_sits(command: Command, seating_id: int, *, table_id: int) -> None:
    """
    Lock the player of a seating before its table is locked, for what a player has once an evening. One statement.

    Nothing is locked where there is no such seating: the table's own look says so.
    """
    seatings = Seating.objects.filter(id=seating_id, table_id=table_id, room_id=command.room_id)
    # A query locks nothing until its rows are fetched.
    list(Player.objects.select_for_update(no_key=True).filter(id__in=seatings.values("player_id")).values_list("id"))


def hours_end(command: Command, player: Player, standing: Standing, day: GamingDay) -> datetime | None:
    """
    Return when a player's own hours are used up if they play from now on; None without such a limit.

    :raises HoursUsedUp: they are used up.
    """
    until = hours_until(player.pk, standing, day_id=day.pk, at=command.at)
    if until is not None and until <= command.at:
        raise HoursUsedUp
    return until


def hours_until(player_id: int, standing: Standing, *, day_id: int, at: datetime) -> datetime | None:
    """Return as `hours_end`, a moment not after `at` where they are used up. One query for who has such a limit."""
    minutes = standing.limit(OwnLimit.Kind.HOURS)
    if minutes is None:
        return None
    return plays_until(sittings_of(player_id, day_id=day_id), limit_minutes=minutes, at=at)


def sittings_of(player_id: int, *, day_id: int) -> list[tuple[datetime, datetime | None]]:
    """
    Return when a player sat down and left on a gaming day, under all records of theirs. One query.

    Who plays on from the day before sits from the day's opening on: the hours before it are that day's.
    """
    sat = Seating.objects.filter(ids_of(player_id), opening__day_id=day_id)
    return list(sat.values_list(Seating.SAT_ON_DAY, "left_at"))


def check_apart(table: Table, player_id: int, standing: Standing) -> None:
    """
    Ask whether somebody sits at the locked table, or is called to it, from whom this player is kept apart (H1.75).

    Two queries for whoever is kept apart from somebody, none for all others.

    :raises PlayersKeptApart: somebody does.
    """
    if not standing.apart:
        return
    sits = Seating.objects.filter(table=table, left_at=None, player_id__in=standing.apart)
    if sits.exists() or not standing.apart.isdisjoint(claims().promised_at(table.pk).values()):
        raise PlayersKeptApart(table_number=table.number)


def check_may_buy(seating: Seating, *, day_id: int, at: datetime) -> None:
    """
    Ask whether chips may come to a seat. Nothing is read for whom nothing stands.

    :raises PlayerBanned, PlayerExcludedOwnWish: an exclusion caught the player here.
    :raises HoursUsedUp: the player's own hours are used up: the stack is played, and nothing is added to it.
    """
    if seating.barred_since is not None:
        check_not_excluded(standing_of(seating.player, day_id=day_id), room_id=seating.room_id, at=at)
    if seating.plays_until is not None and seating.plays_until <= at:
        raise HoursUsedUp


def lock_tables_of(player_ids: Iterable[int]) -> list[Seating]:
    """
    Lock the tables where these locked players sit now, by id, and return the seatings with their tables.

    A player who is locked sits down nowhere meanwhile; one who left meanwhile is left out.
    """
    sits = Seating.objects.filter(player_id__in=list(player_ids), left_at=None)
    table_ids = sorted(set(sits.values_list("table_id", flat=True)))
    list(Table.objects.select_for_update(no_key=True).filter(id__in=table_ids).order_by("id"))
    # Asked again, now that nobody gets up there any more.
    return list(sits.select_related("table").order_by("table_id", "seat_number"))


def screens_of(seatings: Sequence[Seating]) -> list[str]:
    """Return every screen that shows these seats."""
    return [screen for seating in seatings for screen in of_table(seating.table)]
