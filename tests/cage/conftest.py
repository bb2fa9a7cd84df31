import pytest

from tests.cage.desk import CageDesk, open_desk


@pytest.fixture
def desk(db: None, request: pytest.FixtureRequest) -> CageDesk:
    """Return an open cage: by Helsinki's book, or by the one given."""
    return open_desk(book=getattr(request, "param", "helsinki"))


@pytest.fixture
def committed_desk(committing_db: object) -> CageDesk:
    return open_desk(drawers=2)
