"""What the log has about one and the same hand: as it was logged, undone and logged again, corrected."""

from uuid import UUID

from tables.models import Hand, Table

# UNION and not UNION ALL: each row leads back to where it was come from, and only what is new goes on.
_LOG = """
    WITH RECURSIVE log AS (
        SELECT id, corrects_id, again_of_id FROM tables_hand WHERE id = %s
        UNION
        SELECT other.id, other.corrects_id, other.again_of_id FROM tables_hand other JOIN log
            ON other.corrects_id = log.id OR other.again_of_id = log.id
            OR other.id = log.corrects_id OR other.id = log.again_of_id
    )
    SELECT * FROM tables_hand WHERE id IN (SELECT id FROM log) ORDER BY id
"""


def log_of(hand_row_id: int) -> list[Hand]:
    """
    Return all rows about the hand of this row, oldest first: the last one is the hand as the log has it now.

    By what each row says of another, never by its number, which an undo gives to another hand. One query.
    """
    return list(Hand.objects.raw(_LOG, [hand_row_id]))


def undone_hand(table: Table, hand_id: UUID | None) -> Hand | None:
    """
    Return the undone hand of a table by the id from its tablet, which another one logs again.

    None where no hand of that id was undone here, or another log has it already. One query, none without an id.
    """
    if hand_id is None:
        return None
    undone = Hand.objects.filter(table=table, hand_id=hand_id, status=Hand.Status.UNDONE)
    undone = undone.exclude(id__in=Hand.objects.filter(table=table, again_of__isnull=False).values("again_of"))
    hand = undone.select_related("opening__game").first()
    if hand is not None and table.opening is not None and hand.opening_id == table.opening_id:
        # One and the same row: what the next hand begins with is noted there.
        hand.opening = table.opening
    return hand
