import pytest

from tests.cage.desk import Desk, open_desk


@pytest.fixture
def desk(db: None) -> Desk:
    return open_desk()


@pytest.fixture
def committed_desk(committing_db: object) -> Desk:
    return open_desk(drawers=2)
