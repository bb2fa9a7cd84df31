"""What time does to the tables: it ends penalties and bans, and lets rule books hold."""

import uuid
from datetime import datetime

from celery import shared_task

from casino import clock
from casino.people.waking import command_of_time, on_its_own
from casino.rooms.models import NextBook
from tables.models import Incident, Seating
from tables.services.bans import due_bans, let_ban_end
from tables.services.books import due_books, let_book_hold
from tables.services.incidents import due_penalties, let_penalty_run_out

# Each is done once, whichever worker is first: its command has an id of its own.
_BANS = uuid.UUID("6b7f2a0e-52f4-4c0c-9a55-0f4b8a1c7d33")
_PENALTIES = uuid.UUID("0d0e6a0c-3b0c-4c55-8a52-64f6f7f4f1c1")


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]  # Celery has no types
def wake() -> None:
    """Do what is due; each row is looked at again before anything is done to it."""
    at = clock.now()
    for step in (wake_books, wake_penalties, wake_bans):
        on_its_own(step, at=at)


def wake_books(*, at: datetime) -> None:
    """Let every signed rule book hold whose moment has come by then; where one cannot, its page says why."""
    for book_id in due_books(at=at):
        on_its_own(_wake_book, book_id, at=at)


def _wake_book(book_id: int, *, at: datetime) -> None:
    next_book = NextBook.objects.get(id=book_id)
    let_book_hold(command_of_time(next_book.room_id, next_book.holding_id, at), next_book_id=book_id)


def wake_penalties(*, at: datetime) -> None:
    """End every penalty whose time is over by then."""
    for incident_id in due_penalties(at=at):
        on_its_own(_wake_penalty, incident_id, at=at)


def _wake_penalty(incident_id: int, *, at: datetime) -> None:
    room_id = Incident.objects.values_list("room_id", flat=True).get(id=incident_id)
    let_penalty_run_out(command_of_time(room_id, uuid.uuid5(_PENALTIES, str(incident_id)), at), incident_id=incident_id)


def wake_bans(*, at: datetime) -> None:
    """Deal everybody in again who still sits there and whose ban is over by then."""
    for each in due_bans(at=at):
        on_its_own(_wake_ban, each, at=at)


def _wake_ban(each: Seating, *, at: datetime) -> None:
    # By version: another ban of the same seating ends too.
    command_id = uuid.uuid5(_BANS, f"{each.pk} {each.version}")
    let_ban_end(command_of_time(each.room_id, command_id, at), player_id=each.player_id)
