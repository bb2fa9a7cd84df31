"""
What the log has put into boxes: read from the postings on the tables' accounts.

Whoever posts there, hangs or drops holds the table's lock, so the postings of an account stand in the order of their
ids, and a box has those between its two places (`Box.hung_after`, `dropped_after`). What counts took out is none of it.
"""

from collections.abc import Collection, Sequence
from typing import LiteralString

from django.db import connection

from casino.boxes.models import Box
from casino.ledger.models import Posting
from tables.chart import OWNER

# The kind of the transfers by which counts empty boxes.
COUNTED = "box_counted"

IN_BOX: LiteralString = """
    FROM ledger_account account
    JOIN ledger_posting posting ON posting.account_id = account.id AND posting.id > box.hung_after
        AND (box.dropped_after IS NULL OR posting.id <= box.dropped_after)
    JOIN ledger_transfer transfer ON transfer.id = posting.transfer_id AND transfer.kind <> 'box_counted'
    WHERE account.room_id = box.room_id AND account.owner_kind = 'table' AND account.owner_id = box.table_id
        AND account.kind = box.account
"""
_LOGGED: LiteralString = """
    SELECT (SELECT coalesce(sum(posting.cents), 0)::bigint {in_box}) FROM boxes_box box WHERE box.id = %s
"""
# Of a hand it is who dealt it, whoever logged it.
_PUT_IN: LiteralString = """
    SELECT EXISTS (
        SELECT FROM boxes_box box WHERE box.id = %s AND EXISTS (
            SELECT {in_box} AND coalesce(
                (SELECT dealer_id FROM tables_hand WHERE id = (transfer.about ->> 'hand')::bigint), transfer.made_by_id
            ) = ANY(%s)
        )
    )
"""
# What lies on an account and in no box that hangs or waits.
_LOOSE: LiteralString = """
    SELECT held.owner_id, held.kind, held.balance_cents - coalesce((
        SELECT sum((SELECT coalesce(sum(posting.cents), 0) {in_box})) FROM boxes_box box
        WHERE box.table_id = held.owner_id AND box.account = held.kind AND NOT box.is_counted
            AND box.taken_back_at IS NULL
    ), 0)::bigint
    FROM ledger_account held
    WHERE held.room_id = %s AND held.owner_kind = 'table' AND held.kind = ANY(%s) AND held.owner_id = ANY(%s)
"""


def newest_posting(room_id: int, table_id: int, account: str) -> int:
    """Return the place in the log where a locked table's account stands now, 0 where nothing was posted. One query."""
    found = Posting.objects.filter(
        account__room_id=room_id, account__owner_kind=OWNER, account__owner_id=table_id, account__kind=account
    )
    return found.order_by("-id").values_list("id", flat=True).first() or 0


def logged_cents(box: Box) -> int:
    """Return what the log has put into a box. One query. Nobody is told before it is counted."""
    with connection.cursor() as cursor:
        cursor.execute(_LOGGED.format(in_box=IN_BOX), [box.pk])
        return int(cursor.fetchone()[0])


def has_put_in(box: Box, staff_ids: Collection[int]) -> bool:
    """Say whether one of these persons dealt a hand that paid into the box, or put something else there. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_PUT_IN.format(in_box=IN_BOX), [box.pk, list(staff_ids)])
        return bool(cursor.fetchone()[0])


def loose_cents(room_id: int, accounts: Sequence[str], table_ids: Sequence[int]) -> dict[tuple[int, str], int]:
    """Return what lies on tables' accounts and in no box, in cents by (table id, account). One query."""
    with connection.cursor() as cursor:
        cursor.execute(_LOOSE.format(in_box=IN_BOX), [room_id, list(accounts), list(table_ids)])
        return {(table_id, account): int(cents) for table_id, account, cents in cursor.fetchall()}
