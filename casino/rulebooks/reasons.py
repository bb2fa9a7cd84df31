"""
The reasons that a book may name: whoever refuses or says something by one registers it, with our sentence.

A reason that nobody registers is a slip of the pen, and its clause or sentence would never be said.
"""

import importlib
import pkgutil
import re
from collections.abc import Callable, Collection

# What may be filled in: %(minimum)s. A percent sign that is meant as one is written twice.
_FILLED = re.compile(r"%%|%\((\w+)\)s")

_sentences: dict[str, list[Callable[[], object]]] = {}


def register(*reasons: str, sentence: Callable[[], object] | None = None) -> None:
    """Let books name these reasons; `sentence` returns ours, where a house may say its own in its place."""
    for reason in reasons:
        sentences = _sentences.setdefault(str(reason), [])
        if sentence is not None:
            sentences.append(sentence)


def register_refusals(app: str) -> None:
    """
    Import an app's modules of refusals (`errors*.py`), where each class registers its own reasons.

    Apps do when they are ready: a command that reads a book has imported no urls, and so not all of them.
    """
    for module in pkgutil.iter_modules(importlib.import_module(app).__path__):
        if module.name.startswith("errors"):
            importlib.import_module(f"{app}.{module.name}")


def all_reasons() -> frozenset[str]:
    """Return every reason on which a house may found a clause."""
    return frozenset(_sentences)


def registered() -> frozenset[str]:
    """Return the reasons for which a house may have a sentence of its own: those of refusals."""
    return frozenset(reason for reason, sentences in _sentences.items() if sentences)


def names(reason: str) -> tuple[tuple[str, ...], ...]:
    """
    Return what a sentence of this reason may fill in: what ours do, each in alphabetical order.

    Of several refusals by one reason, those that cannot fill a house's sentence say ours.
    """
    filled = (_FILLED.findall(str(sentence())) for sentence in _sentences.get(reason, ()))
    return tuple(dict.fromkeys(tuple(sorted({name for name in each if name})) for each in filled))


def is_fit(sentence: str, names: Collection[str]) -> bool:
    """Say whether a sentence can be filled from these names: Python would fail at others, or write out all it has."""
    return "%" not in _FILLED.sub("", sentence) and all(name in names for name in _FILLED.findall(sentence) if name)
