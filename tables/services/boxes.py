"""What lies in a table's boxes beyond the log, and when the log has it again."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet, Sum

from casino.commands.carrying_out import Command
from casino.rows import Change, Insert
from tables.charges import kind_of
from tables.models import BoxDifference, Hand, Table, ToDo
from tables.owners import newest_postings
from tables.services.state import nothing_left_to_judge

LOGGED_AGAIN = "logged_again"


def left_in_boxes(row: Hand, table: Table, *, reason: str, at: datetime) -> list[Change]:
    """
    Return what notes that chips of a hand that has ended lie in the boxes, and are in no log any more. Two queries.
    What was taken back must be posted by now.

    The floor judges it, unless the hand is logged again or its box is counted.
    """
    taken = dict(row.charges.filter(taken_cents__gt=0).order_by("id").values_list("kind", "taken_cents"))
    if not taken:
        return []
    places = _places(table, taken)
    differences = [
        BoxDifference(
            room_id=row.room_id,
            table=table,
            hand=row,
            kind=kind,
            cents=cents,
            reason=reason,
            at=at,
            place=places[kind],
        )
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

    Nothing where no hand of that id was undone here, or another log has it already. What lay there lies in the box that
    hung then, though it was counted since; the log says it of the box that hangs now. One query, none without an id;
    one and a statement more where there was such a hand.
    """
    if hand_id is None:
        return []
    undone = BoxDifference.objects.filter(table=table, hand__hand_id=hand_id, hand__status=Hand.Status.UNDONE)
    undone = undone.exclude(reason=BoxDifference.COUNTED)
    by_kind = undone.values_list("hand_id", "kind").annotate(left=Sum("cents")).exclude(left=0)
    left = list(by_kind.order_by("kind"))
    places = _places(table, {kind for _row, kind, _cents in left}) if left else {}
    closing = [
        BoxDifference(
            room_id=table.room_id,
            table=table,
            hand_id=row,
            kind=kind,
            cents=-cents,
            reason=LOGGED_AGAIN,
            at=command.at,
            place=places[kind],
        )
        for row, kind, cents in left
    ]
    for row in {each.hand_id for each in closing}:
        nothing_left_to_judge(row, table_id=table.pk, command=command)
    return [Insert(closing)] if closing else []


def counted_in_box(differences: QuerySet[BoxDifference], *, command: Command) -> bool:
    """
    Close what lay in a box beyond the log, for it was counted, and say whether anything did.

    `differences` are those of one box at a table. A hand of which nothing is left leaves the to-do. One query; where
    there are any two statements more, and one for each such hand.
    """
    left = differences.values_list("room_id", "table_id", "hand_id", "kind", "place").annotate(left=Sum("cents"))
    closing = [
        BoxDifference(
            room_id=room_id,
            table_id=table_id,
            hand_id=hand_id,
            kind=kind,
            place=place,
            cents=-cents,
            reason=BoxDifference.COUNTED,
            at=command.at,
        )
        for room_id, table_id, hand_id, kind, place, cents in left.exclude(left=0).order_by("hand_id", "place")
    ]
    if not closing:
        return False
    BoxDifference.objects.bulk_create(closing)
    tables = {each.hand_id: each.table_id for each in closing}
    by_kind = BoxDifference.objects.filter(hand__in=tables).values("hand_id", "kind").annotate(left=Sum("cents"))
    open_still = set(by_kind.exclude(left=0).values_list("hand_id", flat=True))
    for hand_id in tables.keys() - open_still:
        nothing_left_to_judge(hand_id, table_id=tables[hand_id], command=command)
    return True


def _places(table: Table, kinds: Iterable[str]) -> dict[str, int]:
    """Return by kind of charge where the log of its box stands now. One query."""
    accounts = {kind: kind_of(kind).box for kind in kinds}
    newest = newest_postings(table, accounts.values())
    return {kind: newest.get(account, 0) for kind, account in accounts.items()}
