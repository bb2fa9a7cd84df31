"""What time does to people's data: once a day in each room, what was kept for long enough goes."""

import uuid
from datetime import datetime
from zoneinfo import ZoneInfo

from celery import shared_task

from casino import clock
from casino.people.services.forgetting import forget_by_time
from casino.people.waking import command_of_time, on_its_own
from casino.rooms.models import Room

# Never another: from it the day's commands get the same ids again after a restart.
_FORGETS = uuid.UUID("3f3f0d2e-77f0-4a55-8a3c-0b8f0f6b5b21")


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]  # Celery has no types
def forget() -> None:
    """
    Remove in each room what is past its time.

    Beat asks every hour, for it begins anew with each start of the house; the first time of a day does it, and the
    others find the same commands done.
    """
    at = clock.now()
    for room in Room.objects.order_by("id"):
        on_its_own(_forget, room, at=at)


def _forget(room: Room, *, at: datetime) -> None:
    date, number, has_more = at.astimezone(ZoneInfo(room.time_zone)).date(), 0, True
    while has_more:
        command_id = uuid.uuid5(_FORGETS, f"{room.pk} {date} {number}")
        has_more = forget_by_time(command_of_time(room.pk, command_id, at), number=number).data["more"]
        number += 1
