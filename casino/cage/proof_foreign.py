"""
What `ledger check` proves of foreign notes: the slips that they paid, the counts that found them, the
drawers; and what went out of the vault to be exchanged.
"""

from typing import LiteralString

from casino.cage.proof import COME_TO
from casino.ledger import proof

# Notes pay a slip that says so, at their rate; drawers hold what those of their open sessions are worth, counts found
# what they say of each currency.
_NOTES: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), taken AS (
        SELECT slip.id AS slip_id, slip.drawer_id, slip.session_id, slip.status, slip.method, slip.amount_cents,
            notes.face_cents, notes.value_cents, notes.currency, rate.currency AS rate_currency,
            rate.rate_millionths, {come_to} AS comes_to
        FROM here JOIN cage_slip slip USING (room_id) JOIN cage_notestaken notes ON notes.slip_id = slip.id
        JOIN cage_noterate rate ON rate.id = notes.rate_id
    ), should AS (
        SELECT drawer.id AS drawer_id, drawer.number, coalesce((
            SELECT sum(taken.value_cents) FROM taken JOIN cage_drawersession session ON session.id = taken.session_id
            WHERE taken.drawer_id = drawer.id AND taken.status = 'paid' AND session.closed_at IS NULL
        ), 0) AS cents
        FROM here JOIN cage_drawer drawer USING (room_id)
    )
    SELECT format('slip %%s: its foreign notes come to %%s and say %%s', slip_id, comes_to, face_cents)
    FROM taken WHERE comes_to <> face_cents
    UNION ALL
    SELECT format('slip %%s: %%s %%s at %%s are worth %%s, and less than %%s was paid by them', slip_id, face_cents,
        currency, rate_millionths, value_cents, amount_cents)
    FROM taken WHERE value_cents < amount_cents OR rate_millionths IS NULL OR rate_currency <> currency
        OR value_cents::numeric > face_cents::numeric * rate_millionths / 1000000
    UNION ALL
    SELECT format('slip %%s has foreign notes and was paid by %%s', slip_id, method)
    FROM taken WHERE method <> 'foreign' OR status NOT IN ('paid', 'void')
    UNION ALL
    SELECT format('slip %%s was paid by foreign notes that are not there', slip.id)
    FROM here JOIN cage_slip slip USING (room_id) LEFT JOIN cage_notestaken notes ON notes.slip_id = slip.id
    WHERE slip.method = 'foreign' AND slip.status IN ('paid', 'void') AND notes.id IS NULL
    UNION ALL
    SELECT format('drawer %%s took foreign notes for %%s, and %%s lies there', should.number, should.cents,
        coalesce(account.balance_cents, 0))
    FROM should LEFT JOIN ledger_account account
        ON account.owner_kind = 'drawer' AND account.owner_id = should.drawer_id AND account.kind = 'foreign_notes'
    WHERE should.cents <> coalesce(account.balance_cents, 0)
    UNION ALL
    SELECT format('count %%s of session %%s: its foreign notes come to %%s of %%s and it says %%s of %%s', number,
        session_id, cents, expected_cents, foreign_cents, expected_foreign_cents)
    FROM (
        SELECT counted.id, counted.number, counted.session_id, counted.foreign_cents, counted.expected_foreign_cents,
            coalesce(sum(found.cents), 0) AS cents, coalesce(sum(found.expected_cents), 0) AS expected_cents,
            coalesce(sum(found.face_cents), 0) AS face_cents, coalesce(sum({found}), 0) AS comes_to
        FROM here JOIN cage_drawer drawer USING (room_id)
        JOIN cage_drawersession session ON session.drawer_id = drawer.id
        JOIN cage_drawercount counted ON counted.session_id = session.id
        LEFT JOIN cage_notescounted found ON found.count_id = counted.id
        GROUP BY counted.id
    ) each_of
    WHERE (cents, expected_cents, face_cents) <> (foreign_cents, expected_foreign_cents, comes_to)
