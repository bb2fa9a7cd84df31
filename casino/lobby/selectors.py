"""The lobby's wall: what each app gives it."""

from collections.abc import Sequence
from dataclasses import dataclass

from casino.live.areas import WALL, WALL_FOOT, WALL_ON_REQUEST, Part


@dataclass(frozen=True)
class Wall:
    """The whole wall, in the active language."""

    rows: Sequence[Part]
    on_request: Sequence[Part]
    foot: Sequence[Part]


def wall(room_id: int) -> Wall:
    """Return the wall: the queries are those of the apps that give something."""
    return Wall(
        rows=WALL.gather(room_id=room_id),
        on_request=WALL_ON_REQUEST.gather(room_id=room_id),
        foot=WALL_FOOT.gather(room_id=room_id),
    )
