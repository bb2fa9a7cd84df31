"""The stage of the REST tests: a room with an open day, later that evening."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from casino import clock
from tests.api.stage import Stage, make_stage
from tests.cast import TONIGHT


@pytest.fixture
def stage(db: None) -> Iterator[Stage]:
    """Return the room, half an hour after it opened."""
    made = make_stage()
    with clock.frozen(TONIGHT + timedelta(minutes=30)):
        yield made
