"""What `ledger check` proves of racks: checks against what was posted before them, and transfers against checks."""

from typing import LiteralString

from casino.ledger import proof

# What a check expected is what the rack's account came to at its place in the log.
_EXPECTED: LiteralString = """
    SELECT format('rack check %%s: it expected %%s, and %%s should lie there', id, expected_cents, logged) FROM (
        SELECT found.id, found.expected_cents, coalesce((
            SELECT sum(posting.cents) FROM ledger_account account
            JOIN ledger_posting posting ON posting.account_id = account.id AND posting.id <= found.place
            WHERE account.room_id = found.room_id AND account.owner_kind = 'table'
                AND account.owner_id = found.table_id AND account.kind = 'float'
        ), 0) AS logged
        FROM tables_rackcheck found WHERE found.room_id = %s
    ) both_of WHERE expected_cents <> logged ORDER BY id
"""
# What two have counted is what its pieces come to.
_PIECES: LiteralString = """
    SELECT format('%%s %%s: its pieces come to %%s, and it says %%s', what, id, pieces, cents) FROM (
        SELECT counted.what, counted.id, counted.cents, (
            SELECT coalesce(sum((piece ->> 0)::bigint * (piece ->> 1)::bigint), 0)
            FROM jsonb_array_elements(counted.pieces) piece
        ) AS pieces
        FROM (SELECT %s::bigint AS room_id) here JOIN (
            SELECT 'rack fill' AS what, id, room_id, cents, pieces FROM tables_rackfill
            UNION ALL
            SELECT 'rack check', id, room_id, cents, pieces FROM tables_rackcheck WHERE cents IS NOT NULL
        ) counted USING (room_id)
    ) both_of WHERE pieces <> cents ORDER BY what, id
"""
# Nothing but the cage's fill slips touches a rack besides, and each transfer is what its row says.
_POSTED: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), should AS (
        SELECT found.transfer_id, line.owner_kind, line.owner_id, line.kind, line.cents
        FROM here JOIN tables_rackfill found USING (room_id) CROSS JOIN LATERAL (VALUES
            ('house', found.room_id, 'vault_chips', -found.cents), ('table', found.table_id, 'float', found.cents)
        ) line (owner_kind, owner_id, kind, cents)
        UNION ALL
        SELECT found.transfer_id, line.owner_kind, line.owner_id, line.kind, line.cents
        FROM here JOIN tables_rackcheck found USING (room_id) CROSS JOIN LATERAL (VALUES
            ('table', found.table_id, 'float',
                CASE WHEN found.kind = 'closing' THEN 0 ELSE found.cents END - found.expected_cents),
            ('house', found.room_id, 'vault_chips', CASE WHEN found.kind = 'closing' THEN found.cents ELSE 0 END),
            ('table', found.table_id, 'rack_over_short', found.expected_cents - found.cents)
        ) line (owner_kind, owner_id, kind, cents)
        WHERE found.cents IS NOT NULL AND line.cents <> 0
    ), posted AS (
        SELECT transfer.id AS transfer_id, account.owner_kind, account.owner_id, account.kind, posting.cents
        FROM here JOIN ledger_transfer transfer USING (room_id)
        JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id
        WHERE transfer.kind IN ('rack_filled', 'rack_counted', 'rack_to_vault')
            OR (account.owner_kind = 'table' AND account.kind IN ('float', 'rack_over_short')
                AND transfer.kind NOT IN ('fill_verified', 'fill_sent', 'fill_returned'))
    )
    SELECT format('transfer %%s: of %%s %%s %%s checks of racks move %%s, and %%s is posted', transfer_id, owner_kind,
        owner_id, kind, coalesce(should.cents, 0), coalesce(posted.cents, 0))
    FROM should FULL JOIN posted USING (transfer_id, owner_kind, owner_id, kind)
    WHERE should.cents IS DISTINCT FROM posted.cents ORDER BY 1
"""


def register() -> None:
    """Have `ledger check` ask it."""
    proof.ask("rack_expected", _EXPECTED)
    proof.ask("rack_pieces", _PIECES)
    proof.ask("rack_posted", _POSTED)
