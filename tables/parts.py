"""
What the tables give the screens that show several apps: the floor's map.

Each part is a template of the tables, and is given what it shows in the active language.
"""

from collections.abc import Iterable, Iterator

from casino.live.areas import Part
from casino.live.templatetags.live import part, part_of_each
from casino.live.todo import ToDoLine
from casino.rooms.selectors import room_of
from tables.selectors.floor import room_on_map, todo_of_room

# The rank of what is of the tables, among what others give.
OF_TABLES = 10


def figures(*, room_id: int) -> Iterable[Part]:
    """Return the figures of all tables together: open, seated, seats free."""
    on_map = room_on_map(room_id)
    shown = {"tables_open": on_map.tables_open, "seated": on_map.seated, "open_seats": on_map.open_seats}
    return [Part((OF_TABLES,), part("tables/floor_figures.html", **shown))]


def todo(*, room_id: int) -> Iterable[ToDoLine]:
    """Return what the tables leave the floor to do."""
    return todo_of_room(room_id)


def tiles(*, room_id: int) -> Iterator[Part]:
    """Yield each table's tile, by its number."""
    shown, zone = [tile.shown for tile in room_on_map(room_id).tiles], room_of(room_id).time_zone
    drawn = part_of_each("tables/floor_tile.html", "tile", shown, time_zone=zone)
    for tile, html in zip(shown, drawn, strict=True):
        yield Part((OF_TABLES, tile.number), html)
