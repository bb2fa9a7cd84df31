"""A room with an open day and tables, for tests of the boxes that hang there."""

import pytest

from tests.boxes.hanging import Hanging
from tests.tables.conftest import House, house

__all__ = ["boxes", "house"]


@pytest.fixture
def boxes(house: House) -> Hanging:
    return Hanging(house)
