"""
Proving the ledger whole, without trusting what keeps it so.

Each question is one SQL statement over the room's rows that returns what is wrong; a sound ledger
answers all of them with nothing. The last one holds transfers, slips and counts against the log, as
`audit verify` does.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import LiteralString

from django.db import connection

from casino.audit.held import differences


@dataclass(frozen=True)
class Problem:
    """One thing that does not hold: a word for what, and a sentence with ids and cents."""

    what: str
    detail: str


_QUESTIONS: dict[str, LiteralString] = {
    "balance": """
        SELECT format('account %%s (%%s.%%s.%%s) says %%s, its postings sum to %%s', account.id, account.owner_kind,
            account.owner_id, account.kind, account.balance_cents, coalesce(sum(posting.cents), 0))
        FROM ledger_account account LEFT JOIN ledger_posting posting ON posting.account_id = account.id
        WHERE account.room_id = %s
        GROUP BY account.id HAVING account.balance_cents <> coalesce(sum(posting.cents), 0) ORDER BY account.id
    """,
    "zero": """
        SELECT format('transfer %%s (%%s) is off by %%s in %%s %%s', transfer.id, transfer.kind, sum(posting.cents),
            account.currency, account.unit)
        FROM ledger_transfer transfer JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id
        WHERE transfer.room_id = %s
        GROUP BY transfer.id, account.currency, account.unit HAVING sum(posting.cents) <> 0 ORDER BY transfer.id
    """,
    "empty": """
        SELECT format('transfer %%s (%%s) has no postings', transfer.id, transfer.kind) FROM ledger_transfer transfer
        WHERE transfer.room_id = %s
            AND NOT EXISTS (SELECT 1 FROM ledger_posting posting WHERE posting.transfer_id = transfer.id)
        ORDER BY transfer.id
    """,
    "promise": """
        SELECT format('promise %%s (%%s.%%s.%%s) stands at %%s', id, owner_kind, owner_id, kind, balance_cents)
        FROM ledger_account WHERE room_id = %s AND is_promise AND balance_cents < 0 ORDER BY id
    """,
    "reversal": """
        SELECT format('transfer %%s does not mirror %%s, which it reverses', later.id, later.reverses_id)
        FROM ledger_transfer later WHERE later.room_id = %s AND later.reverses_id IS NOT NULL AND EXISTS (
            SELECT 1 FROM ledger_posting posting WHERE posting.transfer_id IN (later.id, later.reverses_id)
            GROUP BY posting.account_id HAVING sum(posting.cents) <> 0
        ) ORDER BY later.id
    """,
    "room": """
        SELECT format('posting %%s of transfer %%s is on an account of another room', posting.id, transfer.id)
        FROM ledger_transfer transfer JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id
        WHERE transfer.room_id = %s AND account.room_id <> transfer.room_id ORDER BY posting.id
    """,
}


def ask(what: str, question: LiteralString) -> None:
    """
    Prove something more, of the accounts that an app keeps; from its AppConfig.

    `question` is SQL with one %s, the room's id: each row that it returns is one problem, in words.
    """
    assert what not in _QUESTIONS, f"{what} is asked twice"
    _QUESTIONS[what] = question


def problems(room_id: int) -> Iterator[Problem]:
    """Yield everything that does not hold in the room's ledger. A query for each question, over all of its rows."""
    for what, question in _QUESTIONS.items():
        with connection.cursor() as cursor:
            cursor.execute(question, [room_id])
            for (detail,) in cursor.fetchall():
                yield Problem(what, detail)
    for difference in differences(room_id):
        yield Problem("event", f"{difference.chain} {difference.number}: {difference.problem}")
