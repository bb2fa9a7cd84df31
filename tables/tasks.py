"""What time does to the tables: it ends calls, penalties and bans, lets rule books hold, and measures the lists."""

import logging
import uuid
from collections.abc import Callable
from datetime import datetime

from celery import shared_task

from casino import clock
from casino.commands.frame import Actor, Command
from casino.errors import Refusal
from casino.people.permissions import Role, may_of
from casino.rooms.models import NextBook
from tables.models import Incident, Seating, Waiting, WaitingList
from tables.services.bans import due_bans, let_ban_end
from tables.services.books import due_books, let_book_hold
from tables.services.calls import due_calls, let_call_run_out
from tables.services.incidents import due_penalties, let_penalty_run_out
from tables.services.turnover import due_measures, measure_turnover

# Each is done once, whichever worker is first: its command has an id of its own.
_CALLS = uuid.UUID("5a4f35b0-3f0c-4b6e-9c51-5f1f1d2c7a10")
_MEASURES = uuid.UUID("0e1a5c52-7d3b-4b1f-8f5e-1c8a3c2b9d47")
_BANS = uuid.UUID("6b7f2a0e-52f4-4c0c-9a55-0f4b8a1c7d33")
_PENALTIES = uuid.UUID("0d0e6a0c-3b0c-4c55-8a52-64f6f7f4f1c1")
logger = logging.getLogger(__name__)


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]  # Celery has no types
def wake() -> None:
    """Do what is due; each row is looked at again before anything is done to it."""
    at = clock.now()
    for step in (wake_calls, wake_books, wake_measures, wake_penalties, wake_bans):
        _on_its_own(step, at=at)


def wake_calls(*, at: datetime) -> None:
    """Let every call go that has run out by then."""
    for waiting_id in due_calls(at=at):
        _on_its_own(_wake_call, waiting_id, at=at)


def _wake_call(waiting_id: int, *, at: datetime) -> None:
    entry = Waiting.objects.get(id=waiting_id)
    command = _command(entry.room_id, uuid.uuid5(_CALLS, f"{entry.pk} {entry.version}"), at)
    let_call_run_out(command, waiting_id=waiting_id)


def wake_books(*, at: datetime) -> None:
    """Let every signed rule book hold whose moment has come by then; where one cannot, its page says why."""
    for book_id in due_books(at=at):
        _on_its_own(_wake_book, book_id, at=at)


def _wake_book(book_id: int, *, at: datetime) -> None:
    found = NextBook.objects.get(id=book_id)
    let_book_hold(_command(found.room_id, found.holding_id, at), next_book_id=book_id)


def wake_measures(*, at: datetime) -> None:
    """Count anew how fast the lists move on which somebody waits."""
    for each in due_measures(at=at):
        _on_its_own(_wake_measure, each, at=at)


def _wake_measure(each: WaitingList, *, at: datetime) -> None:
    command = _command(each.room_id, uuid.uuid5(_MEASURES, f"{each.pk} {each.measured_at}"), at)
    measure_turnover(command, list_id=each.pk)


def wake_penalties(*, at: datetime) -> None:
    """End every penalty whose time is over by then."""
    for incident_id in due_penalties(at=at):
        _on_its_own(_wake_penalty, incident_id, at=at)


def _wake_penalty(incident_id: int, *, at: datetime) -> None:
    room_id = Incident.objects.values_list("room_id", flat=True).get(id=incident_id)
    let_penalty_run_out(_command(room_id, uuid.uuid5(_PENALTIES, str(incident_id)), at), incident_id=incident_id)


def wake_bans(*, at: datetime) -> None:
    """Deal everybody in again who still sits there and whose ban is over by then."""
    for each in due_bans(at=at):
        _on_its_own(_wake_ban, each, at=at)


def _wake_ban(each: Seating, *, at: datetime) -> None:
    command_id = uuid.uuid5(_BANS, f"{each.pk} {each.version}")
    let_ban_end(_command(each.room_id, command_id, at), player_id=each.player_id)


def _on_its_own(act: Callable[..., None], *row: object, at: datetime) -> None:
    """Do one thing that is due; whatever comes of it holds up nothing else that is, in this room or another."""
    try:
        act(*row, at=at)
    except Refusal:
        # Somebody was faster, or the page says what is wrong.
        return
    except Exception:
        logger.exception("not woken", extra={"act": act.__name__, "row": [str(each) for each in row]})


def _command(room_id: int, command_id: uuid.UUID, at: datetime) -> Command:
    by = Actor(room_id=room_id, staff_id=None, may=may_of({Role.TIME}))
    return Command(id=command_id, by=by, tapped_at=at, at=at)
