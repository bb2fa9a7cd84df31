"""
What begins with a gaming day by itself: other apps add theirs from their AppConfig (`jackpot`: pools that the rule book
has and the room has not; `tables`: games that play on from the day before). The opening calls them inside its own
transaction, once the day is there.
"""

from collections.abc import Callable
from dataclasses import dataclass

from casino.commands.carrying_out import Command

# Takes the command and the day's id; returns the ids of what has begun, by name, for the answer and the log.
DayBegin = Callable[[Command, int], dict[str, list[int]]]
# Takes the room's id; returns the audiences that show what has begun.
Screens = Callable[[int], tuple[str, ...]]


@dataclass(frozen=True)
class _Begins:
    begin: DayBegin
    audiences: Screens | None


_begins: list[_Begins] = []


def register(begin: DayBegin, *, audiences: Screens | None = None) -> None:
    """Add something that begins with the day, and who is told where something has."""
    _begins.append(_Begins(begin, audiences))


def begin_with_day(command: Command, day_id: int) -> tuple[dict[str, list[int]], tuple[str, ...]]:
    """Begin all of it; return the ids of what has begun, by name where anything has, and the audiences told."""
    begun: dict[str, list[int]] = {}
    audiences: tuple[str, ...] = ()
    for each in _begins:
        ids_by_name = {name: ids for name, ids in each.begin(command, day_id).items() if ids}
        begun |= ids_by_name
        if ids_by_name and each.audiences is not None:
            audiences += each.audiences(command.room_id)
    return begun, audiences
