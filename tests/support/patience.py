"""
How long tests wait for what has to happen.

Long, because a machine that is busy for a moment is not a wrong answer; when all is well it costs nothing.
"""

import time
from collections.abc import Callable

PATIENCE_SECONDS = 120.0
_LOOK_EVERY_SECONDS = 0.02


def wait_until(
    is_so: Callable[[], bool], otherwise: Callable[[], str] | str, *, seconds: float = PATIENCE_SECONDS
) -> None:
    """
    Return as soon as something is so.

    :raises AssertionError: it never came to that; it says `otherwise`.
    """
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            raise AssertionError(otherwise if isinstance(otherwise, str) else otherwise())
        time.sleep(_LOOK_EVERY_SECONDS)
