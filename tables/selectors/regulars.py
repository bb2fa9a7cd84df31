"""Whom the floor may want to seat: those who played last, or whose nickname is being typed."""

from dataclasses import dataclass

from casino.people.models import Player
from casino.people.selectors import find_players
from tables.models import Seating, Table

SHOWN = 12
SITTINGS_LOOKED_AT = 200


@dataclass(frozen=True)
class Candidate:
    """A player who could sit down; `sits_at` is the number of a table where they sit already."""

    player: Player
    sits_at: int | None


def candidates(room_id: int, table: Table, text: str) -> list[Candidate]:
    """
    Return players for an empty seat, at most twelve: the last regulars, or those that `text` finds.

    Whoever sits at this table is left out; whoever sits elsewhere comes last. Three queries.
    """
    sitting = dict(Seating.objects.filter(room_id=room_id, left_at=None).values_list("player_id", "table__number"))
    here = {player_id for player_id, number in sitting.items() if number == table.number}
    players = find_players(room_id, text, limit=SHOWN + 12) if text else _regulars(room_id)
    found = [Candidate(player, sitting.get(player.pk)) for player in players if player.pk not in here]
    return sorted(found, key=lambda candidate: candidate.sits_at is not None)[:SHOWN]


def _regulars(room_id: int) -> list[Player]:
    """Return who sat down last in this room, newest first; before anybody did, simply the first by name."""
    sittings = Seating.objects.filter(room_id=room_id, player__erased_at=None).order_by("-id")
    # Of years of sittings only the last: people change seats, but not that often.
    newest = sittings.select_related("player")[:SITTINGS_LOOKED_AT]
    regulars = list({seating.player_id: seating.player for seating in newest}.values())[: SHOWN + 12]
    if len(regulars) < SHOWN:
        known = {player.pk for player in regulars}
        players = Player.objects.filter(room_id=room_id, erased_at=None).order_by("nickname", "id")
        regulars += [player for player in players[: 2 * SHOWN] if player.pk not in known]
    return regulars
