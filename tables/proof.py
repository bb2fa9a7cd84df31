"""What `ledger check` proves of racks and tips: counts against what was posted before them and for them."""

from typing import LiteralString

from casino.ledger import proof

# What a check expected is what the rack's account came to at its place in the log; one that came late, what the count
# before its moment had left, and what came and went since.
_EXPECTED: LiteralString = """
    SELECT format('rack check %%s: of {what} it expected %%s, and %%s should lie there', id, expected, logged) FROM (
        SELECT found.id, found.{expected} AS expected, CASE WHEN found.is_late THEN coalesce((
            SELECT CASE WHEN {counted} AND kind = 'closing' THEN 0 ELSE {left} END
            FROM tables_rackcheck WHERE id = before.id
        ), 0) + coalesce((
            SELECT sum(posting.cents) FROM ledger_account account
            JOIN ledger_posting posting ON posting.account_id = account.id AND posting.id <= found.place
            JOIN ledger_transfer transfer ON transfer.id = posting.transfer_id
                AND transfer.kind NOT IN ('rack_counted', 'rack_to_vault')
                AND transfer.at <= found.at AND transfer.at > coalesce(before.at, '-infinity')
            WHERE account.room_id = found.room_id AND account.owner_kind = 'table'
                AND account.owner_id = found.table_id AND account.kind = '{account}'
        ), 0) ELSE coalesce((
            SELECT sum(posting.cents) FROM ledger_account account
            JOIN ledger_posting posting ON posting.account_id = account.id AND posting.id <= found.place
            WHERE account.room_id = found.room_id AND account.owner_kind = 'table'
                AND account.owner_id = found.table_id AND account.kind = '{account}'
        ), 0) END AS logged
        FROM tables_rackcheck found LEFT JOIN LATERAL (
            SELECT id, at FROM tables_rackcheck earlier
            WHERE found.is_late AND earlier.table_id = found.table_id AND earlier.number < found.number
                AND earlier.cents IS NOT NULL AND earlier.at <= found.at
            ORDER BY at DESC, number DESC LIMIT 1
        ) before ON true
        WHERE found.room_id = %s
    ) both_of WHERE expected <> logged ORDER BY id
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
            UNION ALL
            SELECT 'rack cash', id, room_id, cash_cents, cash_pieces FROM tables_rackcheck WHERE cash_cents IS NOT NULL
            UNION ALL
            SELECT 'tip count', id, room_id, cents, pieces FROM tables_tipcount
        ) counted USING (room_id)
    ) both_of WHERE pieces <> cents ORDER BY what, id
"""
# Nothing but the cage's fill slips touches a rack besides, and each transfer is what its row or its slip says. Of a
# count that came late nothing is posted where the rack had been counted after it: that count has found it too.
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
            ('table', found.table_id, 'rack_over_short', found.expected_cents - found.cents),
            ('table', found.table_id, 'rack_cash',
                CASE WHEN found.kind = 'closing' AND found.cash_cents IS NOT NULL THEN 0
                    ELSE coalesce(found.cash_cents, found.expected_cash_cents) END - found.expected_cash_cents),
            ('house', found.room_id, 'vault_cash',
                CASE WHEN found.kind = 'closing' THEN coalesce(found.cash_cents, 0) ELSE 0 END),
            ('table', found.table_id, 'rack_cash_over_short', coalesce(found.expected_cash_cents - found.cash_cents, 0))
        ) line (owner_kind, owner_id, kind, cents)
        WHERE found.cents IS NOT NULL AND line.cents <> 0
            AND NOT (found.is_late AND found.transfer_id IS NULL AND EXISTS (
            SELECT FROM tables_rackcheck newer
            WHERE newer.table_id = found.table_id AND newer.number < found.number
                AND newer.cents IS NOT NULL AND newer.at > found.at
        ))
        UNION ALL
        SELECT line.transfer_id, 'table', rack.place_id, line.kind, line.cents
        FROM here JOIN cage_drawer rack USING (room_id) JOIN cage_slip slip ON slip.drawer_id = rack.id
        LEFT JOIN ledger_transfer back ON back.id = slip.void_transfer_id
        CROSS JOIN LATERAL (VALUES
            (slip.transfer_id, 'float', -slip.amount_cents),
            (slip.transfer_id, 'rack_cash', slip.amount_cents),
            (slip.transfer_id, 'outside', -slip.amount_cents),
            (back.id, CASE back.kind WHEN 'never_sold' THEN 'rack_over_short' ELSE 'float' END, slip.amount_cents),
            (back.id, CASE back.kind WHEN 'never_sold' THEN 'rack_cash_over_short' ELSE 'rack_cash' END,
                -slip.amount_cents),
            (back.id, 'outside', slip.amount_cents)
        ) line (transfer_id, kind, cents)
        WHERE rack.place_kind = 'table' AND line.transfer_id IS NOT NULL
    ), posted AS (
        SELECT transfer.id AS transfer_id, account.owner_kind, account.owner_id, account.kind, posting.cents
        FROM here JOIN ledger_transfer transfer USING (room_id)
        JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id
        WHERE transfer.kind IN ('rack_filled', 'rack_counted', 'rack_to_vault')
            OR (account.owner_kind = 'table' AND account.kind IN (
                    'float', 'rack_over_short', 'rack_cash', 'rack_cash_over_short', 'outside'
                ) AND transfer.kind NOT IN ('fill_verified', 'fill_sent', 'fill_returned'))
    )
    SELECT format('transfer %%s: of %%s %%s %%s checks and sales of racks move %%s, and %%s is posted', transfer_id,
        owner_kind, owner_id, kind, coalesce(should.cents, 0), coalesce(posted.cents, 0))
    FROM should FULL JOIN posted USING (transfer_id, owner_kind, owner_id, kind)
    WHERE should.cents IS DISTINCT FROM posted.cents ORDER BY 1
