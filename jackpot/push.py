"""What tells the screens that a jackpot's sum has changed, and what they show of it."""

from collections.abc import Container, Iterator
from datetime import datetime

from casino.cage.audiences import DAY
from casino.live.areas import FELT, WALL_FOOT, Part
from casino.live.audiences import Audience
from casino.live.audiences import register as register_audience
from casino.live.templatetags.live import part
from jackpot.news import render_claims, render_jackpots
from jackpot.selectors.pools import pool_at, shown_pools, tables_feeding
from tables.audiences import MAP

# Told by whoever changes a pool; every screen that shows all sums hears it.
NEWS = "jackpot.sum"
# Told beside it of each table whose hands feed the pool: its tablet shows that one sum.
AT_TABLE = "jackpot.sum.{number}"
# Told by whoever changes a claim or one of its shares.
CLAIMS = "jackpot.claims"
_RANK = 50


def wall_foot(*, room_id: int) -> Iterator[Part]:
    """Yield the sums of the room's jackpots, for the lobby's wall."""
    pools = shown_pools(room_id)
    if pools:
        yield Part((_RANK,), part("jackpot/lobby_foot.html", pools=tuple(pools)))


def felt(*, room_id: int, number: int) -> Iterator[Part]:
    """Yield the sum of the jackpot that a table's hands feed, for its tablet."""
    pool = pool_at(room_id, number)
    if pool is not None:
        yield Part((_RANK,), part("jackpot/felt.html", pool=pool))


def sum_news(room_id: int, pools: Container[int], *, at: datetime) -> tuple[str, ...]:
    """Return the news that these pools' sums change: of all sums, and at each table that feeds them. Three queries."""
    return (NEWS, *(AT_TABLE.format(number=number) for number in tables_feeding(room_id, pools, at=at)))


def register() -> None:
    """
    Show the sums on the lobby's wall, and each at the tables that feed it: they change by themselves with the close of
    a day, and as pools open. Who has a claim or a jackpot open hears what becomes of it; a claim's hand may be put
    right at its table.
    """
    WALL_FOOT.give(wall_foot, news=(NEWS, DAY))
    FELT.give(felt, news=(AT_TABLE,))
    hears = (CLAIMS, NEWS, MAP)
    register_audience(
        Audience(name="claims", pattern="claims", page="/jackpot/claims/", render=render_claims, hears=hears)
    )
    hears = (CLAIMS, NEWS, DAY)
    register_audience(
        Audience(name="jackpots", pattern="jackpots", page="/jackpot/pools/", render=render_jackpots, hears=hears)
    )
