"""What the floor writes down of an incident: by which of the clauses of its book."""

from collections.abc import Iterable, Sequence


def clauses_first(likely: Sequence[str], known: Iterable[str]) -> tuple[str, ...]:
    """Return the clauses of a book, the likely ones first, the others in order."""
    every = list(known)
    return (*likely, *(clause for clause in every if clause not in likely))
