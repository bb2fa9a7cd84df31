"""
A penalty that runs: its player sits down nowhere, and whoever sits is held out of the deal until it ends (H1.48).

Whoever was away before stays away as they are. While it runs nobody picks their stack up and no button counts: who
judges an absence asks for penalties (`penalties_of`).
"""

from collections.abc import Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

from casino.people.models import Player
from casino.rooms.selectors import room_of
from tables.errors_people import PenaltyRuns
from tables.models import Incident, Seating
from tables.rules.absence import limit_at
from tables.selectors.penalties import penalties_of
from tables.services.state import save_seating


def check_no_penalty(player: Player, *, at: datetime) -> None:
    """
    Ask whether a locked player may sit down, move or be called, or a stack be taken. One query for whoever is watched,
    none for others.

    :raises PenaltyRuns: a penalty keeps the player out; the one that runs longest is named.
    """
    penalty = _running(player, at=at)
    if penalty is not None and penalty.ends_at is not None:
        until = penalty.ends_at.astimezone(ZoneInfo(room_of(player.room_id).time_zone))
        raise PenaltyRuns(until=f"{until:%H:%M}", **({"clause": penalty.clause} if penalty.clause else {}))


def hold_out(seatings: Iterable[Seating], *, until: datetime, at: datetime) -> None:
    """Hold the seats of penalised players from the next hand on, at locked tables; who is away already stays so."""
    for seating in seatings:
        if not seating.is_held:
            seating.is_held, seating.away_since, seating.buttons_passed = True, at, 0
            seating.away_limit_at = until
            save_seating(seating)


def still_sits_out(player: Player, seating: Seating, *, at: datetime) -> None:
    """
    Hold the seat, at its locked table, to which a locked player comes back while a penalty runs: what is corrected is
    where they sit. One query for whoever is watched, none for others.
    """
    penalty = _running(player, at=at)
    if penalty is not None and penalty.ends_at is not None:
        hold_out([seating], until=penalty.ends_at, at=at)


def lets_back(seatings: Iterable[Seating], *, ran: Incident, at: datetime) -> None:
    """
    Have seats at locked tables that an ended penalty held wait for their players as any absent player's do, from now
    on; or for the next penalty's end.

    Nobody is dealt in by itself: the player may not be at the table. Of another absence the limit that came meanwhile
    moves by the time that the penalty ran, for the player was kept out; all else of it is as it was.
    """
    for seating in seatings:
        limit = seating.away_limit_at
        if not seating.is_held or limit is None:
            continue
        if limit == ran.ends_at:
            runs = _running(seating.player, at=at)
            seating.away_since, seating.buttons_passed = at, 0
            seating.away_limit_at = runs.ends_at if runs else limit_at(seating.opening.terms.absence, away_since=at)
            save_seating(seating)
        elif ran.at <= limit <= at:
            seating.away_limit_at = limit + (at - ran.at)
            save_seating(seating)


def _running(player: Player, *, at: datetime) -> Incident | None:
    return penalties_of([player.pk], at=at).get(player.pk) if player.is_watched else None
