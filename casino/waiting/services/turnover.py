"""How fast seats of a game come free: counted while somebody waits for it, and kept with its age."""

from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, Q

from casino.commands.carrying_out import Command, Outcome, service
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.selectors.phones import phones_on_list
from casino.waiting.services.state import lock_list
from tables.audiences import ROOM

# What happened longer ago was another evening of the room's.
LOOKS_BACK = timedelta(hours=3)
MEASURED_EVERY = timedelta(minutes=5)

# A seat came free when its player left and the table went on: who sits down again at the same game, has only moved.
_OPENED = """
SELECT min(opening.opened_at), count(seating.id)
FROM tables_opening opening
JOIN tables_game game ON game.id = opening.game_id
JOIN rooms_gamingday day ON day.id = opening.day_id AND day.closed_at IS NULL
LEFT JOIN tables_seating seating ON seating.opening_id = opening.id
    AND seating.left_at > %(since)s AND seating.left_at <= %(at)s
    AND (opening.closed_at IS NULL OR opening.closed_at > seating.left_at + interval '10 minutes')
    AND NOT EXISTS (
        SELECT FROM tables_seating other
        JOIN tables_opening there ON there.id = other.opening_id
        JOIN tables_game played ON played.id = there.game_id AND played.name = game.name
        WHERE other.player_id = seating.player_id AND other.id > seating.id
        AND other.sat_down_at <= seating.left_at + interval '10 minutes'
    )
WHERE opening.room_id = %(room_id)s AND game.name = %(name)s
    AND (opening.closed_at IS NULL OR opening.closed_at > %(since)s)
"""


@service("waiting.measure_turnover")
def measure_turnover(command: Command, *, list_id: int) -> Outcome:
    """
    Count the seats of a list's game that came free in the last hours, for the estimate of the wait. Time's own command.

    :raises NotFound: the room has no such list.
    """
    waiting_list = lock_list(command, list_id)
    since = command.at - LOOKS_BACK
    with connection.cursor() as cursor:
        about: dict[str, Any] = {
            "room_id": command.room_id,
            "name": waiting_list.game.name,
            "since": since,
            "at": command.at,
        }
        cursor.execute(_OPENED, about)
        opened_at, seats = cursor.fetchone()
    minutes = (command.at - max(opened_at, since)) // timedelta(minutes=1) if opened_at else 0
    waiting_list.seats_opened, waiting_list.measured_minutes = seats, max(minutes, 0)
    waiting_list.measured_at = command.at
    # The list's version stays: nothing that the floor decides on has changed.
    waiting_list.save(update_fields=["seats_opened", "measured_minutes", "measured_at"])
    return Outcome(
        chain=waiting_list.chain,
        data={"list": waiting_list.pk, "seats": seats, "minutes": waiting_list.measured_minutes},
        version=waiting_list.version,
        audiences=(*ROOM, *phones_on_list(waiting_list.pk, 0)),
    )


def due_measures(*, at: datetime) -> list[WaitingList]:
    """Return the lists on which somebody waits and whose turnover is old or was never counted."""
    waits = Waiting.objects.filter(waiting_list=OuterRef("pk"), status__in=Waiting.LIVE)
    is_old = Q(measured_at=None) | Q(measured_at__lte=at - MEASURED_EVERY)
    return list(WaitingList.objects.filter(is_old, Exists(waits)).order_by("id"))
