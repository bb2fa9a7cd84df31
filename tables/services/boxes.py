"""What lies in a table's boxes beyond the log, and when the log has it again."""

from datetime import datetime
from uuid import UUID

from django.db.models import Sum

from casino.commands.carrying_out import Command
from casino.rows import Change, Insert
from tables.models import BoxDifference, Hand, Table, ToDo
from tables.services.state import nothing_left_to_judge

LOGGED_AGAIN = "logged_again"


def left_in_boxes(row: Hand, table: Table, *, reason: str, at: datetime) -> list[Change]:
    """
    Return what notes that chips of a hand that has ended lie in the boxes, and are in no log any more. One query.

    The floor judges it, unless the hand is logged again.
    """
    taken = dict(row.charges.filter(taken_cents__gt=0).order_by("id").values_list("kind", "taken_cents"))
    if not taken:
        return []
    differences = [
        BoxDifference(room_id=row.room_id, table=table, hand=row, kind=kind, cents=cents, reason=reason, at=at)
        for kind, cents in taken.items()
    ]
    todo = ToDo(
        room_id=row.room_id,
        table=table,
        kind=ToDo.Kind.BOX_DIFFERS,
        data={"hand": row.number, "hand_row": row.pk, "beyond": taken},
        raised_at=at,
    )
    return [Insert(differences), Insert([todo])]


def taken_over(hand_id: UUID | None, *, table: Table, command: Command) -> list[Change]:
    """
    Return what closes the differences of an undone hand that is logged again: the new log has what lies there.

    Nothing where no hand of that id was undone here, or another log has it already. One query, none without an id; one
    statement more takes it off the to-do.
    """
    if hand_id is None:
        return []
    undone = BoxDifference.objects.filter(table=table, hand__hand_id=hand_id, hand__status=Hand.Status.UNDONE)
    left = undone.values_list("hand_id", "kind").annotate(left=Sum("cents")).exclude(left=0).order_by("kind")
    closing = [
        BoxDifference(
            room_id=table.room_id, table=table, hand_id=row, kind=kind, cents=-cents, reason=LOGGED_AGAIN, at=command.at
        )
        for row, kind, cents in left
    ]
    for row in {each.hand_id for each in closing}:
        nothing_left_to_judge(row, table_id=table.pk, command=command)
    return [Insert(closing)] if closing else []
