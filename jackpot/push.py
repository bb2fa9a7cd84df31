"""What tells the screens that a jackpot's sum has changed, and what they show of it."""

from collections.abc import Iterator

from django.template.loader import render_to_string

from casino.live.areas import WALL_FOOT, Part
from casino.rooms.selectors import room_of
from jackpot.selectors import shown_pools

# Told by whoever changes a pool; every screen that shows a sum hears it.
NEWS = "jackpot.sum"
_RANK = 50


def wall_foot(*, room_id: int) -> Iterator[Part]:
    """Yield the sums of the room's jackpots, for the lobby's wall."""
    pools = shown_pools(room_id)
    if pools:
        html = render_to_string("jackpot/lobby_foot.html", {"pools": pools, "room": room_of(room_id)})
        yield Part((_RANK,), html)


def register() -> None:
    """Show the sums on the lobby's wall. They change by themselves with the close of a day, and as pools open."""
    WALL_FOOT.give(wall_foot, news=(NEWS, "cage.day"))
