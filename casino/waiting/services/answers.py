"""
What a player answers from their own phone: on my way, more time please, drop me.

The phone holds a pass and acts for its player alone. It asks: a seat is held by the floor's tap, never by the player's.
"""

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound
from casino.people.errors import PassEnded
from casino.people.models import PlayerPass
from casino.waiting.models import Waiting
from casino.waiting.services.state import called_entry, end_entry, list_done, locked_entry, save_entry


@service("waiting.say_on_the_way")
def say_on_the_way(command: Command, *, waiting_id: int) -> Outcome:
    """
    Say that the called player is on the way; the floor sees it, and the call runs on (H2.6).

    :raises PassEnded: the pass no longer holds.
    :raises NotFound: the entry is not this player's.
    :raises NotOnList, NotCalled: the call has ended.
    """
    held = _own_pass(command, waiting_id)
    waiting_list, entry = called_entry(command, waiting_id)
    if entry.on_the_way_at is None:
        entry.on_the_way_at = command.at
        save_entry(entry, "on_the_way_at")
    return list_done(waiting_list, entry, data={"pass": held}, table=entry.table)


@service("waiting.ask_more_time")
def ask_more_time(command: Command, *, waiting_id: int) -> Outcome:
    """
    Ask the floor for more time: a request that stands on its screen; the deadline stays as it is (H2.6). Once the floor
    has said no, that holds for this call.

    :raises PassEnded, NotFound, NotOnList, NotCalled: as `say_on_the_way`.
    """
    held = _own_pass(command, waiting_id)
    waiting_list, entry = called_entry(command, waiting_id)
    if entry.asks_more_at is None and not entry.is_more_refused:
        entry.asks_more_at = command.at
        save_entry(entry, "asks_more_at")
    return list_done(waiting_list, entry, data={"pass": held}, table=entry.table)


@service("waiting.drop_by_phone")
def drop_by_phone(command: Command, *, waiting_id: int) -> Outcome:
    """
    Take the player off one list, called or waiting, by their own wish.

    :raises PassEnded, NotFound: as `say_on_the_way`.
    :raises NotOnList: the player no longer waits.
    """
    held = _own_pass(command, waiting_id)
    waiting_list, entry = locked_entry(command, waiting_id)
    table = end_entry(command, entry, Waiting.Status.DROPPED, why="by_phone")
    return list_done(waiting_list, entry, data={"pass": held}, table=table)


def _own_pass(command: Command, waiting_id: int) -> int:
    """
    Return the id of the pass that gave the command, whose player's the entry is.

    :raises PassEnded: it holds no longer. :raises NotFound: the entry is somebody else's.
    """
    kind, pass_id = command.by.place or ("", 0)
    held = PlayerPass.objects.filter(id=pass_id, room_id=command.room_id, revoked_at=None, day__closed_at=None)
    player_id = held.values_list("player_id", flat=True).first() if kind == "pass" else None
    if player_id is None:
        raise PassEnded
    if not Waiting.objects.filter(id=waiting_id, player_id=player_id).exists():
        raise NotFound(what="waiting")
    return pass_id
