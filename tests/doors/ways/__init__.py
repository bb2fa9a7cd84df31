"""
The table of the ways in: each command with its tap on a page and its call, as each app declares them.

They are found here. A module gives `WAYS`, and where it needs them `NEWEST` (models of whose newest row its ways speak,
by the name that they use), `names(house)` (what else they name), and `ONE_DOOR`: what no page taps, with why not.
"""

import importlib
import pkgutil
from typing import Any

from tests.doors.way import Names, Way, names_at_tables
from tests.tables.conftest import House

_modules: list[Any] = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
WAYS: list[Way] = [way for module in _modules for way in getattr(module, "WAYS", ())]
ONE_DOOR: dict[str, str] = {name: why for module in _modules for name, why in getattr(module, "ONE_DOOR", {}).items()}


def names_of(house: House) -> Names:
    """Return what there is in the house just now, by the words that `WAYS` uses."""
    names = names_at_tables(house)
    for module in _modules:
        for name, model in getattr(module, "NEWEST", {}).items():
            row = model.objects.order_by("-id").first()
            names |= {name: getattr(row, "pk", 0), f"{name}_version": getattr(row, "version", 0)}
        if hasattr(module, "names"):
            names |= module.names(house)
    return names
