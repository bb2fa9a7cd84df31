"""
Time removes what is kept about people for longer than the book says.

Under the lock of whoever it is about, so that nothing goes while an inquiry is being opened. It waits for nobody: whose
row is locked just now is looked at again tomorrow. So it makes no ring with a command that locks two players.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from casino.commands.carrying_out import Command, Outcome, service
from casino.people.inquiries import held_by_inquiry
from casino.people.kept import Retention, kinds
from casino.people.models import Player
from casino.rooms.selectors import rule_book_in_force

CHAIN = "kept_data"
# As much goes in one transaction as nobody has to wait for.
BATCH = 200


@service("people.forget_by_time")
def forget_by_time(command: Command, *, number: int) -> Outcome:
    """
    Remove what is past its time, of each kind a batch; whether there may be `more` is said, and then comes the next
    `number`.

    What somebody is held by keeps it: an inquiry everything, a ban, a debt or a seat who they are.
    """
    version_id, book = rule_book_in_force(command.room_id, at=command.at)
    removed: dict[str, int] = {}
    has_more = False
    for kind in kinds():
        if kind.retention is None:
            continue
        before = command.at - timedelta(days=kind.retention.days(book.peoples_data))
        removed[kind.code], is_cut = _remove_due(command, kind.retention, before)
        has_more |= is_cut
    data = {"removed": removed, "records": sum(removed.values()), "more": has_more}
    return Outcome(chain=CHAIN, data=data, rule_book_version_id=version_id)


def _remove_due(command: Command, retention: Retention, before: datetime) -> tuple[int, bool]:
    """Return how many rows went, and whether it ended before all were looked at."""
    rows = retention.due(command.room_id, before).order_by("pk").values_list("pk", *retention.about)
    removed, after = 0, None
    while removed < BATCH:
        found = list((rows if after is None else rows.filter(pk__gt=after))[:BATCH])
        if not found:
            return removed, False
        after = found[-1][0]
        going = _free(command, retention, found, before)
        if going:
            retention.remove(going, command.at)
        removed += len(going)
    return removed, True


def _free(command: Command, retention: Retention, rows: Sequence[Any], before: datetime) -> list[Any]:
    """Return the ids of those rows whose players are locked now, and that nothing holds."""
    people = {row[0]: _ids_in(row[1:]) for row in rows}
    persons = _persons({each for ids in people.values() for each in ids})
    locked = Player.objects.select_for_update(no_key=True, skip_locked=True).filter(id__in=set(persons.values()))
    free = set(locked.order_by("id").values_list("id", flat=True))
    free -= held_by_inquiry(free, at=command.at)
    going = [row_id for row_id, ids in people.items() if all(persons.get(each) in free for each in ids)]
    # As they stand under the lock: somebody may just have come back.
    still_due = retention.due(command.room_id, before).filter(pk__in=going).values_list("pk", flat=True)
    return [row_id for row_id in still_due.order_by("pk") if retention.may_go(row_id, command.at)]


def _ids_in(columns: Sequence[Any]) -> set[int]:
    return {each for column in columns for each in (column if isinstance(column, list) else [column])}


def _persons(player_ids: set[int]) -> dict[int, int]:
    """Return whose record each is: what was merged is the kept one's."""
    found = Player.objects.filter(id__in=player_ids).values_list("id", "merged_into_id")
    return {each: kept or each for each, kept in found}
