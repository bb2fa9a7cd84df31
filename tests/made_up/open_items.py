"""Glasses that nobody has washed keep the gaming day open."""

from casino.cage.open_items import OpenItems
from tests.made_up.push import glasses


def _unwashed(room_id: int) -> list[int]:
    return sorted(set(glasses))


UNWASHED = OpenItems("unwashed", "glasses of table %(number)s", _unwashed)
