"""
What the tables give the screens that show several apps: the floor's map and the lobby's wall.

Each part is a template of the tables, and is given what it shows in the active language.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from casino.live.areas import Part
from casino.live.templatetags.live import part
from casino.live.todo import Line
from casino.reading import Kept, is_keeping
from casino.rooms.models import Room
from casino.rooms.selectors import room_of
from tables.selectors.floor import room_on_map, todo_of_room
from tables.selectors.lobby import lobby
from tables.selectors.prints import list_prints

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
    offers, room = {offer.game.name: offer for offer in room_on_map(room_id).games}, room_of(room_id)
    versions = {
        name: (
            offer.game.pk,
            tuple((tile.table.number, tile.filled, tile.seats, tile.hands_left) for tile in offer.tiles),
            offer.next_entry and offer.next_entry.pk,
            *(offer.next_seat, offer.runs_out, tuple(entry.pk for entry in offer.passed)),
        )
        for name, offer in offers.items()
    }
    yield from _rows("tables/floor_game.html", room, versions, lambda name: {"offer": offers[name]})


def wall(*, room_id: int) -> Iterator[Part]:
    """Yield a row of the wall for each game that is open."""
    rows, room = {row.game.name: row for row in lobby(room_id).games}, room_of(room_id)
    versions = {
        name: (row.game.pk, tuple(row.each), row.has_dealer, row.newest_hand_at, row.seats_at)
        for name, row in rows.items()
    }
    yield from _rows("tables/lobby_game.html", room, versions, lambda name: {"row": rows[name]})


def wall_on_request(*, room_id: int) -> Iterator[Part]:
    """Yield a row of the wall for each game that the floor would open."""
    asked, room = {game.name: (game, waiting) for game, waiting in lobby(room_id).on_request}, room_of(room_id)
    versions = {name: (game.pk, game.buy_in_min_cents) for name, (game, _) in asked.items()}

    def shown(name: str) -> dict[str, Any]:
        return dict(zip(("game", "waiting"), asked[name], strict=True))

    yield from _rows("tables/lobby_on_request.html", room, versions, shown)


# By template, room, game and language.
_kept_rows: Kept[tuple[str, int, str, str], SafeString] = Kept()


def _rows(
    template: str, room: Room, versions: Mapping[str, Hashable], shown: Callable[[str], dict[str, Any]]
) -> Iterator[Part]:
    """
    Yield a row for each game, by its name, in the order given; drawn anew where anything that it shows is another.

    `versions` says all that a row shows but for the game's list, which is shown by each.
    """
    prints = list_prints(room.pk) if is_keeping() else {}
    here = (room.currency, room.locale, room.time_zone)
    by_key = {(template, room.pk, name, get_language()): name for name in versions}
    html = _kept_rows.of(
        {key: (here, versions[name], prints.get(name, "")) for key, name in by_key.items()},
        lambda keys: {key: render_to_string(template, {**shown(key[2]), "room": room}) for key in keys},
    )
    for place, row in enumerate(html.values()):
        yield Part((OF_TABLES, place), row)


def wall_foot(*, room_id: int) -> Iterator[Part]:
    """Yield the seats free in the whole room, once anything is dealt."""
    shown = lobby(room_id)
    if shown.has_begun:
        yield _part((OF_TABLES,), "tables/lobby_foot.html", lobby=shown)


def _part(rank: tuple[Any, ...], template: str, **shown: Any) -> Part:
    return Part(rank, render_to_string(template, shown))
