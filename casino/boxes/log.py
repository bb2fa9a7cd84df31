"""
What the log has put into boxes: read from the postings on the tables' accounts.

Whoever posts there, hangs or drops holds the table's lock, so the postings of an account stand in the order of their
ids, and a box has those between its two places (`Box.hung_after`, `dropped_after`). What counts took out is none of it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import LiteralString

from django.db import connection
from django.db.models import QuerySet

from casino.boxes.models import Box
from tables.models import BoxDifference

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
# What lies there besides, of hands that were undone or voided while it hung; less what it had of them already.
BEYOND: LiteralString = """
    (SELECT coalesce(sum(beyond.cents), 0)::bigint FROM tables_boxdifference beyond
        WHERE beyond.table_id = box.table_id AND beyond.kind = box.charge AND beyond.reason <> 'counted'
            AND beyond.place > box.hung_after AND (box.dropped_after IS NULL OR beyond.place <= box.dropped_after))
"""
_EXPECTED: LiteralString = """
    SELECT (SELECT coalesce(sum(posting.cents), 0)::bigint {in_box}), {beyond} FROM boxes_box box WHERE box.id = %s
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


@dataclass(frozen=True)
class Expected:
    """
    What lies in a box, in cents: what the log put there, and what is known to lie there beyond it since hands were
    undone or voided while it hung. Nobody is told before it is counted.
    """

    logged: int
    beyond: int

    @property
    def cents(self) -> int:
        return self.logged + self.beyond


def expected_in(box: Box) -> Expected:
    """Return what lies in a box, as far as is known. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_EXPECTED.format(in_box=IN_BOX, beyond=BEYOND), [box.pk])
        logged, beyond = cursor.fetchone()
    return Expected(int(logged), int(beyond))


def beyond_of(box: Box) -> QuerySet[BoxDifference]:
    """Return what is noted to lie in a dropped box beyond the log, whether or not it was counted."""
    found = BoxDifference.objects.filter(table=box.table_id, kind=box.charge)
    return found.filter(place__gt=box.hung_after, place__lte=box.dropped_after)


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
