"""What time does to answers: after two gaming days nobody asks for them again."""

from celery import shared_task

from casino.commands.carrying_out import forget_answers_of
from casino.rooms.models import GamingDay, Room

DAYS_KEPT = 2


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]  # Celery has no types
def forget_answers() -> None:
    """Forget each room's answers from before its last two gaming days."""
    for room_id in Room.objects.order_by("id").values_list("id", flat=True):
        kept = list(GamingDay.objects.filter(room_id=room_id).order_by("-id")[:DAYS_KEPT])
        # Before there are so many, nothing is forgotten: what a clock that was set back gave to "before" is tonight's.
        if len(kept) == DAYS_KEPT:
            forget_answers_of(room_id=room_id, before=kept[-1].opened_at)
