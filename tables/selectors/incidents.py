"""The incident log as the floor reads it: filtered, newest first, with names and what was written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from casino.people.models import Player
from casino.people.selectors import find_players, staff_names
from tables.models import Hand, HandSeat, Incident, IncidentPlayer, Seating, Table
from tables.selectors.floor_table import departures

INCIDENTS_ON_A_PAGE = 100
FOUND = 12


@dataclass(frozen=True)
class IncidentLine:
    """One entry: who it is about (nickname, seat or None), who wrote it, and its text, "" where none was or is left."""

    incident: Incident
    players: Sequence[tuple[str, int | None]]
    by: str
    text: str


@dataclass(frozen=True)
class Wanted:
    """What the log is asked for; None and "" mean all of it."""

    day_id: int | None = None
    table_id: int | None = None
    kind: str = ""
    nickname: str = ""
    is_running: bool = False


def incidents(room_id: int, wanted: Wanted) -> list[IncidentLine]:
    """Return the newest entries that were asked for. Three queries."""
    matching = Incident.objects.filter(room_id=room_id).select_related("table", "hand", "note", "day")
    if wanted.day_id is not None:
        matching = matching.filter(day_id=wanted.day_id)
    if wanted.table_id is not None:
        matching = matching.filter(table_id=wanted.table_id)
    if wanted.kind:
        matching = matching.filter(kind=wanted.kind)
    if wanted.nickname:
        named = IncidentPlayer.objects.filter(room_id=room_id, player__nickname__icontains=wanted.nickname)
        matching = matching.filter(id__in=named.values("incident_id"))
    if wanted.is_running:
        matching = matching.filter(ends_at__isnull=False, ended_at=None)
    players = Prefetch("players", IncidentPlayer.objects.select_related("player").order_by("id"))
    rows = list(matching.prefetch_related(players).order_by("-id")[:INCIDENTS_ON_A_PAGE])
    names = staff_names(row.by_id for row in rows)
    return [
        IncidentLine(
            incident=row,
            players=[(each.player.nickname, each.seat_number) for each in row.players.all()],
            by=names.get(row.by_id, "?"),
            text=row.note.text if row.note else "",
        )
        for row in rows
    ]


def may_be_meant(table: Table, hand: Hand | None, *, text: str = "", chosen: Iterable[int] = ()) -> list[Player]:
    """
    Return who else than those who sit there may be meant by an incident at a table: first the players `chosen` before,
    then whom `text` finds; without one, who was dealt into the hand or has left the table on its day.

    Four queries; three for a text.
    """
    players = Player.objects.filter(room_id=table.room_id, erased_at=None, merged_into=None)
    sitting = set(Seating.objects.filter(table=table, left_at=None).values_list("player_id", flat=True))
    meant = list(players.filter(id__in=chosen).order_by("nickname"))
    if text:
        meant += find_players(table.room_id, text, limit=FOUND)
    else:
        dealt_in = set(HandSeat.objects.filter(hand=hand).values_list("player_id", flat=True)) if hand else set()
        gone = {seating.player_id for seating in departures(table)}
        meant += players.filter(id__in=dealt_in | gone).order_by("nickname")
    return list({each.pk: each for each in meant if each.pk not in sitting}.values())
