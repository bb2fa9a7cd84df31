"""What `ledger check` proves of promotions: each account of a fund is what its periods and prizes say."""

from casino.ledger import proof

# All accounts of a fund add up to zero: what is free, promised and won is what was put in less what was paid.
_WHOLE = """
    SELECT format('promotion %%s: its accounts add up to %%s', owner_id, sum(balance_cents)) FROM ledger_account
    WHERE room_id = %s AND owner_kind = 'promotion' AND unit = 'money'
    GROUP BY owner_id HAVING sum(balance_cents) <> 0 ORDER BY owner_id
"""
_ROWS = """
    SELECT format('promotion %%s: its account %%s holds %%s, and its rows say %%s', fund.code, account.kind,
        account.balance_cents, said.cents)
    FROM promotions_fund fund
    JOIN LATERAL (
        SELECT 'reserved' AS kind, coalesce(sum(period.reserved_cents), 0) AS cents
        FROM promotions_period period WHERE period.fund_id = fund.id
        UNION ALL
        SELECT unnest(ARRAY['pending', 'paid']), unnest(ARRAY[
            coalesce(sum(prize.cents) FILTER (WHERE prize.paid_at IS NULL), 0),
            coalesce(sum(prize.cents) FILTER (WHERE prize.paid_at IS NOT NULL), 0)
        ]) FROM promotions_prize prize
        JOIN promotions_entry entry ON entry.id = prize.entry_id
        JOIN promotions_period period ON period.id = entry.period_id WHERE period.fund_id = fund.id
        UNION ALL
        SELECT 'splashed', coalesce(sum(splash.cents), 0) FROM promotions_splash splash
        JOIN promotions_period period ON period.id = splash.period_id
        WHERE period.fund_id = fund.id AND splash.status = 'splashed'
    ) said ON true
    JOIN ledger_account account ON account.owner_kind = 'promotion' AND account.owner_id = fund.id
        AND account.kind = said.kind AND account.room_id = fund.room_id
    WHERE fund.room_id = %s AND account.balance_cents <> said.cents ORDER BY fund.id, account.kind
"""


def register() -> None:
    """Have `ledger check` ask it."""
    proof.ask("promotion", _WHOLE)
    proof.ask("promotion_rows", _ROWS)
