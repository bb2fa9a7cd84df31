import pytest

from tests.cage.desk import CageDesk, open_desk


@pytest.fixture
def desk(db: None) -> CageDesk:
    return open_desk()


@pytest.fixture
def committed_desk(committing_db: object) -> CageDesk:
    return open_desk(drawers=2)
