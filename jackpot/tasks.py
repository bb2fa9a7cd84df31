"""What time does to the jackpots: where the book says so, what was dropped joins the sum at once."""

import uuid

from celery import shared_task

from casino import clock
from casino.commands.carrying_out import Actor, Command
from casino.people.permissions import Role, may_of
from casino.rooms.models import Room
from casino.rooms.selectors import open_day, rule_book_in_force
from casino.rulebooks.jackpots import Joins
from jackpot.models import Pool
from jackpot.selectors.takings import pending_by_pool
from jackpot.services.takings import add_takings

# The same in all workers: from it two that wake in one minute give one command.
_ADDS = uuid.UUID("1c7d2c3e-8a04-4b6e-9a1f-52c0f6d1b7ae")


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]  # Celery has no types
def wake() -> None:
    """In each room that is open, add what was dropped since to the sums that take it at once."""
    at = clock.now()
    for room_id in Room.objects.order_by("id").values_list("id", flat=True):
        day, (_version_id, book) = open_day(room_id), rule_book_in_force(room_id, at=at)
        codes = [each.code for each in book.jackpots if each.takings_join is Joins.AT_ONCE]
        if day is None or not codes:
            continue
        pools = Pool.objects.filter(room_id=room_id, code__in=codes).values_list("id", flat=True)
        pending = pending_by_pool(room_id, day.pk, book)
        if not any(pending.get(pool_id) for pool_id in pools):
            continue
        # Two workers in the same minute give one command.
        id_ = uuid.uuid5(_ADDS, f"{room_id} {at:%Y-%m-%d %H:%M}")
        by = Actor(room_id=room_id, staff_id=None, may=may_of([Role.TIME]))
        add_takings(Command(id=id_, by=by, tapped_at=at, at=at))
