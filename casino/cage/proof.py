"""
What `ledger check` proves of the cage: for each deposit promised to a player a drawer holds the other end; counts and
floats are what their pieces come to, and moved what they say; and each drawer was counted or carried over its day.
"""

from typing import LiteralString

from casino.ledger import proof

_CONTRA: LiteralString = """
    SELECT format('deposits are %%s, and %%s is held for them', promised, held) FROM (
        SELECT coalesce(sum(balance_cents) FILTER (WHERE kind = 'deposit'), 0) AS promised,
            coalesce(-sum(balance_cents) FILTER (WHERE kind = 'deposits_held'), 0) AS held
        FROM ledger_account WHERE room_id = %s
    ) both_ends WHERE promised <> held
"""
COME_TO: LiteralString = """(SELECT coalesce(sum((piece ->> 0)::bigint * (piece ->> 1)::bigint), 0)
    FROM jsonb_array_elements({pieces}) piece)"""
_PIECES: LiteralString = """
    SELECT format('count %%s of session %%s: its cash comes to %%s and says %%s, its chips to %%s and say %%s', number,
        session_id, cash, cash_cents, chips, chips_cents)
    FROM (
        SELECT counted.id, counted.session_id, counted.number, counted.cash_cents, counted.chips_cents,
            {cash} AS cash, {chips} AS chips
        FROM cage_drawercount counted JOIN cage_drawersession session ON session.id = counted.session_id
        JOIN cage_drawer drawer ON drawer.id = session.drawer_id
        WHERE drawer.room_id = %s AND counted.cash_pieces IS NOT NULL
    ) each_of WHERE (cash, chips) <> (cash_cents, chips_cents) ORDER BY id
"""
# The first empties the drawer, another moves by what differs from the one before; and no other transfer does.
_POSTED: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), counted AS (
        SELECT drawer.room_id, drawer.id AS drawer_id, count.number = 1 AS is_first,
            CASE WHEN count.number = 1 THEN 'drawer_closed.' || session.id
                ELSE 'drawer_recounted.' || session.id || '.' || count.number END AS key,
            count.expected_cash_cents AS cash_out, count.expected_card_slips_cents AS card_out,
            count.expected_foreign_cents AS foreign_out, count.expected_chips_cents AS chips_out,
            count.cash_cents - lag(count.cash_cents, 1, 0::bigint) OVER counts AS cash,
            count.card_slips_cents - lag(count.card_slips_cents, 1, 0::bigint) OVER counts AS card,
            count.foreign_cents - lag(count.foreign_cents, 1, 0::bigint) OVER counts AS notes,
            count.chips_cents - lag(count.chips_cents, 1, 0::bigint) OVER counts AS chips
        FROM here JOIN cage_drawer drawer USING (room_id)
        JOIN cage_drawersession session ON session.drawer_id = drawer.id
        JOIN cage_drawercount count ON count.session_id = session.id
        WINDOW counts AS (PARTITION BY session.id ORDER BY count.number)
    ), should AS (
        SELECT counted.key, line.owner_kind, line.owner_id, line.kind, line.cents
        FROM counted CROSS JOIN LATERAL (VALUES
            ('drawer', drawer_id, 'cash', CASE WHEN is_first THEN -cash_out ELSE 0 END),
            ('drawer', drawer_id, 'card_slips', CASE WHEN is_first THEN -card_out ELSE 0 END),
            ('drawer', drawer_id, 'foreign_notes', CASE WHEN is_first THEN -foreign_out ELSE 0 END),
            ('drawer', drawer_id, 'chips', CASE WHEN is_first THEN -chips_out ELSE 0 END),
            ('house', room_id, 'vault_cash', cash),
            ('house', room_id, 'vault_card_slips', card),
            ('house', room_id, 'vault_foreign_notes', notes),
            ('house', room_id, 'vault_chips', chips),
            ('drawer', drawer_id, 'over_short',
                CASE WHEN is_first THEN cash_out + card_out + foreign_out ELSE 0 END - cash - card - notes),
            ('drawer', drawer_id, 'chips_over_short', CASE WHEN is_first THEN chips_out ELSE 0 END - chips)
        ) line (owner_kind, owner_id, kind, cents)
        WHERE line.cents <> 0
    ), posted AS (
        SELECT transfer.key, account.owner_kind, account.owner_id, account.kind, posting.cents
        FROM here JOIN ledger_transfer transfer USING (room_id)
        JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id
        WHERE transfer.kind IN ('drawer_closed', 'drawer_recounted')
    )
    SELECT format('%%s: of %%s %%s %%s the count moves %%s, and %%s is posted', key, owner_kind, owner_id, kind,
        coalesce(should.cents, 0), coalesce(posted.cents, 0))
    FROM should FULL JOIN posted USING (key, owner_kind, owner_id, kind)
    WHERE should.cents IS DISTINCT FROM posted.cents ORDER BY 1
