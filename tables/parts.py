"""
What the tables give the screens that show several apps: the floor's map and the lobby's wall.

Each part is a template of the tables, and is given what it shows in the active language.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from django.template.loader import render_to_string

from casino.live.places import Part
from casino.live.templatetags.live import part
from casino.live.todo import Line
from casino.rooms.selectors import room_of
from tables.selectors.floor import room_on_map, todo_of_room
from tables.selectors.lobby import lobby

# The rank of what is of the tables, among what others give.
OF_TABLES = 10


def figures(*, room_id: int) -> Iterable[Part]:
    """Return the figures of all tables together: open, seated, seats free."""
    return [_part((OF_TABLES,), "tables/floor_figures.html", map=room_on_map(room_id))]


def todo(*, room_id: int) -> Iterable[Line]:
    """Return what the tables leave the floor to do."""
    return todo_of_room(room_id)


def tiles(*, room_id: int) -> Iterator[Part]:
    """Yield each table's tile, by its number."""
    zone = room_of(room_id).time_zone
    for tile in room_on_map(room_id).tiles:
        html = part("tables/floor_tile.html", tile=tile.shown, time_zone=zone)
        yield Part((OF_TABLES, tile.table.number), html)


def lists(*, room_id: int) -> Iterator[Part]:
    """Yield each game with its tables and who waits for it, as the map orders them."""
    for place, offer in enumerate(room_on_map(room_id).games):
        yield _part((OF_TABLES, place), "tables/floor_game.html", offer=offer, room=room_of(room_id))


def wall(*, room_id: int) -> Iterator[Part]:
    """Yield a row of the wall for each game that is open."""
    for place, row in enumerate(lobby(room_id).games):
        yield _part((OF_TABLES, place), "tables/lobby_game.html", row=row, room=room_of(room_id))


def wall_on_request(*, room_id: int) -> Iterator[Part]:
    """Yield a row of the wall for each game that the floor would open."""
    for place, (game, waiting) in enumerate(lobby(room_id).on_request):
        shown = {"game": game, "waiting": waiting, "room": room_of(room_id)}
        yield _part((OF_TABLES, place), "tables/lobby_on_request.html", **shown)


def wall_foot(*, room_id: int) -> Iterator[Part]:
    """Yield the seats free in the whole room, once anything is dealt."""
    shown = lobby(room_id)
    if shown.has_begun:
        yield _part((OF_TABLES,), "tables/lobby_foot.html", lobby=shown)


def _part(rank: tuple[Any, ...], template: str, **shown: Any) -> Part:
    return Part(rank, render_to_string(template, shown))
