"""What time does to the lists: it ends calls, and measures how fast the lists move."""

import uuid
from datetime import datetime

from celery import shared_task

from casino import clock
from casino.people.waking import command_of_time, on_its_own
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.services.after_call import due_calls, let_call_run_out
from casino.waiting.services.turnover import due_measures, measure_turnover

# Each is done once, whichever worker is first: its command has an id of its own.
_CALLS = uuid.UUID("5a4f35b0-3f0c-4b6e-9c51-5f1f1d2c7a10")
_MEASURES = uuid.UUID("0e1a5c52-7d3b-4b1f-8f5e-1c8a3c2b9d47")


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]  # Celery has no types
def wake() -> None:
    """Do what is due; each row is looked at again before anything is done to it."""
    at = clock.now()
    for step in (wake_calls, wake_measures):
        on_its_own(step, at=at)


def wake_calls(*, at: datetime) -> None:
    """Let every call go that has run out by then."""
    for waiting_id in due_calls(at=at):
        on_its_own(_wake_call, waiting_id, at=at)


def _wake_call(waiting_id: int, *, at: datetime) -> None:
    entry = Waiting.objects.get(id=waiting_id)
    command = command_of_time(entry.room_id, uuid.uuid5(_CALLS, f"{entry.pk} {entry.version}"), at)
    let_call_run_out(command, waiting_id=waiting_id)


def wake_measures(*, at: datetime) -> None:
    """Count anew how fast the lists move on which somebody waits."""
    for each in due_measures(at=at):
        on_its_own(_wake_measure, each, at=at)


def _wake_measure(each: WaitingList, *, at: datetime) -> None:
    command = command_of_time(each.room_id, uuid.uuid5(_MEASURES, f"{each.pk} {each.measured_at}"), at)
    measure_turnover(command, list_id=each.pk)