"""
_FLOAT_PIECES: LiteralString = """
    SELECT format('session %%s: its float comes to %%s in cash and %%s in chips, and says %%s and %%s', id, cash, chips,
        float_cash_cents, float_chips_cents)
    FROM (
        SELECT session.id, session.float_cash_cents, session.float_chips_cents, {cash} AS cash, {chips} AS chips
        FROM cage_drawersession session JOIN cage_drawer drawer ON drawer.id = session.drawer_id
        WHERE drawer.room_id = %s AND session.float_cash_pieces IS NOT NULL
    ) each_of WHERE (cash, chips) <> (float_cash_cents, float_chips_cents) ORDER BY id
"""
# A float comes out of the vault, and nothing else opens a drawer.
_FLOAT_POSTED: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), should AS (
        SELECT 'drawer_opened.' || session.id AS key, line.owner_kind, line.owner_id, line.kind, line.cents
        FROM here JOIN cage_drawer drawer USING (room_id)
        JOIN cage_drawersession session ON session.drawer_id = drawer.id
        CROSS JOIN LATERAL (VALUES
            ('drawer', drawer.id, 'cash', session.float_cash_cents),
            ('drawer', drawer.id, 'chips', session.float_chips_cents),
            ('house', drawer.room_id, 'vault_cash', -session.float_cash_cents),
            ('house', drawer.room_id, 'vault_chips', -session.float_chips_cents)
        ) line (owner_kind, owner_id, kind, cents)
        WHERE line.cents <> 0
    ), posted AS (
        SELECT transfer.key, account.owner_kind, account.owner_id, account.kind, posting.cents
        FROM here JOIN ledger_transfer transfer USING (room_id)
        JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id
        WHERE transfer.kind = 'drawer_opened'
    )
    SELECT format('%%s: of %%s %%s %%s the float is %%s, and %%s is posted', key, owner_kind, owner_id, kind,
        coalesce(should.cents, 0), coalesce(posted.cents, 0))
    FROM should FULL JOIN posted USING (key, owner_kind, owner_id, kind)
    WHERE should.cents IS DISTINCT FROM posted.cents ORDER BY 1
"""

# A drawer is counted on the day that it says, slips are paid in it while it is open, and over each day's end that it
# outlasts a manager carried it.
_OVER_DAYS: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), open_on AS (
        SELECT session.*, drawer.number FROM here JOIN cage_drawer drawer USING (room_id)
        JOIN cage_drawersession session ON session.drawer_id = drawer.id WHERE drawer.place_kind = ''
    )
    SELECT format('session %%s: it says that it was counted on day %%s, and transfer %%s of its count is of day %%s',
        open_on.id, open_on.closed_day_id, transfer.id, transfer.day_id)
    FROM here JOIN ledger_transfer transfer USING (room_id)
    JOIN open_on ON open_on.id::text = split_part(transfer.key, '.', 2)
    WHERE transfer.kind IN ('drawer_closed', 'drawer_recounted') AND transfer.day_id IS DISTINCT FROM closed_day_id
    UNION ALL
    SELECT format('slip %%s: it was paid on day %%s, and drawer %%s was open from day %%s to day %%s', slip.id,
        transfer.day_id, open_on.number, open_on.day_id, open_on.closed_day_id)
    FROM open_on JOIN cage_slip slip ON slip.session_id = open_on.id
    JOIN ledger_transfer transfer ON transfer.id = slip.transfer_id
    WHERE NOT transfer.day_id BETWEEN open_on.day_id AND coalesce(closed_day_id, transfer.day_id)
    UNION ALL
    SELECT format('session %%s: drawer %%s was open when day %%s closed, and nobody carried it', open_on.id,
        open_on.number, day.id)
    FROM here JOIN rooms_gamingday day USING (room_id)
    JOIN open_on ON open_on.day_id <= day.id AND (closed_day_id > day.id OR closed_day_id IS NULL)
    WHERE day.closed_at IS NOT NULL AND NOT EXISTS (
        SELECT FROM cage_carrieditem item WHERE item.day_id = day.id AND item.stage = 'operations'
            AND item.kind IN ('drawer', 'bank') AND item.rows @> to_jsonb(open_on.id)
    )
