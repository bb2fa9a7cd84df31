"""What time does to the log: once a minute a seal ties all chains of a room together."""

from celery import shared_task

from casino import clock
from casino.audit.services import seal
from casino.rooms.models import Room


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]  # Celery has no types
def seal_rooms() -> None:
    """Seal every room's chains."""
    for room_id in Room.objects.order_by("id").values_list("id", flat=True):
        seal(room_id=room_id, at=clock.now())
