"""What `ledger check` proves of the vault's counts: their pieces, what each expected, and what was posted of it."""

from typing import LiteralString

from casino.cage.proof import COME_TO
from casino.ledger import proof

_PIECES: LiteralString = """
    SELECT format('count %%s of the vault: its cash comes to %%s and says %%s, its chips to %%s and say %%s, its'
        ' foreign notes to %%s of %%s and say %%s of %%s', number, cash, cash_cents, chips, chips_cents, notes,
        expected_notes, foreign_cents, expected_foreign_cents)
    FROM (
        SELECT counted.*, {cash} AS cash, {chips} AS chips, found.notes, found.expected_notes, found.differ
        FROM cage_vaultcount counted CROSS JOIN LATERAL (
            SELECT coalesce(sum(cents), 0) AS notes, coalesce(sum(expected_cents), 0) AS expected_notes,
                coalesce(bool_or({faces} <> face_cents), false) AS differ
            FROM cage_vaultnotescounted found WHERE found.count_id = counted.id
        ) found
        WHERE counted.room_id = %s
    ) each_of
    WHERE differ OR (cash, chips, notes, expected_notes)
        <> (cash_cents, chips_cents, foreign_cents, expected_foreign_cents)
    ORDER BY id
"""
# What was expected is what all transfers until then had come to: nothing is posted while the vault is counted.
_EXPECTED: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), side AS (
        SELECT counted.id, counted.number, counted.after_transfer_id, line.kind, line.cents
        FROM here JOIN cage_vaultcount counted USING (room_id) CROSS JOIN LATERAL (VALUES
            ('vault_cash', expected_cash_cents),
            ('vault_card_slips', expected_card_slips_cents),
            ('vault_foreign_notes', expected_foreign_cents),
            ('vault_chips', expected_chips_cents)
        ) line (kind, cents)
    ), moved AS (
        SELECT account.kind, posting.transfer_id, posting.cents, NULL::bigint AS count_id
        FROM here JOIN ledger_account account USING (room_id) JOIN ledger_posting posting
            ON posting.account_id = account.id
        WHERE account.owner_kind = 'house' AND account.kind IN (SELECT kind FROM side)
        UNION ALL
        SELECT kind, after_transfer_id, 0, id FROM side
    ), lying AS (
        SELECT kind, count_id, sum(cents) OVER (
            PARTITION BY kind ORDER BY transfer_id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS cents FROM moved
    )
    SELECT format('count %%s of the vault: of %%s it expected %%s, and %%s lay there', side.number, side.kind,
        side.cents, lying.cents)
    FROM side JOIN lying ON lying.count_id = side.id AND lying.kind = side.kind WHERE side.cents <> lying.cents
    UNION ALL
    SELECT format('count %%s of the vault was posted by transfer %%s, and transfer %%s moved something there before',
        counted.number, counted.transfer_id, moved.transfer_id)
    FROM here JOIN cage_vaultcount counted USING (room_id) JOIN moved
        ON moved.transfer_id > counted.after_transfer_id AND moved.transfer_id < counted.transfer_id
    WHERE moved.count_id IS NULL
    ORDER BY 1
"""
# Each count moves what differs, and nothing else is posted so.
_POSTED: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), should AS (
        SELECT 'vault_counted.' || counted.number AS key, counted.transfer_id, line.kind, line.cents
        FROM here JOIN cage_vaultcount counted USING (room_id) CROSS JOIN LATERAL (
            SELECT cash_cents - expected_cash_cents AS cash, card_slips_cents - expected_card_slips_cents AS card,
                foreign_cents - expected_foreign_cents AS notes, chips_cents - expected_chips_cents AS chips
        ) differs CROSS JOIN LATERAL (VALUES
            ('vault_cash', cash),
            ('vault_card_slips', card),
            ('vault_foreign_notes', notes),
            ('vault_missing', -cash - card - notes),
            ('vault_chips', chips),
            ('vault_chips_missing', -chips)
        ) line (kind, cents)
        WHERE line.cents <> 0
    ), posted AS (
        SELECT transfer.key, transfer.id AS transfer_id, account.kind, posting.cents
        FROM here JOIN ledger_transfer transfer USING (room_id)
        JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id
        WHERE transfer.kind = 'vault_counted' OR account.owner_kind = 'house'
            AND account.kind IN ('vault_missing', 'vault_chips_missing')
    )
    SELECT format('%%s: of house %%s the count moves %%s, and %%s is posted', key, kind, coalesce(should.cents, 0),
        coalesce(posted.cents, 0))
    FROM should FULL JOIN posted USING (key, transfer_id, kind)
    WHERE should.cents IS DISTINCT FROM posted.cents ORDER BY 1
"""


def register() -> None:
    """Have `ledger check` ask it."""
    cash, chips = COME_TO.format(pieces="counted.cash_pieces"), COME_TO.format(pieces="counted.chip_pieces")
    faces = COME_TO.format(pieces="found.pieces")
    proof.ask("vault_count_pieces", _PIECES.format(cash=cash, chips=chips, faces=faces))
    proof.ask("vault_count_expected", _EXPECTED)
    proof.ask("vault_count_posted", _POSTED)
