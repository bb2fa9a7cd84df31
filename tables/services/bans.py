"""A ban that ends by itself while its player still sits there: they play on, without leaving the seat for it."""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound
from casino.people.models import Exclusion
from casino.people.rules.exclusions import strictest
from casino.people.services.locks import lock_player
from casino.people.standing import newest_day_id, standing_of
from tables.audiences import MAP
from tables.models import Seating
from tables.services.protection import lock_tables_of, screens_of
from tables.services.state import save_seating


@service("tables.let_ban_end")
def let_ban_end(command: Command, *, player_id: int) -> Outcome:
    """
    Deal a player in again whose ban is over. Time's own command: it looks again whether that is so.

    :raises NotFound: no such player, or an exclusion still stands.
    """
    player = lock_player(command, player_id)
    standing = standing_of(player, day_id=newest_day_id(command.room_id))
    if strictest(standing.exclusions, command.at) is not None:
        raise NotFound(what="player")
    seatings = deal_in_again(player_id)
    data = {"player_id": player_id, "seatings": [seating.pk for seating in seatings]}
    return Outcome(chain=f"player.{player_id}", data=data, audiences=(MAP, *screens_of(seatings)))


def deal_in_again(player_id: int) -> list[Seating]:
    """Let a locked player go on where an exclusion still left them, and return those seats."""
    seatings = lock_tables_of([player_id])
    for seating in seatings:
        if seating.barred_since is not None:
            seating.barred_since = None
            save_seating(seating)
    return seatings


def due_bans(*, at: datetime) -> list[Seating]:
    """Return the seats, in every room, whose players nothing keeps from playing any more. One query."""
    stands = Exclusion.objects.filter(player=OuterRef("player"), lifted_at=None)
    holds = stands.filter(Q(kind=Exclusion.Kind.OWN) | Q(until=None) | Q(until__gt=at))
    barred = Seating.objects.filter(left_at=None, barred_since__isnull=False)
    return list(barred.filter(~Exists(holds)).order_by("id"))
