"""The cast with its PINs and passwords, for tests of the doors."""

import pytest

from tests.cast import Cast, make_cast


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast(with_secrets=True)
