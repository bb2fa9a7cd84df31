"""
What `ledger check` proves of runners' banks, besides what it proves of all drawers: who held them, and that nothing was
paid out of one but its runner's sales to seats, for cash.
"""

from typing import LiteralString

from casino.ledger import proof

_HELD: LiteralString = """
    SELECT format('session %%s of drawer %%s: %%s', session.id, drawer.number,
        CASE WHEN drawer.is_bank THEN 'nobody held this bank' ELSE 'somebody held this drawer of the cage' END)
    FROM cage_drawersession session JOIN cage_drawer drawer ON drawer.id = session.drawer_id
    WHERE drawer.room_id = %s AND drawer.is_bank <> (session.holder_id IS NOT NULL) ORDER BY session.id
"""
_SOLD: LiteralString = """
    SELECT format('slip %%s of bank %%s: %%s paid it by %%s, as %%s, and %%s held the bank', slip.number, drawer.number,
        slip.paid_by_id, slip.method, slip.kind, session.holder_id)
    FROM cage_slip slip JOIN cage_drawersession session ON session.id = slip.session_id
    JOIN cage_drawer drawer ON drawer.id = session.drawer_id
    WHERE drawer.room_id = %s AND drawer.is_bank
        AND (slip.kind <> 'buy_in' OR slip.method <> 'cash' OR slip.about -> 'seating' IS NULL
            OR slip.paid_by_id IS DISTINCT FROM session.holder_id)
    ORDER BY slip.id
"""


def register() -> None:
    """Have `ledger check` ask it."""
    proof.ask("banks_held", _HELD)
    proof.ask("banks_sold", _SOLD)
