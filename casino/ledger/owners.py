"""
What owners of accounts are called.

The ledger knows a table or a drawer by its id alone. Whoever owns them tells here, from an AppConfig,
how people call them.
"""

from collections.abc import Callable, Iterable

from casino.people.selectors import nicknames

Names = Callable[[Iterable[int]], dict[int, str]]

_names: dict[str, Names] = {"player": nicknames, "house": lambda ids: dict.fromkeys(ids, "")}


def register(owner_kind: str, names: Names) -> None:
    """Tell how owners of a kind are called: `names(ids)` returns what stands behind the kind's own word, by id."""
    assert owner_kind not in _names, f"{owner_kind} is named twice"
    _names[owner_kind] = names


def names_of(owner_kind: str, ids: Iterable[int]) -> dict[int, str]:
    """Return what these owners are called, by id; where nobody told, their ids. One query."""
    wanted = set(ids)
    known = _names[owner_kind](wanted) if wanted and owner_kind in _names else {}
    return {each: known.get(each, f"#{each}") for each in wanted}
