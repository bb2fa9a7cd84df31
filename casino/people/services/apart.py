"""Players whom the floor keeps apart (H1.75)."""

from collections.abc import Sequence
from itertools import combinations

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.people.elsewhere import everywhere
from casino.people.errors import AlreadyApart, SamePlayer
from casino.people.models import KeptApart
from casino.people.services.exclusions import about, watch
from casino.people.services.locks import lock_players

PLAYERS_MOST = 10


@service("people.keep_apart", private=["reason"])
def keep_apart(command: Command, *, player_ids: Sequence[int], reason: str = "") -> Outcome:
    """
    Forbid two or more players to play at one table, each with each, from now on (H1.75).

    Where two of them sit together already, the floor gets it on its to-do: a seat is not taken by itself.

    :raises SamePlayer: fewer than two.
    :raises AlreadyApart: all of them are kept apart already.
    """
    wanted = sorted(set(player_ids))
    if len(wanted) > PLAYERS_MOST:
        raise Malformed(field="player_ids")
    if len(wanted) < 2:
        raise SamePlayer
    players = lock_players(command, wanted)
    known = set(
        KeptApart.objects.filter(one_id__in=wanted, other_id__in=wanted, ended_at=None).values_list(
            "one_id", "other_id"
        )
    )
    new = [pair for pair in combinations(wanted, 2) if pair not in known]
    if not new:
        raise AlreadyApart
    for one, other in new:
        KeptApart.objects.create(
            room_id=command.room_id,
            one_id=one,
            other_id=other,
            reason=reason,
            made_at=command.at,
            made_by_id=command.staff_id,
        )
    audiences = [screen for app in everywhere() for screen in app.kept_apart(command, new)]
    for player in players.values():
        watch(player)
    return about(players[wanted[0]], audiences, players=wanted, pairs=len(new))


@service("people.end_keeping_apart")
def end_keeping_apart(command: Command, *, apart_id: int) -> Outcome:
    """
    Let two players sit at one table again. :raises NotFound: no such pair, or it has ended.
    """
    kept_apart = KeptApart.objects.filter(id=apart_id, room_id=command.room_id, ended_at=None)
    pair = kept_apart.first()
    if pair is None:
        raise NotFound(what="pair")
    players = lock_players(command, (pair.one_id, pair.other_id))
    # It was read before the players were locked: of two who end it at once the second changes nothing.
    if not kept_apart.update(ended_at=command.at, ended_by_id=command.by.staff_id):
        raise NotFound(what="pair")
    return about(players[pair.one_id], apart=pair.pk, players=[pair.one_id, pair.other_id])
