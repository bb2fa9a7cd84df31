"""
Time removes what is kept about people for longer than the book says.

Under the lock of whoever it is about, so that nothing goes while an inquiry is being opened. It waits for nobody: whose
row is locked just now is looked at again tomorrow. So it makes no ring with a command that locks two players.
"""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from casino.audit.models import Event
from casino.commands.carrying_out import DONE, Command, Outcome, service
from casino.people.inquiries import held_by_inquiry, staff_held_by_inquiry
from casino.people.kept import Retention, kinds
from casino.people.models import Player, Staff
from casino.people.standing import persons_of
from casino.rooms.selectors import rule_book_in_force

CHAIN = "kept_data"
# So many rows of a kind are looked at in one transaction: nobody has to wait for it.
BATCH = 200


@service("people.forget_by_time")
def forget_by_time(command: Command, *, number: int) -> Outcome:
    """
    Remove what is past its time, of each kind a batch; whether there may be `more` is said, and then comes the next
    `number`. It goes on where the log says that the one before ended.

    What somebody is held by keeps it: an inquiry everything, a ban, a debt or a seat who they are. A kind of which
    nobody is told goes with the first batch, all of it, and the log has no number of it.
    """
    version_id, book = rule_book_in_force(command.room_id, at=command.at)
    begun = _held_until_now(command.room_id) if number else None
    if begun is None:
        # Who left while a server of before still ran has no such moment: their time counts from now.
        Staff.objects.filter(room_id=command.room_id, is_active=False, left_at=None).update(left_at=command.at)
    removed: dict[str, int] = {}
    # Of a kind of which there may be more: how many rows stay, before those that come next.
    held: dict[str, int] = {}
    for kind in kinds():
        if kind.retention is None or (begun is not None and kind.code not in begun):
            continue
        before = command.at - timedelta(days=kind.retention.days(book.peoples_data))
        if kind.count is None:
            _remove_all_due(command, kind.retention, before)
            continue
        first = begun[kind.code] if begun else 0
        looked_at, removed[kind.code] = _remove_due(command, kind.retention, before, first)
        if looked_at == BATCH:
            held[kind.code] = first + looked_at - removed[kind.code]
    data = {"removed": removed, "records": sum(removed.values()), "held": held, "more": bool(held)}
    return Outcome(chain=CHAIN, data=data, rule_book_version_id=version_id)


def _held_until_now(room_id: int) -> dict[str, int]:
    """Return how many due rows the batches before have left: counted, for the log says of nobody that they are due."""
    last = Event.objects.filter(room_id=room_id, chain=CHAIN, result=DONE).latest("id")
    held: dict[str, int] = json.loads(last.text)["data"].get("held", {})
    return held


def _remove_all_due(command: Command, retention: Retention, before: datetime) -> None:
    first, looked_at = 0, BATCH
    while looked_at == BATCH:
        looked_at, gone = _remove_due(command, retention, before, first)
        first += looked_at - gone


def _remove_due(command: Command, retention: Retention, before: datetime, first: int) -> tuple[int, int]:
    """Return how many rows were looked at, from the `first` on, and how many of them went."""
    rows = (
        retention.due(command.room_id, before)
        .order_by("pk")
        .values_list("pk", *retention.about, *retention.about_staff)
    )
    batch = list(rows[first : first + BATCH])
    going = _free(command, retention, batch, before) if batch else []
    if going:
        retention.remove(going, command.at)
    return len(batch), len(going)


def _free(command: Command, retention: Retention, rows: Sequence[Any], before: datetime) -> list[Any]:
    """Return the ids of those rows whose people are locked now, and that nothing holds."""
    ends = 1 + len(retention.about)
    people = {row[0]: _ids_in(row[1:ends]) for row in rows}
    # Staff are locked before players (docs/architecture.md).
    staff = {row[0]: _ids_in(row[ends:]) for row in rows}
    free_staff = _free_staff(command, {each for ids in staff.values() for each in ids})
    persons = persons_of({each for ids in people.values() for each in ids})
    # Who is being served just now is passed by, and due again the next time: no desk waits for this.
    locked = Player.objects.select_for_update(no_key=True, skip_locked=True).filter(id__in=set(persons.values()))
    free = set(locked.order_by("id").values_list("id", flat=True))
    free -= held_by_inquiry(free, at=command.at)
    going = [
        row_id
        for row_id, ids in people.items()
        if staff[row_id] <= free_staff and all(persons.get(each) in free for each in ids)
    ]
    # As they stand under the lock: somebody may just have come back.
    still_due = retention.due(command.room_id, before).filter(pk__in=going).values_list("pk", flat=True)
    return [row_id for row_id in still_due.order_by("pk") if retention.may_go(row_id, command.at)]


def _free_staff(command: Command, staff_ids: set[int]) -> set[int]:
    if not staff_ids:
        return set()
    rows = Staff.objects.select_for_update(no_key=True, skip_locked=True).filter(id__in=staff_ids)
    free = set(rows.order_by("id").values_list("id", flat=True))
    return free - staff_held_by_inquiry(free, at=command.at)


def _ids_in(columns: Sequence[Any]) -> set[int]:
    ids = {each for column in columns for each in (column if isinstance(column, list) else [column])}
    # A row may be about nobody by name.
    return ids - {None}
