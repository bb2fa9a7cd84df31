import pytest

from tests.ledger.house import House, open_house


@pytest.fixture
def house(db: None) -> House:
    return open_house()


@pytest.fixture
def committed_house(committing_db: object) -> House:
    return open_house()
