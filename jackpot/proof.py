"""What `ledger check` proves of the pools: each sum is what its history says, and all money came from somewhere."""

from casino.ledger import proof

# All accounts of a pool add up to zero: sum, pending and takings are what came in less what went out.
_WHOLE = """
    SELECT format('jackpot %%s: its accounts add up to %%s', owner_id, sum(balance_cents)) FROM ledger_account
    WHERE room_id = %s AND owner_kind = 'jackpot' AND unit = 'money'
    GROUP BY owner_id HAVING sum(balance_cents) <> 0 ORDER BY owner_id
"""
_HISTORY = """
    SELECT format('jackpot %%s: movement %%s leaves %%s, and before it %%s and %%s', pool_id, number, sum_after_cents,
        before, cents)
    FROM (
        SELECT pool_id, number, cents, sum_after_cents,
            coalesce(lag(sum_after_cents) OVER (PARTITION BY pool_id ORDER BY number), 0) AS before
        FROM jackpot_movement WHERE room_id = %s
    ) history WHERE before + cents <> sum_after_cents ORDER BY pool_id, number
"""
_DISPLAYED = """
    SELECT format('jackpot %%s: its history ends with %%s, and its account holds %%s', pool.id,
        coalesce(newest.sum_after_cents, 0), account.balance_cents)
    FROM jackpot_pool pool
    JOIN ledger_account account ON account.owner_kind = 'jackpot' AND account.owner_id = pool.id
        AND account.kind = 'sum' AND account.room_id = pool.room_id
    LEFT JOIN LATERAL (
        SELECT number, sum_after_cents FROM jackpot_movement WHERE pool_id = pool.id ORDER BY number DESC LIMIT 1
    ) newest ON true
    WHERE pool.room_id = %s AND (coalesce(newest.sum_after_cents, 0), coalesce(newest.number, 0))
        <> (account.balance_cents, pool.version)
    ORDER BY pool.id
"""
# Each movement is its transfer's line on the sum, and each such line a movement.
_POSTED = """
    SELECT format('jackpot %%s: transfer %%s moves its sum by %%s, its history says %%s', account.owner_id,
        posting.transfer_id, posting.cents, coalesce(movement.cents::text, 'nothing'))
    FROM ledger_account account JOIN ledger_posting posting ON posting.account_id = account.id
    LEFT JOIN jackpot_movement movement
        ON movement.transfer_id = posting.transfer_id AND movement.pool_id = account.owner_id
    WHERE account.room_id = %s AND account.owner_kind = 'jackpot' AND account.kind = 'sum'
        AND movement.cents IS DISTINCT FROM posting.cents
    ORDER BY posting.id
"""


def register() -> None:
    """Have `ledger check` ask it."""
    proof.ask("jackpot", _WHOLE)
    proof.ask("jackpot_history", _HISTORY)
    proof.ask("jackpot_sum", _DISPLAYED)
    proof.ask("jackpot_posted", _POSTED)
