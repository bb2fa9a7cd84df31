"""What lies on all accounts of a room together, as one digest, by which the log answers for it when a day closes."""

from typing import LiteralString

from django.db import connection

_DIGEST: LiteralString = """
    SELECT encode(sha256(convert_to(%s || coalesce(string_agg(concat(E'\n', concat_ws(',', id, owner_kind, owner_id,
        kind, unit, currency, is_promise::int, balance_cents)), '' ORDER BY id), ''), 'UTF8')), 'hex')
    FROM ledger_account WHERE room_id = %s AND balance_cents <> 0
"""


def balances_digest(room_id: int, *, seed: str) -> str:
    """
    Return the SHA-256 of a seed and of each account on which something lies: whose it is, what of, and how much.

    One query. The seed stays secret until the balances may be known: without it, who knows all of them but one could
    find that one by trying.
    """
    with connection.cursor() as cursor:
        cursor.execute(_DIGEST, [seed, room_id])
        (digest,) = cursor.fetchone()
    return str(digest)
