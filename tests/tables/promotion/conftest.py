from collections.abc import Iterator

import pytest

from tests.tables.promotion.kind import registered


@pytest.fixture
def promotion() -> Iterator[None]:
    """Have hands be charged a promotion, as if an app had registered it."""
    with registered():
        yield
