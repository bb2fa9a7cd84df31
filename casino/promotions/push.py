"""What tells the screens that something was done to a promotion, and what they show of it."""

from collections.abc import Iterator

from django.template.loader import render_to_string

from casino.live.areas import BESIDE_PRIZES, WALL_FOOT, Part
from casino.live.audiences import Audience
from casino.live.audiences import register as register_audience
from casino.promotions.selectors.shown import promotions, running, stands
from casino.rooms.selectors import room_of

# Told by whoever changes a promotion; every screen that shows one hears it.
NEWS = "promotions.news"
# Below the jackpots.
_RANK = 60


def wall_foot(*, room_id: int) -> Iterator[Part]:
    """Yield what the room's promotions pay and who leads, for the lobby's wall."""
    runs = running(room_id)
    if runs:
        html = render_to_string("promotions/lobby_foot.html", {"running": runs, "room": room_of(room_id)})
        yield Part((_RANK,), html)


def beside_prizes(*, room_id: int) -> Iterator[Part]:
    """Yield the way to the promotions' desk, where the room has any."""
    if promotions(room_id):
        yield Part((_RANK,), render_to_string("promotions/beside_prizes.html"))


def render_promotions(*, room_id: int) -> str:
    """Return how each promotion stands, for pages whose forms are their viewer's own. One query."""
    return render_to_string("includes/stands.html", {"stands": stands(room_id)})


def register() -> None:
    """Show what is promised on the lobby's wall; who has a promotion open hears what becomes of it."""
    WALL_FOOT.give(wall_foot, news=(NEWS,))
    BESIDE_PRIZES.give(beside_prizes)
    register_audience(
        Audience(name="promotions", pattern="promotions", page="/promotions/", render=render_promotions, hears=(NEWS,))
    )
