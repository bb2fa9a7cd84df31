"""The floor's map: what each app gives it, and whether a day is open."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from casino.live.areas import FIGURES, LISTS, TILES, TODO, together
from casino.live.todo import ToDoLine
from casino.rooms.models import GamingDay, Room
from casino.rooms.selectors import open_day, room_of


@dataclass(frozen=True)
class FloorMap:
    """Everything on the floor's first page, in the active language; `day` is the open one."""

    room: Room
    day: GamingDay | None
    figures: SafeString
    todo: Sequence[ToDoLine]
    tiles: SafeString
    lists: SafeString


def floor_map(room_id: int) -> FloorMap:
    """Return the floor's map: two queries, and those of the apps that give something."""
    return FloorMap(
        room=room_of(room_id),
        day=open_day(room_id),
        figures=together(FIGURES.gather(room_id=room_id)),
        todo=TODO.gather(room_id=room_id),
        tiles=together(TILES.gather(room_id=room_id)),
        lists=together(LISTS.gather(room_id=room_id)),
    )
