"""What `ledger check` proves of promotions: a fund's accounts are what its rows say, and a prize is its slip's."""

from casino.ledger import proof

# All accounts of a fund add up to zero: what is free, promised and won is what was put in less what was paid.
_WHOLE = """
    SELECT format('promotion %%s: its accounts add up to %%s', owner_id, sum(balance_cents)) FROM ledger_account
    WHERE room_id = %s AND owner_kind = 'promotion' AND unit = 'money'
    GROUP BY owner_id HAVING sum(balance_cents) <> 0 ORDER BY owner_id
"""
_ROWS = """
    SELECT format('promotion %%s: its account %%s holds %%s, and its rows say %%s', fund.code, said.kind,
        coalesce(account.balance_cents::text, 'nothing'), said.cents)
    FROM promotions_fund fund
    JOIN LATERAL (
        SELECT 'reserved' AS kind, coalesce(sum(period.reserved_cents), 0) AS cents
        FROM promotions_period period WHERE period.fund_id = fund.id
        UNION ALL
        SELECT unnest(ARRAY['pending', 'paid']), unnest(ARRAY[
            coalesce(sum(prize.cents) FILTER (WHERE prize.paid_at IS NULL AND prize.taken_back_at IS NULL), 0),
            coalesce(sum(prize.cents) FILTER (WHERE prize.paid_at IS NOT NULL), 0)
        ]) FROM promotions_prize prize
        JOIN promotions_entry entry ON entry.id = prize.entry_id
        JOIN promotions_period period ON period.id = entry.period_id WHERE period.fund_id = fund.id
        UNION ALL
        SELECT 'splashed', coalesce(sum(splash.cents), 0) FROM promotions_splash splash
        JOIN promotions_period period ON period.id = splash.period_id
        WHERE period.fund_id = fund.id AND splash.status = 'splashed'
    ) said ON true
    LEFT JOIN ledger_account account ON account.owner_kind = 'promotion' AND account.owner_id = fund.id
        AND account.kind = said.kind AND account.room_id = fund.room_id
    WHERE fund.room_id = %s AND account.balance_cents IS DISTINCT FROM said.cents
    ORDER BY fund.id, said.kind
"""

# What is won waits at the cage under a slip of that amount, and is paid by it; with a decision that is taken back the
# slip is cancelled. No slip pays what was not won.
_SLIPS = """
    SELECT format('promotion prize %%s: of %%s, %%s; its slip: %%s, %%s', prize.id, prize.cents,
        CASE WHEN prize.taken_back_at IS NOT NULL THEN 'taken back' WHEN prize.paid_at IS NULL THEN 'unpaid'
            ELSE 'paid' END,
        coalesce(slip.amount_cents::text, 'none'), coalesce(slip.status, 'none'))
    FROM (
        SELECT prize.* FROM promotions_prize prize JOIN promotions_entry entry ON entry.id = prize.entry_id
        JOIN promotions_period period ON period.id = entry.period_id WHERE period.room_id = %s
    ) prize LEFT JOIN cage_slip slip ON slip.id = prize.slip_id AND slip.destination = 'promotion'
    WHERE slip.amount_cents IS DISTINCT FROM prize.cents
        OR slip.status <> CASE WHEN prize.taken_back_at IS NOT NULL THEN 'cancelled' WHEN prize.paid_at IS NULL
            THEN 'requested' ELSE 'paid' END
    ORDER BY prize.id
"""
_NO_PRIZE = """
    SELECT format('slip %%s: it is %%s of a promotion, and no prize is paid by it', slip.id, slip.status)
    FROM cage_slip slip WHERE slip.room_id = %s AND slip.destination = 'promotion'
        AND slip.status IN ('requested', 'paid')
        AND NOT EXISTS (
            SELECT FROM promotions_prize prize WHERE prize.slip_id = slip.id AND prize.taken_back_at IS NULL)
    ORDER BY slip.id
"""
# A prize stands while the period of its hand is won.
_NOT_WON = """
    SELECT format('promotion prize %%s stands, and its period %%s is %%s', prize.id, period.id, period.status)
    FROM promotions_prize prize JOIN promotions_entry entry ON entry.id = prize.entry_id
    JOIN promotions_period period ON period.id = entry.period_id
    WHERE period.room_id = %s AND prize.taken_back_at IS NULL AND period.status <> 'won'
    ORDER BY prize.id
"""
# Chips are in a pot as long as the transfer stands that put them there.
_SPLASHED = """
    SELECT format('promotion splash %%s is splashed, and its transfer %%s was reversed', splash.id, splash.transfer_id)
    FROM promotions_splash splash JOIN promotions_period period ON period.id = splash.period_id
    JOIN ledger_transfer later ON later.reverses_id = splash.transfer_id
    WHERE period.room_id = %s AND splash.status = 'splashed'
    ORDER BY splash.id
"""


def register() -> None:
    """Have `ledger check` ask it."""
    proof.ask("promotion", _WHOLE)
    proof.ask("promotion_rows", _ROWS)
    proof.ask("promotion_slips", _SLIPS)
    proof.ask("promotion_no_prize", _NO_PRIZE)
    proof.ask("promotion_not_won", _NOT_WON)
    proof.ask("promotion_splashed", _SPLASHED)
