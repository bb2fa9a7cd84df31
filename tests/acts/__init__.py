"""
What is done in the house, as acts that a test may watch: each app's in modules of its own, which are found here.

A module gives `ACTS`, by the name of each command, and `QUIET`, if any: those of them that no screen shows.
"""

import importlib
import pkgutil

from tests.tables.evening import Acts

_modules = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
ACTS: Acts = {name: act for module in _modules for name, act in module.ACTS.items()}
QUIET: set[str] = {name for module in _modules for name in getattr(module, "QUIET", ())}
