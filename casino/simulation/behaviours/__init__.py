"""
What people do. Each module here declares behaviours; a new one is a new file, and nothing else changes.

    @behaviour("a player tops up", weight=2)
    def tops_up(night: Night) -> str | None:
        ...

Its docstring, where it has one, stands alone: who does what, and what the house must then do or refuse.
A behaviour looks at the felt, draws from `night.rng` alone, moves chips on the felt, taps, and returns a word on
what it did, or None when there is nothing for it to do now: then another one is drawn.
"""

import importlib
import pkgutil
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from casino.simulation.night import Night

Does = Callable[["Night"], "str | None"]


@dataclass(frozen=True)
class Behaviour:
    """
    One thing that happens in a room, how often, and, for a fault of the machines, the switch that allows it.

    `of` is what the nights are meant for in which it happens alone (`Plan.of`), "" for all.
    """

    name: str
    weight: float
    do: Does
    fault: str = ""
    of: str = ""


_behaviours: dict[str, Behaviour] = {}


def behaviour(name: str, *, weight: float, fault: str = "", of: str = "") -> Callable[[Does], Does]:
    """Make a function a behaviour of every night from now on."""

    def declare(do: Does) -> Does:
        assert name not in _behaviours, f"two behaviours are called {name}"
        _behaviours[name] = Behaviour(name, weight, do, fault, of)
        return do

    return declare


def behaviours_with(faults: frozenset[str], of: Collection[str] = ()) -> tuple[Behaviour, ...]:
    """Return what happens in a night `of` these things where only these faults are switched on, by name."""
    may_happen = (each for each in all_behaviours() if not each.of or each.of in of)
    return tuple(each for each in may_happen if not each.fault or each.fault in faults)


def all_faults() -> frozenset[str]:
    """Return the switches of all faults."""
    return frozenset(each.fault for each in all_behaviours() if each.fault)


@cache
def all_behaviours() -> tuple[Behaviour, ...]:
    """Return everything that may happen, in an order that no file system decides."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return tuple(sorted(_behaviours.values(), key=lambda each: each.name))
