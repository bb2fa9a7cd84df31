"""What a stored hand says of the missed blind markers that were laid down with it."""

from collections.abc import Mapping
from typing import Any


def laid_down_by(before: Mapping[str, Any]) -> dict[int, str]:
    """
    Return the markers laid down with a hand, by seating: all that lie there then. `before` is what the hand keeps of
    what it changed; whoever was dealt in has none.
    """
    return {int(key): after for key, (_, after) in before.get("missed", {}).items() if after}