"""


# A rack sells to seats of its own table, for cash, and nothing else.
_SOLD: LiteralString = """
    SELECT format('slip %%s of the rack of table %%s: %%s by %%s, for table %%s', slip.number, rack.place_number,
        slip.kind, slip.method, slip.about ->> 'table')
    FROM cage_drawer rack JOIN cage_slip slip ON slip.drawer_id = rack.id
    WHERE rack.room_id = %s AND rack.place_kind = 'table' AND (slip.kind <> 'buy_in' OR slip.method <> 'cash'
        OR (slip.about ->> 'table')::bigint IS DISTINCT FROM rack.place_id)
    ORDER BY slip.id
"""
# When it was said that a sale never was, counts had found its chips too many and its cash missing, net, beyond what
# such sales explain: since that sale, and since each earlier one of them that took of what was after it. All of both,
# or all of one and more than half of the other, below which no book goes, and the floor has judged what each of those
# counts differed by.
_NEVER_SOLD: LiteralString = """
    WITH never AS (
        SELECT rack.place_id AS table_id, rack.place_number, slip.number, slip.amount_cents, slip.paid_at,
            slip.transfer_id, slip.void_transfer_id, posting.id AS place
        FROM cage_drawer rack JOIN cage_slip slip ON slip.drawer_id = rack.id
        JOIN ledger_transfer back ON back.id = slip.void_transfer_id AND back.kind = 'never_sold'
        JOIN ledger_posting posting ON posting.transfer_id = slip.transfer_id
        JOIN ledger_account account ON account.id = posting.account_id
            AND account.owner_kind = 'table' AND account.kind = 'float'
        WHERE rack.room_id = %s AND rack.place_kind = 'table'
    )
    SELECT DISTINCT format('slip %%s of the rack of table %%s was never sold, and counts of the rack have not found it',
        said.number, said.place_number)
    FROM never said JOIN never since ON since.table_id = said.table_id AND since.place <= said.place
        AND since.void_transfer_id <= said.void_transfer_id AND since.void_transfer_id > said.transfer_id
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(found.cents - found.expected_cents), 0) AS chips_over,
            coalesce(sum(found.expected_cash_cents - found.cash_cents), 0) AS cash_short
        FROM tables_rackcheck found WHERE found.table_id = since.table_id AND found.place >= since.place
            AND (NOT found.is_late OR found.at >= since.paid_at) AND found.transfer_id < said.void_transfer_id
    ) counted CROSS JOIN LATERAL (
        SELECT sum(other.amount_cents) AS cents FROM never other WHERE other.table_id = since.table_id
            AND other.place >= since.place AND other.void_transfer_id <= said.void_transfer_id
    ) explained
    WHERE greatest(counted.chips_over, counted.cash_short) < explained.cents
        OR 2 * (least(counted.chips_over, counted.cash_short) - explained.cents) + said.amount_cents <= 0
        OR (least(counted.chips_over, counted.cash_short) < explained.cents AND EXISTS (
            SELECT FROM tables_todo todo JOIN tables_rackcheck found ON found.id = (todo.data ->> 'check')::bigint
            WHERE todo.table_id = said.table_id AND todo.kind = 'rack_differs' AND todo.done_at IS NULL
                AND found.place >= said.place AND (NOT found.is_late OR found.at >= said.paid_at)
                AND found.transfer_id < said.void_transfer_id
        ))
    ORDER BY 1
