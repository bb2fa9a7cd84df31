"""Whom the floor may want to seat: those who played last, or whose nickname is being typed."""

from dataclasses import dataclass

from casino.people.models import Player
from casino.people.selectors import find_players
from tables.models import Seating, Table

SHOWN = 12
SITTINGS_LOOKED_AT = 200


@dataclass(frozen=True)
class Candidate:
    """
    A player who could sit down; `sits_at` is the number of a table where they sit already, `seating_id` that seating.
    """

    player: Player
    sits_at: int | None
    seating_id: int | None = None


def candidates(room_id: int, table: Table | None, text: str) -> list[Candidate]:
    """
    Return players for an empty seat, or for a list (`table` None), at most twelve: the last regulars, or those that
    `text` finds.

    Whoever sits at this table is left out; whoever sits elsewhere comes last. Three queries, one more where
    few regulars stand.
    """
    found_there = Seating.objects.filter(room_id=room_id, left_at=None).values_list("player_id", "table__number", "id")
    sitting = {player_id: (number, seating_id) for player_id, number, seating_id in found_there}
    here = {player_id for player_id, (number, _) in sitting.items() if table is not None and number == table.number}
    # More than are shown, for who sits at this table is left out.
    players = find_players(room_id, text, limit=SHOWN + 12) if text else _regulars(room_id, set(sitting))
    candidates_there = [
        Candidate(player, *sitting.get(player.pk, (None, None))) for player in players if player.pk not in here
    ]
    return sorted(candidates_there, key=lambda candidate: candidate.sits_at is not None)[:SHOWN]


def _regulars(room_id: int, sitting: set[int]) -> list[Player]:
    """Return who sat down last in this room, newest first; where too few of them stand, the first by name too."""
    sittings = Seating.objects.filter(room_id=room_id, player__erased_at=None, player__merged_into=None).order_by("-id")
    # Of years of sittings only the last: people change seats, but not that often.
    newest = sittings.select_related("player")[:SITTINGS_LOOKED_AT]
    regulars = list({seating.player_id: seating.player for seating in newest}.values())
    known = {player.pk for player in regulars}
    if len(known - sitting) < SHOWN:
        players = Player.objects.filter(room_id=room_id, erased_at=None, merged_into=None).order_by("nickname", "id")
        regulars += players.exclude(pk__in=known)[:SHOWN]
    return regulars
