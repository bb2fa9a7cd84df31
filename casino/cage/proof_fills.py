"""
What `ledger check` proves of fill slips: their pieces come to what they say, each step has moved just what it says, and
a runner carries what slips under way say and no more.
"""

from typing import LiteralString

from casino.cage.proof import COME_TO
from casino.ledger import proof

_PIECES: LiteralString = """
    SELECT format('fill slip %%s: what was %%s comes to %%s in cash and %%s in chips, and says %%s and %%s',
        slip.number, said.what, said.cash, said.chips, said.cash_cents, said.chips_cents)
    FROM cage_fillslip slip CROSS JOIN LATERAL (
        SELECT what, cash_cents, chips_cents, {cash} AS cash, {chips} AS chips
        FROM (VALUES
            ('wished', wished_cash, wished_chips, wished_cash_cents, wished_chips_cents),
            ('sent', sent_cash, sent_chips, sent_cash_cents, sent_chips_cents),
            ('counted', got_cash, got_chips, got_cash_cents, got_chips_cents)
        ) piled (what, cash, chips, cash_cents, chips_cents)
    ) said
    WHERE slip.room_id = %s AND (said.cash, said.chips) IS DISTINCT FROM
        (coalesce(said.cash_cents, 0), coalesce(said.chips_cents, 0))
    ORDER BY slip.number, said.what
"""
# Of the cage's own places the very account is named; other apps' are known by what they hold, cash or chips, and those
# apps prove which account it is.
_POSTED: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), slip AS (
        SELECT slip.*, status = 'verified' AS is_there, kind = 'fill' AS is_fill
        FROM here JOIN cage_fillslip slip USING (room_id)
    ), moved AS (
        SELECT 'fill_sent.' || id AS key, slip.*, is_fill AS is_vault,
            -sent_cash_cents AS cash, -sent_chips_cents AS chips
        FROM slip WHERE status IN ('delivered', 'verified', 'returned')
        UNION ALL
        SELECT CASE WHEN is_there THEN 'fill_verified.' ELSE 'fill_returned.' END || id, slip.*, is_fill <> is_there,
            got_cash_cents, got_chips_cents
        FROM slip WHERE status IN ('verified', 'returned')
    ), should AS (
        SELECT key, line.* FROM moved CROSS JOIN LATERAL (VALUES
            (CASE WHEN is_vault THEN 'house' ELSE place_kind END, CASE WHEN is_vault THEN room_id ELSE place_id END,
                CASE WHEN is_vault THEN 'vault_cash' WHEN place_kind = 'drawer' THEN 'cash' ELSE 'money' END, cash),
            (CASE WHEN is_vault THEN 'house' ELSE place_kind END, CASE WHEN is_vault THEN room_id ELSE place_id END,
                CASE WHEN is_vault THEN 'vault_chips' ELSE 'chips' END, chips),
            ('runner', runner_id, 'carried_cash',
                CASE WHEN key LIKE 'fill_sent.%%' THEN sent_cash_cents ELSE -sent_cash_cents END),
            ('runner', runner_id, 'carried',
                CASE WHEN key LIKE 'fill_sent.%%' THEN sent_chips_cents ELSE -sent_chips_cents END),
            ('runner', runner_id, 'over_short',
                CASE WHEN key LIKE 'fill_sent.%%' THEN 0 ELSE sent_cash_cents - got_cash_cents END),
            ('runner', runner_id, 'chips_over_short',
                CASE WHEN key LIKE 'fill_sent.%%' THEN 0 ELSE sent_chips_cents - got_chips_cents END)
        ) line (owner_kind, owner_id, account, cents)
        WHERE line.cents <> 0
    ), posted AS (
        SELECT transfer.key, account.owner_kind, account.owner_id,
            CASE WHEN account.owner_kind IN ('house', 'drawer', 'runner') THEN account.kind ELSE account.unit END
                AS account,
            sum(posting.cents) AS cents
        FROM here JOIN ledger_transfer transfer USING (room_id)
        JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id
        WHERE transfer.kind IN ('fill_sent', 'fill_verified', 'fill_returned')
        GROUP BY 1, 2, 3, 4
    )
    SELECT format('%%s: of %%s %%s in %%s the slip moves %%s, and %%s is posted', key, owner_kind, owner_id, account,
        coalesce(should.cents, 0), coalesce(posted.cents, 0))
    FROM should FULL JOIN posted USING (key, owner_kind, owner_id, account)
    WHERE should.cents IS DISTINCT FROM posted.cents ORDER BY 1
"""
_CARRIED: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), on_the_way AS (
        SELECT runner_id AS owner_id, sum(sent_cash_cents) AS carried_cash, sum(sent_chips_cents) AS carried
        FROM here JOIN cage_fillslip USING (room_id) WHERE status = 'delivered' GROUP BY runner_id
    ), should AS (
        SELECT owner_id, 'carried_cash' AS kind, carried_cash AS cents FROM on_the_way
        UNION ALL SELECT owner_id, 'carried', carried FROM on_the_way
    ), lies AS (
        SELECT owner_id, kind, balance_cents AS cents FROM here JOIN ledger_account USING (room_id)
        WHERE owner_kind = 'runner' AND kind IN ('carried', 'carried_cash')
    )
    SELECT format('runner %%s: %%s is %%s, and fill slips under way say %%s', owner_id, kind, coalesce(lies.cents, 0),
        coalesce(should.cents, 0))
    FROM should FULL JOIN lies USING (owner_id, kind)
    WHERE coalesce(should.cents, 0) <> coalesce(lies.cents, 0) ORDER BY 1
"""


def register() -> None:
    """Have `ledger check` ask it."""
    cash, chips = COME_TO.format(pieces="piled.cash"), COME_TO.format(pieces="piled.chips")
    proof.ask("fill_pieces", _PIECES.format(cash=cash, chips=chips))
    proof.ask("fill_posted", _POSTED)
    proof.ask("fill_carried", _CARRIED)
