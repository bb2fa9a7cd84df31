"""
The table of the ways in: each command with its tap on a page and its call, as each app declares them.

They are found here. A module gives `WAYS`, and where it needs them `NEWEST` (models of whose newest row its ways speak,
by the name that they use), `NAMES` (how to find what else they name), and `ONE_DOOR`: what no page taps, with why not.
"""

import importlib
import pkgutil
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db.models import Model

from tests.doors.way import AT_TABLES, Way
from tests.tables.conftest import House

_modules: list[Any] = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
WAYS: list[Way] = [way for module in _modules for way in getattr(module, "WAYS", ())]
ONE_DOOR: dict[str, str] = {name: why for module in _modules for name, why in getattr(module, "ONE_DOOR", {}).items()}


def _of_newest(house: House, *, model: type[Model], field: str) -> Any:
    return getattr(model._default_manager.order_by("-pk").first(), field, 0)


def _finders() -> dict[str, Callable[[House], Any]]:
    finders = dict(AT_TABLES)
    for module in _modules:
        for name, model in getattr(module, "NEWEST", {}).items():
            finders[name] = partial(_of_newest, model=model, field="pk")
            finders[f"{name}_version"] = partial(_of_newest, model=model, field="version")
        finders |= getattr(module, "NAMES", {})
    return finders


_FINDERS = _finders()


class Named(dict[str, Any]):
    """What there is in the house just now, by the words that `WAYS` uses; each is looked for when it is first named."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self._house = house

    def __missing__(self, name: str) -> Any:
        found = self[name] = _FINDERS[name](self._house)
        return found
