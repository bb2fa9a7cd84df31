"""Which screens show the waiting lists, and what is rendered for each."""

from casino.cage.audiences import DAY
from casino.live import areas
from casino.live.audiences import Audience
from casino.live.audiences import register as register_audience
from casino.people.news import AT_TABLE, PLAYERS, SHIFTS
from casino.waiting import parts
from casino.waiting.views.phone import render_phone
from tables.audiences import ROOM

# What changes what the lists give: the news of the tables, whose seats they wait for and which they tell too, how
# players are called, and who deals.
_MAP, _WALL = ROOM
_SEEN_BY_ALL = (_WALL, *PLAYERS, *AT_TABLE, DAY)
_SEEN_BY_FLOOR = (_MAP, *PLAYERS, *SHIFTS, *AT_TABLE, DAY)


def register() -> None:
    """Make the phones' audience known to `live`, and give the screens above what they show of the lists."""
    areas.TODO.give(parts.todo, news=_SEEN_BY_FLOOR)
    areas.LISTS.give(parts.lists, news=_SEEN_BY_FLOOR)
    areas.WALL.give(parts.wall, news=_SEEN_BY_ALL)
    areas.WALL_ON_REQUEST.give(parts.wall_on_request, news=_SEEN_BY_ALL)
    areas.WALL_FOOT.give(parts.wall_foot, news=_SEEN_BY_ALL)
    areas.SITS.give(parts.of_who_sits)
    areas.LEAVES.give(parts.of_leaver)
    areas.GONE.give(parts.of_gone)
    # Its page is found by the pass, which no address names.
    register_audience(Audience(name="pass", pattern="pass.{number}", render=render_phone))
