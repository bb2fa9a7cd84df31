"""
What the lists give the screens that show several apps: the floor's map and the lobby's wall.

Each game is a row with its tables and who waits for it, in the active language.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from casino.live.areas import Part
from casino.live.templatetags.live import part
from casino.live.todo import ToDoLine, in_order
from casino.reading import Kept, is_keeping
from casino.rooms.models import Room
from casino.rooms.selectors import room_of
from casino.waiting.selectors.closing import with_right
from casino.waiting.selectors.games import games_on_map
from casino.waiting.selectors.prints import list_prints
from casino.waiting.selectors.todo import list_lines
from casino.waiting.selectors.wall import lobby
from tables.selectors.running import tables_of
from tables.selectors.todo import with_clauses

# The rank of what is of the lists, among what others give.
OF_LISTS = 10


def todo(*, room_id: int) -> Iterable[ToDoLine]:
    """Return what the lists leave the floor to do."""
    return with_clauses(in_order(list_lines(games_on_map(room_id))), tables_of(room_id))


def lists(*, room_id: int) -> Iterator[Part]:
    """Yield each game with its tables and who waits for it, as the map orders them."""
    offers, room = {offer.game.name: offer for offer in games_on_map(room_id)}, room_of(room_id)
    versions = {
        name: (
            offer.game.pk,
            tuple((tile.table.number, tile.filled, tile.seats, tile.hands_left) for tile in offer.tiles),
            offer.next_entry and offer.next_entry.pk,
            *(offer.next_seat, offer.runs_out, tuple(entry.pk for entry in offer.passed)),
        )
        for name, offer in offers.items()
    }
    yield from _rows("waiting/floor_game.html", room, versions, lambda name: {"offer": offers[name]})


def wall(*, room_id: int) -> Iterator[Part]:
    """Yield a row of the wall for each game that is open."""
    rows, room = {row.game.name: row for row in lobby(room_id).games}, room_of(room_id)
    versions = {
        name: (row.game.pk, tuple(row.each), row.has_dealer, row.newest_hand_at, row.seats_at)
        for name, row in rows.items()
    }
    yield from _rows("waiting/lobby_game.html", room, versions, lambda name: {"row": rows[name]})


def wall_on_request(*, room_id: int) -> Iterator[Part]:
    """Yield a row of the wall for each game that the floor would open."""
    requests, room = {game.name: (game, waiting) for game, waiting in lobby(room_id).on_request}, room_of(room_id)
    versions = {name: (game.pk, game.buy_in_min_cents) for name, (game, _) in requests.items()}

    def shown(name: str) -> dict[str, Any]:
        return dict(zip(("game", "waiting"), requests[name], strict=True))

    yield from _rows("waiting/lobby_on_request.html", room, versions, shown)


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
        yield Part((OF_LISTS, place), row)


def wall_foot(*, room_id: int) -> Iterator[Part]:
    """Yield the seats free in the whole room, once anything is dealt."""
    on_wall = lobby(room_id)
    if on_wall.has_begun:
        yield Part((OF_LISTS,), part("waiting/lobby_foot.html", free=on_wall.free))


def of_who_sits(*, player_id: int) -> Iterator[Part]:
    """Yield the way to a player's phone."""
    yield _part("waiting/phone_button.html", player_id=player_id)


def of_leaver(*, number: int, seating_id: int, is_proposed: bool) -> Iterator[Part]:
    """Yield the tap by which a player of a closing table waits before the list."""
    yield _part("waiting/closing_waits.html", number=number, seating_id=seating_id, is_proposed=is_proposed)


def of_gone(*, number: int, opening_id: int, on: str) -> Iterator[Part]:
    """Yield a row for each who waits by right since a table closes."""
    for waits in with_right(opening_id):
        yield _part("waiting/closing_gone.html", number=number, waits=waits, on=on)


def _part(template: str, **context: Any) -> Part:
    return Part((OF_LISTS,), render_to_string(template, context))