"""
# Of what fill slips of the cage bring to a table, or take from it, the rack alone has part.
_FILLS: LiteralString = """
    SELECT format('%%s: a fill slip moves %%s of table %%s', transfer.key, account.kind, account.owner_id)
    FROM (SELECT %s::bigint AS room_id) here JOIN ledger_transfer transfer USING (room_id)
    JOIN ledger_posting posting ON posting.transfer_id = transfer.id
    JOIN ledger_account account ON account.id = posting.account_id
    WHERE transfer.kind IN ('fill_sent', 'fill_verified', 'fill_returned')
        AND account.owner_kind = 'table' AND account.kind NOT IN ('float', 'rack_cash')
    ORDER BY 1
"""
# What a floor person stated is what lay in play at that place of the log, less what was counted; and it is posted. But
# for what is missing of tip boxes nothing else is on that account.
_DIFFERENCES: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), should AS (
        SELECT found.transfer_id, line.kind, line.cents
        FROM here JOIN tables_tabledifference found USING (room_id)
        CROSS JOIN LATERAL (VALUES ('in_play', -found.cents), ('difference', found.cents)) line (kind, cents)
    ), posted AS (
        SELECT transfer.id AS transfer_id, account.kind, posting.cents
        FROM here JOIN ledger_transfer transfer USING (room_id)
        JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id
        WHERE transfer.kind = 'difference_stated' OR (account.owner_kind = 'table' AND account.kind = 'difference'
            AND transfer.kind <> 'tips_taken')
    )
    SELECT format('transfer %%s: of %%s what was stated to be missing moves %%s, and %%s is posted', transfer_id, kind,
        coalesce(should.cents, 0), coalesce(posted.cents, 0))
    FROM should FULL JOIN posted USING (transfer_id, kind) WHERE should.cents IS DISTINCT FROM posted.cents
    UNION ALL
    SELECT format('difference %%s: %%s was in play and %%s counted, and it says %%s and %%s', found.id, before.cents,
        coalesce(counted.cents, 0), found.in_play_cents, found.counted_cents)
    FROM here JOIN tables_tabledifference found USING (room_id)
    LEFT JOIN tables_countedthrough counted ON counted.id = found.counted_id
    JOIN ledger_posting posting ON posting.transfer_id = found.transfer_id
    JOIN ledger_account account ON account.id = posting.account_id AND account.owner_kind = 'table'
        AND account.owner_id = found.table_id AND account.kind = 'in_play'
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(cents), 0) AS cents FROM ledger_posting
        WHERE account_id = account.id AND id < posting.id
    ) before
    WHERE before.cents <> found.in_play_cents
        OR coalesce(counted.cents, 0) <> found.counted_cents
    ORDER BY 1
"""
# Each count of tips, and each sum that payroll got, is what was posted; and what is owed is what was not handed on.
_TIPS: LiteralString = """
    WITH here AS (SELECT %s::bigint AS room_id), should AS (
        SELECT found.transfer_id, line.owner_kind, line.owner_id, line.kind, line.cents
        FROM here JOIN tables_tipcount found USING (room_id) CROSS JOIN LATERAL (VALUES
            ('table', found.table_id, 'tip_box', -found.noted_cents),
            ('table', found.table_id, 'in_play', found.noted_cents - found.cents - found.missing_cents),
            ('table', found.table_id, 'difference', found.missing_cents),
            ('house', found.room_id, 'tips', found.cents)
        ) line (owner_kind, owner_id, kind, cents)
        WHERE line.cents <> 0
        UNION ALL
        SELECT found.transfer_id, line.owner_kind, line.owner_id, line.kind, line.cents
        FROM here JOIN tables_tippayroll found USING (room_id) CROSS JOIN LATERAL (VALUES
            ('house', found.room_id, 'tips', -found.cents), ('house', found.room_id, 'vault_chips', found.cents)
        ) line (owner_kind, owner_id, kind, cents)
    ), posted AS (
        SELECT transfer.id AS transfer_id, account.owner_kind, account.owner_id, account.kind, posting.cents
        FROM here JOIN ledger_transfer transfer USING (room_id)
        JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id
        WHERE transfer.kind IN ('tips_taken', 'tips_to_payroll')
            OR (account.owner_kind = 'house' AND account.kind = 'tips')
    )
    SELECT format('transfer %%s: of %%s %%s %%s tips move %%s, and %%s is posted', transfer_id, owner_kind, owner_id,
        kind, coalesce(should.cents, 0), coalesce(posted.cents, 0))
    FROM should FULL JOIN posted USING (transfer_id, owner_kind, owner_id, kind)
    WHERE should.cents IS DISTINCT FROM posted.cents ORDER BY 1
"""
# What payroll got is what was counted since the time before, and what the dealers' shares come to.
_SHARES: LiteralString = """
    SELECT format('tips handed on %%s: %%s, counted were %%s, and the shares come to %%s', id, cents, counted, shared)
    FROM (
        SELECT payroll.id, payroll.cents, (
            SELECT coalesce(sum(share.cents), 0) FROM tables_tipshare share WHERE share.payroll_id = payroll.id
        ) AS shared, (
            SELECT coalesce(sum(counted.cents), 0) FROM tables_tipcount counted
            WHERE counted.day_id = payroll.day_id AND counted.id <= payroll.last_count_id AND counted.id > coalesce((
                SELECT max(earlier.last_count_id) FROM tables_tippayroll earlier
                WHERE earlier.day_id = payroll.day_id AND earlier.number < payroll.number
            ), 0)
        ) AS counted
        FROM tables_tippayroll payroll WHERE payroll.room_id = %s
    ) each_of WHERE cents <> shared OR cents <> counted ORDER BY id
"""
# What a dealer has closed was noted before it was counted, follows what was closed before it, and is counted as theirs.
_CLOSED: LiteralString = """
    SELECT format('closed tips %%s: %%s', id, what) FROM (
        SELECT closed.id, CASE
            WHEN closed.waits <> (found.id IS NULL AND closed.taken_back_at IS NULL)
                OR found.id IS NOT NULL AND closed.taken_back_at IS NOT NULL
                THEN 'it says that they wait for a count and they do not, or the other way'
            WHEN closed.taken_back_at IS NOT NULL THEN NULL
            WHEN CASE WHEN closed.last_down_id IS NULL THEN closed.until <= coalesce((
                SELECT max(earlier.until) FROM tables_closedtips earlier
                WHERE earlier.table_id = closed.table_id AND earlier.number < closed.number
                    AND earlier.taken_back_at IS NULL
            ), '-infinity') ELSE closed.last_down_id < coalesce((
                SELECT max(earlier.last_down_id) FROM tables_closedtips earlier
                WHERE earlier.table_id = closed.table_id AND earlier.number < closed.number
                    AND earlier.taken_back_at IS NULL
            ), 0) END THEN 'they end before those that were closed before them'
            WHEN closed.last_down_id = closed.down_id AND closed.until IS DISTINCT FROM (
                SELECT ended_at FROM tables_down WHERE id = closed.down_id
            ) THEN 'they end at another moment than their down'
            WHEN found.table_id <> closed.table_id OR found.noted_cents <> closed.noted_cents
                THEN format('noted were %%s at table %%s, and counted as %%s at table %%s', closed.noted_cents,
                    closed.table_id, found.noted_cents, found.table_id)
            WHEN found.seconds <> closed.seconds OR NOT closed.seconds ? coalesce(found.dealer_id::text, (
                SELECT min(dealer) FROM jsonb_object_keys(closed.seconds) dealer
            )) AND NOT EXISTS (
                SELECT FROM tables_down said JOIN tables_down dealt ON dealt.table_id = closed.table_id
                    AND dealt.dealer_id = found.dealer_id AND dealt.day_id IN (closed.day_id, said.day_id)
                WHERE said.id = closed.down_id
            ) THEN 'they are counted as of others than have dealt'
            WHEN closed.waits AND closed.noted_cents > coalesce((
                SELECT sum(account.balance_cents) FROM ledger_account account
                WHERE account.room_id = closed.room_id AND account.owner_kind = 'table'
                    AND account.owner_id = closed.table_id AND account.kind = 'tip_box'
            ), 0) THEN 'more is noted than lies in the table''s tip boxes'
        END AS what
        FROM tables_closedtips closed LEFT JOIN tables_tipcount found ON found.closed_id = closed.id
        WHERE closed.room_id = %s
    ) each_of WHERE what IS NOT NULL ORDER BY id
"""
# Each share that payroll got has its receipt.
_RECEIPTS: LiteralString = """
    SELECT format('tips of dealer %%s, share %%s: there is no receipt', share.dealer_id, share.id)
    FROM tables_tipshare share LEFT JOIN tables_tipreceipt receipt
        ON receipt.share_id = share.id AND receipt.room_id = share.room_id
    WHERE share.room_id = %s AND receipt.id IS NULL ORDER BY share.id
"""


def register() -> None:
    """Have `ledger check` ask it."""
    chips = _EXPECTED.format(what="chips", expected="expected_cents", counted="true", left="cents", account="float")
    proof.ask("rack_expected", chips)
    cash = _EXPECTED.format(
        what="cash",
        expected="expected_cash_cents",
        counted="cash_cents IS NOT NULL",
        left="coalesce(cash_cents, expected_cash_cents)",
        account="rack_cash",
    )
    proof.ask("rack_cash_expected", cash)
    proof.ask("table_pieces", _PIECES)
    proof.ask("rack_posted", _POSTED)
    proof.ask("racks_sold", _SOLD)
    proof.ask("racks_never_sold", _NEVER_SOLD)
    proof.ask("rack_fills", _FILLS)
    proof.ask("table_differences", _DIFFERENCES)
    proof.ask("tips_posted", _TIPS)
    proof.ask("tips_shared", _SHARES)
    proof.ask("tips_closed", _CLOSED)
    proof.ask("tip_receipts", _RECEIPTS)
