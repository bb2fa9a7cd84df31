"""
What owners of accounts are called, and whose figures somebody is not shown.

The ledger knows a table or a drawer by its id alone. Whoever owns them tells here, from an AppConfig,
how people call them, and which of them somebody holds just now who is to count, or be counted, blind.
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


# Which owners of a kind somebody holds in a room: (room_id, staff_id, day_id) to their ids.
Held = Callable[[int, int, int | None], set[int]]

_held: dict[str, Held] = {}


def blind(owner_kind: str, held: Held) -> None:
    """Tell which owners of a kind somebody holds open: counts are blind, so they are not shown those figures."""
    assert owner_kind not in _held, f"{owner_kind} is told twice"
    _held[owner_kind] = held


def held_by(room_id: int, staff_id: int | None, *, day_id: int | None = None) -> set[tuple[str, int]]:
    """
    Return the owners, by kind and id, whose figures somebody is not shown now. One query for each such kind.

    Those of a gaming day (`day_id`), where one is named: what is held since a later one was in nobody's hands then.
    """
    if staff_id is None:
        return set()
    return {(kind, each) for kind, held in _held.items() for each in held(room_id, staff_id, day_id)}
