"""
The one way to move money and chips: `post`, and `reverse` to take it back.

Callers stand inside their own transaction, hold the day (`lock_open_day`) and whatever row owns the
decision. Accounts come last in the order of locks, by id.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, LiteralString

from django.db import IntegrityError, connection

from casino.audit import held
from casino.ledger.chart import CHART, PostingLine
from casino.ledger.errors import AlreadyPosted, AlreadyReversed, PromiseTooSmall
from casino.ledger.models import Account, Posting, Transfer
from casino.rooms.models import Room

# One statement, because a settling hand waits for each. Lines of one account are netted for its balance;
# accounts are locked in the order of their ids, and UPDATE alone would not promise that order. A line
# whose account was never opened finds no row, and the counts at the end tell.
# `made_in` is set by a trigger, whatever is given; the column only wants a value.
# The lines are VALUES, as many as there are: of an array PostgreSQL guesses the length, finds each time that a plan of
# its own for this one would be cheaper, and plans for longer than it posts. LIMIT keeps each account's own look-up.
_POST = """
WITH line AS (
    SELECT account.id AS account_id, given.cents, given.position
    FROM (VALUES {lines}) AS given (owner_kind, owner_id, kind, cents, position)
    JOIN LATERAL (
        SELECT id FROM ledger_account WHERE room_id = %s AND owner_kind = given.owner_kind
            AND owner_id = given.owner_id AND kind = given.kind LIMIT 1
    ) AS account ON true
), made AS (
    INSERT INTO ledger_transfer
        (room_id, day_id, kind, key, at, made_by_id, approved_by_id, table_id, about, reverses_id, made_in)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s::jsonb, %s, 0)
    RETURNING *
), written AS (
    INSERT INTO ledger_posting (transfer_id, account_id, cents)
    SELECT made.id, line.account_id, line.cents FROM made, line ORDER BY line.position
    RETURNING 1
), held AS (
    SELECT id FROM ledger_account WHERE id = ANY (ARRAY(SELECT account_id FROM line)) ORDER BY id FOR NO KEY UPDATE
), moved AS (
    UPDATE ledger_account
    SET balance_cents = balance_cents + (SELECT sum(cents) FROM line WHERE account_id = ledger_account.id)::bigint
    WHERE id = ANY (ARRAY(SELECT id FROM held))
    RETURNING 1
)
SELECT made.id, (SELECT count(*) FROM written), (SELECT count(*) FROM moved), {fingerprint} FROM made
"""


def _fingerprint(of: LiteralString, *, lines: LiteralString) -> LiteralString:
    """Return SQL for what the log says of a transfer: all of it, and its `lines`, "account:cents" in their order."""
    columns: tuple[LiteralString, ...] = (
        "id", "room_id", "day_id", "kind", "key", "made_by_id", "approved_by_id", "table_id", "reverses_id", "about",
    )  # fmt: skip
    return held.fingerprint_of(*(f"{of}.{column}" for column in columns), held.moment(f"{of}.at"), lines)


HELD = held.Held(
    kind="transfer",
    table="ledger_transfer",
    room_id="held.room_id",
    made_at="held.at",
    fingerprint=_fingerprint(
        "held",
        lines="(SELECT string_agg(account_id || ':' || cents, ',' ORDER BY id)"
        " FROM ledger_posting WHERE transfer_id = held.id)",
    ),
)
# Must agree with `HELD`: a statement does not see the postings that it writes, so it takes its own lines, in
# the order of `position`, which their ids follow.
_OF_MADE = _fingerprint(
    "made", lines="(SELECT string_agg(account_id || ':' || cents, ',' ORDER BY position) FROM line)"
)


@cache
def _post_text(lines: int) -> str:
    """Return the statement for so many lines."""
    given = ", ".join(["(%s::text, %s::bigint, %s::text, %s::bigint, %s::int)"] * lines)
    return _POST.format(lines=given, fingerprint=_OF_MADE)


def post(
    *,
    room_id: int,
    day_id: int,
    kind: str,
    lines: Sequence[PostingLine],
    key: str,
    made_by_id: int | None,
    at: datetime,
    table_id: int | None = None,
    about: Mapping[str, Any] | None = None,
    approved_by_id: int | None = None,
    reverses_id: int | None = None,
) -> int:
    """
    Move money and chips, and return the transfer's id. One statement.

    `lines` sum to zero per unit; lines of zero cents are left out. `key` names the thing posted
    ("slip.17", "hand.214") and is taken once per room. `day_id` is the locked open day. All accounts
    must have been opened (`open_accounts`).

    :raises PromiseTooSmall: a promise would go below zero. Counted places never refuse.
    :raises AlreadyPosted: the key is taken.
    :raises AlreadyReversed: `reverses_id` has been reversed.
    """
    moving = [line for line in lines if line.cents]
    assert moving, f"{kind} {key} moves nothing"
    _assert_sums_to_zero(moving)
    arguments = [
        *(
            part
            for position, line in enumerate(moving)
            for part in (line.owner_kind, line.owner_id, line.kind, line.cents, position)
        ),
        room_id,
        *(room_id, day_id, kind, key, at, made_by_id, approved_by_id, table_id, json.dumps(about or {}), reverses_id),
    ]
    try:
        with connection.cursor() as cursor:
            cursor.execute(_post_text(len(moving)), arguments)
            transfer_id, written, moved, fingerprint = cursor.fetchone()
    except IntegrityError as error:
        _refuse(error)
        raise
    accounts = {(line.owner_kind, line.owner_id, line.kind) for line in moving}
    assert (written, moved) == (len(moving), len(accounts)), f"{kind} {key}: an account was never opened"
    held.note(HELD.kind, transfer_id, fingerprint)
    return int(transfer_id)


def mirror(transfer_id: int) -> list[PostingLine]:
    """Return the lines that take a transfer back. One query."""
    rows = Posting.objects.filter(transfer_id=transfer_id).order_by("id")
    return [
        PostingLine(owner_kind, owner_id, kind, -cents)
        for owner_kind, owner_id, kind, cents in rows.values_list(
            "account__owner_kind", "account__owner_id", "account__kind", "cents"
        )
    ]


def reverse(
    *,
    room_id: int,
    day_id: int,
    transfer_id: int,
    key: str,
    made_by_id: int | None,
    at: datetime,
    about: Mapping[str, Any] | None = None,
    approved_by_id: int | None = None,
) -> int:
    """
    Take a transfer back by its mirror image on the open day, and return the new transfer's id. Three statements.

    A transfer of an earlier day is reversed today and named; the earlier day stays as it was.

    :raises AlreadyReversed: it was taken back before.
    :raises PromiseTooSmall: a promise has been used meanwhile.
    """
    old = Transfer.objects.get(id=transfer_id, room_id=room_id)
    assert old.reverses_id is None, "a reversal stands; what it took back is posted anew"
    return post(
        room_id=room_id,
        day_id=day_id,
        kind="reversal",
        lines=mirror(transfer_id),
        key=key,
        made_by_id=made_by_id,
        at=at,
        table_id=old.table_id,
        about={"of_kind": old.kind, "of_day": old.day_id, **(about or {})},
        approved_by_id=approved_by_id,
        reverses_id=transfer_id,
    )


def open_accounts(room: Room, owner_kind: str, owner_id: int) -> None:
    """Open whatever accounts the chart gives to this owner. One statement; asking again changes nothing."""
    Account.objects.bulk_create(
        [
            Account(
                room=room,
                owner_kind=owner_kind,
                owner_id=owner_id,
                kind=name,
                unit=kind.unit,
                currency=room.currency,
                is_promise=kind.is_promise,
            )
            for name, kind in CHART[owner_kind].accounts.items()
        ],
        ignore_conflicts=True,
    )


def _assert_sums_to_zero(lines: Sequence[PostingLine]) -> None:
    """Fail at the caller's own line; PostgreSQL would say it at commit, far from the mistake."""
    sums: dict[str, int] = {}
    for line in lines:
        unit = CHART[line.owner_kind].accounts[line.kind].unit
        sums[unit] = sums.get(unit, 0) + line.cents
    assert not any(sums.values()), f"lines do not sum to zero: {sums}"


_REFUSALS = {
    "account_promise_never_below_zero": PromiseTooSmall,
    "transfer_key_used_once": AlreadyPosted,
    "ledger_transfer_reverses_id_key": AlreadyReversed,
}


def _refuse(error: IntegrityError) -> None:
    diagnosis = getattr(error.__cause__, "diag", None)
    refusal = _REFUSALS.get(getattr(diagnosis, "constraint_name", None) or "")
    if refusal:
        raise refusal from error