"""

# What went to be exchanged left the vault as it says; what is there is what counts brought and no exchange took.
_EXCHANGED: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), exchanged AS (
        SELECT exchange.*, {come_to} AS comes_to FROM here JOIN cage_notesexchanged exchange USING (room_id)
    ), should AS (
        SELECT transfer_id, line.kind, line.cents FROM exchanged CROSS JOIN LATERAL (VALUES
            ('vault_foreign_notes', -worth_cents),
            ('vault_cash', got_cents),
            ('exchange_difference', worth_cents - got_cents)
        ) line (kind, cents)
        WHERE line.cents <> 0
    ), posted AS (
        SELECT transfer.id AS transfer_id, account.kind, posting.cents
        FROM here JOIN ledger_transfer transfer USING (room_id)
        JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id
        WHERE transfer.kind = 'notes_exchanged'
    ), kept AS (
        SELECT brought.*, {kept_come_to} AS kept_comes_to, counted.cents AS counted_cents, counted.face AS counted_face
        FROM here JOIN cage_notesbrought brought USING (room_id) CROSS JOIN LATERAL (
            SELECT coalesce(sum(found.cents), 0) AS cents, coalesce(sum(found.face_cents), 0) AS face
            FROM cage_drawer drawer JOIN cage_drawersession session ON session.drawer_id = drawer.id
            JOIN cage_drawercount counted ON counted.session_id = session.id
            JOIN cage_notescounted found ON found.count_id = counted.id
            WHERE drawer.room_id = brought.room_id AND session.closed_day_id <= brought.day_id
                AND found.currency = brought.currency AND NOT EXISTS (
                    SELECT FROM cage_drawercount later
                    WHERE later.session_id = counted.session_id AND later.number > counted.number
                )
        ) counted
        -- Nothing else is read of it.
        WHERE brought.day_id = (SELECT max(day_id) FROM here JOIN cage_notesbrought USING (room_id))
    ), vault AS (
        SELECT coalesce((
            SELECT sum(found.cents) FROM here JOIN cage_drawer drawer USING (room_id)
            JOIN cage_drawersession session ON session.drawer_id = drawer.id
            JOIN cage_drawercount counted ON counted.session_id = session.id
            JOIN cage_notescounted found ON found.count_id = counted.id
            WHERE NOT EXISTS (
                SELECT FROM cage_drawercount later
                WHERE later.session_id = counted.session_id AND later.number > counted.number
            )
        ), 0) - coalesce((SELECT sum(worth_cents) FROM exchanged WHERE reversed_at IS NULL), 0) + coalesce((
            SELECT sum(found.cents - found.expected_cents) FROM here JOIN cage_vaultcount counted USING (room_id)
            JOIN cage_vaultnotescounted found ON found.count_id = counted.id
        ), 0) AS should, coalesce((
            SELECT sum(balance_cents) FROM here JOIN ledger_account account USING (room_id)
            WHERE owner_kind = 'house' AND kind = 'vault_foreign_notes'
        ), 0) AS lies
    )
    SELECT format('foreign notes until day %%s: %%s of %%s %%s is kept, and counts brought %%s of %%s', day_id, cents,
        face_cents, currency, counted_cents, counted_face)
    FROM kept WHERE (cents, face_cents, face_cents) IS DISTINCT FROM (counted_cents, counted_face, kept_comes_to)
    UNION ALL
    SELECT format('exchange %%s: its notes come to %%s and say %%s', number, comes_to, face_cents)
    FROM exchanged WHERE comes_to <> face_cents
    UNION ALL
    SELECT format('transfer %%s: of %%s an exchange moves %%s, and %%s is posted', transfer_id, kind,
        coalesce(should.cents, 0), coalesce(posted.cents, 0))
    FROM should FULL JOIN posted USING (transfer_id, kind) WHERE should.cents IS DISTINCT FROM posted.cents
    UNION ALL
    SELECT format('exchange %%s says that it was taken back by transfer %%s, and transfer %%s did', number,
        reversal_transfer_id, back.id)
    FROM exchanged LEFT JOIN ledger_transfer back ON back.reverses_id = exchanged.transfer_id
    WHERE back.id IS DISTINCT FROM reversal_transfer_id
    UNION ALL
    SELECT format('the vault should hold foreign notes for %%s, and %%s lies there', should, lies)
    FROM vault WHERE should <> lies
"""


def register() -> None:
    """Have `ledger check` ask it."""
    come_to, found = COME_TO.format(pieces="notes.pieces"), COME_TO.format(pieces="found.pieces")
    proof.ask("foreign_notes", _NOTES.format(come_to=come_to, found=found))
    exchanged, kept = COME_TO.format(pieces="exchange.pieces"), COME_TO.format(pieces="brought.pieces")
    proof.ask("exchanges", _EXCHANGED.format(come_to=exchanged, kept_come_to=kept))
