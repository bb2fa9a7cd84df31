"""The floor's map is pushed to whoever has it open."""

from casino.cage.audiences import DAY
from casino.floor.views import render_map
from casino.live.areas import FIGURES, LISTS, TILES, TODO
from casino.live.audiences import Audience
from casino.live.audiences import register as register_audience


def register() -> None:
    """Make the map's audience known to `live`."""
    register_audience(
        Audience(
            name="floor",
            pattern="floor",
            page="/floor/",
            render=render_map,
            hears=(DAY,),
            shows=(FIGURES, TODO, TILES, LISTS),
        )
    )
