"""
What ends with a gaming day by itself.

What must be finished first is in `open_items`; this is the rest, of which the manager is told before. Other apps add
theirs from their AppConfig (`tables`: who still waits for a game), and the closing calls them inside its own
transaction, with the day locked against everybody.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from django.urls import reverse

from casino.commands.carrying_out import Command


@dataclass(frozen=True)
class DayEnd:
    """
    One kind of thing that ends with the day.

    `warning` returns what will end in a room, or what of its kind waits on over the day's end and keeps no day open: a
    sentence or two in the active language, "" where there is nothing. `end` ends it and returns the ids of what has
    ended, by name, for the answer and the log. `audiences` returns which audiences show whether its day is open. `page`
    is where something can be done about it before: what whoever goes there must be allowed, and the name of its
    address.
    """

    warning: Callable[[int], str]
    end: Callable[[Command], dict[str, list[int]]]
    audiences: Callable[[int], tuple[str, ...]] = lambda _room_id: ()
    page: tuple[str, str] | None = None


_ends: list[DayEnd] = []


def register(end: DayEnd) -> None:
    """Add something that ends with the day."""
    _ends.append(end)


def warnings_before(room_id: int, *, may: Collection[str] = ()) -> list[tuple[str, str]]:
    """
    Return a sentence for everything that the day's close would end now, each with the address where whoever is allowed
    so much can do something about it before, "" where there is none for them. One query for each kind.
    """
    return [(sentence, _address(each, may)) for each in _ends if (sentence := each.warning(room_id))]


def _address(end: DayEnd, may: Collection[str]) -> str:
    needs, name = end.page or ("", "")
    return reverse(name) if needs in may else ""


def audiences_of_day(room_id: int) -> tuple[str, ...]:
    """Return the audiences that show whether a room's day is open, of all of it."""
    return tuple(name for each in _ends for name in each.audiences(room_id))


def end_with_day(command: Command) -> dict[str, list[int]]:
    """End all of it; return the ids of what has ended, by name."""
    return {name: ids for each in _ends for name, ids in each.end(command).items()}
