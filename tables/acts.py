"""
What a dealer does at the table that belongs to an app which tables do not know: an act in the tablet's menu.

Such an app adds its acts from its AppConfig. The tap goes to the app's own call, with the hand that it is about.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise

from tables.models import Game

Text = str | Promise


@dataclass(frozen=True)
class TableAct:
    """
    One act about a hand: the one in progress, else the newest that was settled.

    `ask` is asked before it is done and takes %(number)s, the hand's; `yes` and `no` answer it; `after` stands in the
    middle of the ring afterwards. `command` is the service's name, `path` the call's address, which takes {number}, the
    table's, and is told `hand_id` alone. `is_offered` says at which games there is such an act.
    """

    code: str
    command: str
    label: Text
    why: Text
    ask: Text
    yes: Text
    no: Text
    after: Text
    path: str
    is_offered: Callable[[Game], bool]


_acts: dict[str, TableAct] = {}


def register(act: TableAct) -> None:
    """Put an act into the menu of every tablet whose game has it, behind those registered before."""
    assert act.code not in _acts, f"{act.code} is registered twice"
    _acts[act.code] = act


def all_acts() -> tuple[TableAct, ...]:
    """Return every act, in the order of registration."""
    return tuple(_acts.values())


def acts_of(game: Game) -> tuple[str, ...]:
    """Return the codes of the acts that a game has."""
    return tuple(act.code for act in _acts.values() if act.is_offered(game))
