"""The lobby's wall is pushed to every television and phone that shows it."""

from casino.live.areas import WALL, WALL_FOOT, WALL_ON_REQUEST
from casino.live.audiences import Audience
from casino.live.audiences import register as register_audience
from casino.lobby.views import render_lobby


def register() -> None:
    """Make the wall's audience known to `live`."""
    register_audience(
        Audience(
            name="lobby",
            pattern="lobby",
            page="/lobby/",
            render=render_lobby,
            shows=(WALL, WALL_ON_REQUEST, WALL_FOOT),
        )
    )
