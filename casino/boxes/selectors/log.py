"""
What the log has put into boxes: read from the postings on the tables' accounts.

Whoever posts there, hangs or drops holds the table's lock, so the postings of an account stand in the order of their
ids, and a box has those between its two places (`Box.hung_after`, `dropped_after`). What counts took out is none of it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

from django.db import connection
from django.db.models import QuerySet

from casino.boxes.models import Box
from tables import about
from tables.charges import ChargeKind
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
# Of a hand it is who dealt it, whoever logged it; and who dealt there meanwhile, though no hand of theirs paid. What
# fell before any box hung there bars nobody.
_PUT_IN: LiteralString = """
    SELECT box.id FROM boxes_box box
    CROSS JOIN LATERAL (SELECT coalesce(box.dropped_at, 'infinity') AS dropped_at) until
    WHERE box.id = ANY(%s) AND (box.number IS NOT NULL OR box.hung_after > 0) AND (
        EXISTS (
            SELECT {in_box} AND coalesce(
                (SELECT dealer_id FROM tables_hand WHERE id = {hand_id}), transfer.made_by_id
            ) = ANY(%s)
        ) OR EXISTS (
            SELECT FROM tables_opening opening JOIN tables_hand hand ON hand.opening_id = opening.id
            WHERE opening.table_id = box.table_id AND opening.opened_at <= until.dropped_at
                AND (opening.closed_at IS NULL OR opening.closed_at >= box.hung_at) AND hand.dealer_id = ANY(%s)
                AND coalesce(hand.dealt_at, hand.settled_at, hand.ended_at) BETWEEN box.hung_at AND until.dropped_at
        )
    )
"""
# What fell at a place since its last box was dropped; where none ever hung, since the gaming day of now.
_LOOSE: LiteralString = """
    SELECT held.owner_id, kind.charge, begun.after, lies.cents, held.balance_cents, begun.has_hung, (
        SELECT coalesce(sum(beyond.cents), 0)::bigint FROM tables_boxdifference beyond
        WHERE beyond.table_id = held.owner_id AND beyond.kind = kind.charge AND beyond.reason <> 'counted'
            AND beyond.place > begun.after
    )
    FROM unnest(%(charges)s::text[], %(accounts)s::text[]) kind (charge, account)
    JOIN ledger_account held ON held.room_id = %(room)s AND held.owner_kind = 'table' AND held.kind = kind.account
        AND held.owner_id = ANY(%(tables)s)
    CROSS JOIN LATERAL (
        SELECT max(box.dropped_after) AS dropped FROM boxes_box box
        WHERE box.table_id = held.owner_id AND box.account = held.kind AND box.taken_back_at IS NULL
    ) last
    CROSS JOIN LATERAL (
        SELECT last.dropped IS NOT NULL AS has_hung, coalesce(last.dropped, (
            SELECT posting.id FROM ledger_posting posting
            JOIN ledger_transfer transfer ON transfer.id = posting.transfer_id
            WHERE posting.account_id = held.id
                AND transfer.day_id < (SELECT max(id) FROM rooms_gamingday WHERE room_id = %(room)s)
            ORDER BY posting.id DESC LIMIT 1
        ), (SELECT min(posting.id) - 1 FROM ledger_posting posting WHERE posting.account_id = held.id), 0) AS after
    ) begun
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(posting.cents), 0)::bigint AS cents FROM ledger_posting posting
        JOIN ledger_transfer transfer ON transfer.id = posting.transfer_id AND transfer.kind <> 'box_counted'
        WHERE posting.account_id = held.id AND posting.id > begun.after
    ) lies
"""
# Of the boxes that hang those into which the log has put something. What was put right while none hung there, and came
# to nothing, is theirs too (`hang_box`), and lies in none.
_HAVE_CHIPS: LiteralString = """
    SELECT box.id FROM boxes_box box WHERE box.room_id = %s AND box.id = ANY(%s)
        AND EXISTS (SELECT {in_box} AND transfer.at >= box.hung_at)
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
    beyond = BoxDifference.objects.filter(table=box.table_id, kind=box.charge)
    return beyond.filter(place__gt=box.hung_after, place__lte=box.dropped_after)


def has_put_in(box: Box, staff_ids: Collection[int]) -> bool:
    """Say whether one of these persons dealt while a dropped box hung, or put something else into it. One query."""
    return bool(put_in_by([box.pk], staff_ids))


def put_in_by(box_ids: Collection[int], staff_ids: Collection[int]) -> set[int]:
    """
    Return those of these boxes while which one of these persons dealt, until now where it hangs, or into which they put
    something else. One query.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            _PUT_IN.format(in_box=IN_BOX, hand_id=about.HAND), [list(box_ids), list(staff_ids), list(staff_ids)]
        )
        return {box_id for (box_id,) in cursor.fetchall()}


@dataclass(frozen=True)
class InNoBox:
    """
    What lies at a place in no box, in cents: all that fell after the posting `after`. `before` is what fell on earlier
    days at a place where no box ever hung, 0 elsewhere.
    """

    after: int = 0
    cents: int = 0
    before: int = 0


def loose_at(room_id: int, kinds: Sequence[ChargeKind], table_ids: Sequence[int]) -> dict[tuple[int, str], InNoBox]:
    """Return what lies in no box where none hangs, by (table id, kind of charge). One query."""
    params: dict[str, Any] = {
        "room": room_id,
        "charges": [kind.code for kind in kinds],
        "accounts": [kind.box for kind in kinds],
        "tables": list(table_ids),
    }
    with connection.cursor() as cursor:
        cursor.execute(_LOOSE, params)
        return {
            (table_id, charge): InNoBox(after, cents + beyond, 0 if has_hung else balance - cents)
            for table_id, charge, after, cents, balance, has_hung, beyond in cursor.fetchall()
        }


def with_chips(room_id: int, box_ids: Sequence[int]) -> set[int]:
    """Return those of these boxes into which the log has put something. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_HAVE_CHIPS.format(in_box=IN_BOX), [room_id, list(box_ids)])
        return {box_id for (box_id,) in cursor.fetchall()}
