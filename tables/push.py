"""Which screens show tables, and what is rendered for each."""

from casino.cage.audiences import DAY
from casino.live import areas
from casino.live.audiences import Audience
from casino.live.audiences import register as register_audience
from casino.people.news import AT_TABLE, PLAYERS, SHIFTS
from tables import parts
from tables.audiences import DEALERS, MAP
from tables.selectors.dealer import read_tables
from tables.views.dealer import render_table
from tables.views.dealers import render_dealers
from tables.views.floor import render_table as render_floor_table

# What changes what the tables give: their own news, how players are called, and who deals.
_SEEN_BY_FLOOR = (MAP, *PLAYERS, *SHIFTS, *AT_TABLE, DAY)


def register() -> None:
    """Make the audiences of the tables known to `live`, and give the screens above what they show of the tables."""
    areas.FIGURES.give(parts.figures, news=_SEEN_BY_FLOOR)
    areas.TODO.give(parts.todo, news=_SEEN_BY_FLOOR)
    areas.TILES.give(parts.tiles, news=_SEEN_BY_FLOOR)
    register_audience(
        Audience(
            name="dealer",
            pattern="table.{number}.dealer",
            page="/tables/{number}/",
            render=render_table,
            read_ahead=read_tables,
            hears=AT_TABLE,
            shows=(areas.FELT,),
        )
    )
    register_audience(
        Audience(
            name="table_floor",
            pattern="table.{number}.floor",
            page="/floor/tables/{number}/",
            render=render_floor_table,
            hears=AT_TABLE,
            shows=(areas.AT_TABLE,),
        )
    )
    register_audience(
        Audience(
            name="dealers",
            pattern=DEALERS,
            page="/floor/dealers/",
            render=render_dealers,
            hears=(*SHIFTS, *AT_TABLE, DAY),
        )
    )