"""

# What open vouchers come to is promised; one that was taken has paid a slip of its amount, and such a slip has one.
_VOUCHERS: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), promised AS (
        SELECT coalesce(sum(balance_cents) FILTER (WHERE kind = 'vouchers'), 0) AS cents,
            coalesce(-sum(balance_cents) FILTER (WHERE kind = 'vouchers_given'), 0) AS given
        FROM here JOIN ledger_account account USING (room_id) WHERE owner_kind = 'house'
    ), lying AS (
        SELECT coalesce(sum(amount_cents), 0) AS cents FROM here JOIN cage_voucher voucher USING (room_id)
        WHERE taken_with_id IS NULL AND ended_as = ''
    )
    SELECT format('open vouchers come to %%s, %%s is promised for them and %%s given', lying.cents, promised.cents,
        promised.given)
    FROM promised, lying WHERE (lying.cents, lying.cents) <> (promised.cents, promised.given)
    UNION ALL
    SELECT format('voucher %%s over %%s has slip %%s, which is %%s over %%s', voucher.number, voucher.amount_cents,
        slip.id, slip.status, slip.amount_cents)
    FROM here JOIN cage_voucher voucher USING (room_id) JOIN cage_slip slip ON slip.id = voucher.taken_with_id
    WHERE (slip.status, slip.method, slip.amount_cents) <> ('paid', 'voucher', voucher.amount_cents)
    UNION ALL
    SELECT format('slip %%s was paid by a voucher that is not there', slip.id)
    FROM here JOIN cage_slip slip USING (room_id) LEFT JOIN cage_voucher voucher ON voucher.taken_with_id = slip.id
    WHERE slip.status = 'paid' AND slip.method = 'voucher' AND voucher.id IS NULL
"""

# What lies unclaimed is what is owed for it.
_UNCLAIMED: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), owed AS (
        SELECT coalesce(sum(balance_cents) FILTER (WHERE kind = 'unclaimed'), 0) AS cents,
            coalesce(-sum(balance_cents) FILTER (WHERE kind = 'unclaimed_held'), 0) AS held
        FROM here JOIN ledger_account account USING (room_id) WHERE owner_kind = 'house'
    ), lying AS (
        SELECT coalesce(sum(amount_cents), 0) AS cents FROM here JOIN cage_unclaimed found USING (room_id)
        WHERE ended_as = ''
    )
    SELECT format('what lies unclaimed comes to %%s, %%s is owed for it and %%s held', lying.cents, owed.cents,
        owed.held)
    FROM owed, lying WHERE (lying.cents, lying.cents) <> (owed.cents, owed.held)
"""
# Out of the vault comes the card slip of a slip that was taken back after its drawer had been counted.
_FETCHED: LiteralString = """
    SELECT format('transfer %%s fetched a card slip out of the vault, and no reversed slip says so', moved.id)
    FROM ledger_transfer moved WHERE moved.room_id = %s AND moved.kind = 'card_slip_fetched' AND NOT EXISTS (
        SELECT FROM cage_drawer drawer
        JOIN cage_slip slip ON slip.drawer_id = drawer.id AND slip.number = (moved.about ->> 'slip')::int
        JOIN cage_drawersession session ON session.id = slip.session_id AND session.closed_at IS NOT NULL
        JOIN ledger_account account ON account.room_id = drawer.room_id AND account.owner_kind = 'drawer'
            AND account.owner_id = drawer.id AND account.kind = 'card_slips'
        JOIN ledger_posting posting ON posting.account_id = account.id AND posting.transfer_id = moved.id
            AND posting.cents = slip.amount_cents
        WHERE drawer.room_id = moved.room_id AND drawer.number = (moved.about ->> 'drawer')::int
            AND slip.status = 'void' AND slip.method = 'card' AND slip.void_transfer_id < moved.id
    ) ORDER BY moved.id
"""


def register() -> None:
    """Have `ledger check` ask it."""
    proof.ask("contra", _CONTRA)
    cash, chips = COME_TO.format(pieces="counted.cash_pieces"), COME_TO.format(pieces="counted.chip_pieces")
    proof.ask("count_pieces", _PIECES.format(cash=cash, chips=chips))
    proof.ask("count_posted", _POSTED)
    cash, chips = (
        COME_TO.format(pieces="session.float_cash_pieces"),
        COME_TO.format(pieces="session.float_chip_pieces"),
    )
    proof.ask("float_pieces", _FLOAT_PIECES.format(cash=cash, chips=chips))
    proof.ask("float_posted", _FLOAT_POSTED)
    proof.ask("over_days", _OVER_DAYS)
    proof.ask("vouchers", _VOUCHERS)
    proof.ask("unclaimed", _UNCLAIMED)
    proof.ask("card_slip_fetched", _FETCHED)
