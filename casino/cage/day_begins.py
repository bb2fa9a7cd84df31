"""
What begins with a gaming day by itself: other apps add theirs from their AppConfig (`jackpot`: pools that the rule book
has and the room has not). The opening calls them inside its own transaction, once the day is there.
"""

from collections.abc import Callable

from casino.commands.carrying_out import Command

# Takes the command and the day's id; returns the ids of what has begun, by name, for the answer and the log.
DayBegin = Callable[[Command, int], dict[str, list[int]]]

_begins: list[DayBegin] = []


def register(begin: DayBegin) -> None:
    """Add something that begins with the day."""
    _begins.append(begin)


def begin_with_day(command: Command, day_id: int) -> dict[str, list[int]]:
    """Begin all of it; return the ids of what has begun, by name, without what nothing has begun of."""
    return {name: ids for begin in _begins for name, ids in begin(command, day_id).items() if ids}
