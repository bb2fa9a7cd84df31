import pytest

from tests.ledger.ledger_room import LedgerRoom, open_ledger


@pytest.fixture
def ledger(db: None) -> LedgerRoom:
    return open_ledger()


@pytest.fixture
def committed_ledger(committing_db: object) -> LedgerRoom:
    return open_ledger()
