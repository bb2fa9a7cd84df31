"""The lobby's wall: what each app gives it."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from casino.live.areas import WALL, WALL_FOOT, WALL_ON_REQUEST, together


@dataclass(frozen=True)
class Wall:
    """The whole wall, in the active language."""

    rows: SafeString
    on_request: SafeString
    foot: SafeString


def wall(room_id: int) -> Wall:
    """Return the wall: the queries are those of the apps that give something."""
    return Wall(
        rows=together(WALL.gather(room_id=room_id)),
        on_request=together(WALL_ON_REQUEST.gather(room_id=room_id)),
        foot=together(WALL_FOOT.gather(room_id=room_id)),
    )
