"""
What people do. Each module here declares behaviours; a new one is a new file, and nothing else changes.

    @behaviour("a player tops up", weight=2)
    def tops_up(night: Night) -> str | None:
        ...

A behaviour looks at the felt, draws from `night.rng` alone, moves chips on the felt, taps, and returns a word on
what it did, or None when there is nothing for it to do now: then another one is drawn.
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from casino.simulation.night import Night

Does = Callable[["Night"], "str | None"]


@dataclass(frozen=True)
class Behaviour:
    """One thing that happens in a room, how often, and whether it is a fault of the machines."""

    name: str
    weight: float
    do: Does
    is_fault: bool = False


_behaviours: dict[str, Behaviour] = {}


def behaviour(name: str, *, weight: float, is_fault: bool = False) -> Callable[[Does], Does]:
    """Make a function a behaviour of every night from now on."""

    def declare(do: Does) -> Does:
        assert name not in _behaviours, f"two behaviours are called {name}"
        _behaviours[name] = Behaviour(name, weight, do, is_fault)
        return do

    return declare


@cache
def all_behaviours(*, with_faults: bool = True) -> tuple[Behaviour, ...]:
    """Return everything that may happen, in an order that no file system decides."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    found = sorted(_behaviours.values(), key=lambda each: each.name)
    return tuple(each for each in found if with_faults or not each.is_fault)
