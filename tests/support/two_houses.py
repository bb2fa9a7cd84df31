"""The second house: a made-up book that decides nearly everything otherwise than Helsinki's."""

from pathlib import Path
from zlib import crc32

import pytest

SECOND_BOOK = str(Path(__file__).parent / "second_house" / "rautatie.toml")
# The fixtures that make a room; each takes the book as its parameter.
ROOMS = ("house", "desk")
# So many tests of those that hold under both books run under the second one in `make test` too; all of them do slow.
QUICK_SHARE = 40


def in_two_houses(metafunc: pytest.Metafunc) -> None:
    """Run what is marked `two_houses` in the second house as well, but for what `helsinki` says is that one's alone."""
    test = metafunc.definition
    if not test.get_closest_marker("two_houses") or test.get_closest_marker("helsinki"):
        return
    is_quick = crc32(test.nodeid.encode()) % QUICK_SHARE == 0
    second = pytest.param(SECOND_BOOK, marks=() if is_quick else pytest.mark.slow, id="rautatie")
    for room in (name for name in ROOMS if name in metafunc.fixturenames):
        metafunc.parametrize(room, [pytest.param("helsinki", id="helsinki"), second], indirect=True)
        return
