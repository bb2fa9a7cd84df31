"""What `ledger check` proves of the cage: for each deposit promised to a player a drawer holds the other end."""

from casino.ledger import proof

_CONTRA = """
    SELECT format('deposits are %%s, and %%s is held for them', promised, held) FROM (
        SELECT coalesce(sum(balance_cents) FILTER (WHERE kind = 'deposit'), 0) AS promised,
            coalesce(-sum(balance_cents) FILTER (WHERE kind = 'deposits_held'), 0) AS held
        FROM ledger_account WHERE room_id = %s
    ) both_ends WHERE promised <> held
"""


def register() -> None:
    """Have `ledger check` ask it."""
    proof.ask("contra", _CONTRA)
