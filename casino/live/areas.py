"""
Areas of screens where several apps show something, each its own: the one registry for all of them.

A screen that stands above those apps gathers what they give, and knows none of them. An app gives in its `push.py`,
with the news by which what it gives changes: every audience that shows the area hears them (`Audience.shows`).

    TILES.give(tiles, news=("bar.poured",))           in the app that has something to show
    Audience(..., shows=(FIGURES, TODO, TILES))       in the app whose screen it is
    TILES.gather(room_id=room_id)                     what all of them give now, in order
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from django.utils.safestring import SafeString, mark_safe

from casino.live.audiences import heard_by
from casino.live.todo import ToDoLine


class _Ranked(Protocol):
    @property
    def rank(self) -> tuple[Hashable, ...]: ...


T = TypeVar("T", bound=_Ranked)


@dataclass(frozen=True)
class Part:
    """
    Something of one app on a screen of another: HTML in the active language.

    Parts stand in the order of their ranks, whose first element is a number: 10, 20, … for those of one kind.
    """

    rank: tuple[Any, ...]
    html: SafeString


def together(parts: Iterable[Part]) -> SafeString:
    """Return parts one after another, "" where there are none. A loop in a template takes longer than forty parts."""
    return mark_safe("".join(part.html for part in parts))  # noqa: S308 - each was made safe by its own template


class Area(Generic[T]):
    """
    One such area. What is given there is called with what the area is about, as keywords.

    `numbers` are those in the names of the audiences that show it: its news say for which they are.
    `is_pushed`: an audience shows it; what only pages show is read with each page, and has no news.
    """

    def __init__(self, *numbers: str, is_pushed: bool = True) -> None:
        self._givers: list[Callable[..., Iterable[T]]] = []
        self._numbers, self.is_pushed = numbers, is_pushed
        self.news: tuple[str, ...] = ()

    def give(self, giver: Callable[..., Iterable[T]], *, news: Iterable[str] = ()) -> None:
        """Add what one app shows there, and the news by which it changes."""
        new = tuple(news)
        assert self.is_pushed or not new, f"nobody hears {new}: only pages show this area"
        for each in new:
            assert all(f"{{{number}}}" in each for number in self._numbers), (
                f"{each} does not say for which {self._numbers}"
            )
        self._givers.append(giver)
        self.news += new
        # Whatever was asked before this app gave would else never be heard there.
        heard_by.cache_clear()

    def gather(self, **about: Any) -> list[T]:
        """Return what all apps show there now, in the active language and in the order of the ranks."""
        return sorted((each for giver in self._givers for each in giver(**about)), key=lambda each: each.rank)


# Of the whole room (`room_id`): the line of figures, the floor's to-do, a tile for each table or whatever else is
# open, and the games or other things for which people wait.
FIGURES: Area[Part] = Area()
TODO: Area[ToDoLine] = Area()
TILES: Area[Part] = Area()
LISTS: Area[Part] = Area()
# What everybody may read on the lobby's wall (`room_id`): rows of what is played, then of what would be opened for who
# asks, and the sum at its foot.
WALL: Area[Part] = Area()
WALL_ON_REQUEST: Area[Part] = Area()
WALL_FOOT: Area[Part] = Area()
# On the floor's page of a table (`number`): ways to what other apps do there. Its news say at which table.
AT_TABLE: Area[Part] = Area("number")
# At the edge of the felt, on a table's own tablet (`room_id`, `number`): players read it from 60 cm away. Its news say
# at which table: "bar.poured.{number}".
FELT: Area[Part] = Area("number")
# What else the house pays out, on the jackpots' desk (`room_id`): ways to other desks.
BESIDE_PRIZES: Area[Part] = Area(is_pushed=False)
# What else is told of gaming days, on the page of the day (`room_id`): ways to other pages.
BESIDE_DAY: Area[Part] = Area(is_pushed=False)
# What is known of a player (`room_id`, `player_id`), for who pays and is paid.
PERSON: Area[Part] = Area(is_pushed=False)
# On the floor's sheets: of somebody who sits (`player_id`); in the row of a player who is still at a closing table,
# beside the seat that is proposed (`number`, `seating_id`, `is_proposed`); and a row for each who has gone from there
# otherwise than to another seat (`number`, `opening_id`, `on`: the page that the sheet lies on).
SITS: Area[Part] = Area(is_pushed=False)
LEAVES: Area[Part] = Area(is_pushed=False)
GONE: Area[Part] = Area(is_pushed=False)
