"""What the floor writes down of an incident: for how long a penalty, and by which of the clauses of its book."""

from collections.abc import Iterable, Sequence

# A penalty is a time away from the table (H1.48); what lasts longer is a ban, and a manager's.
PENALTY_MINUTES_MAX = 240
PENALTY_MINUTES = (10, 20, 30, 60)


def clauses_first(likely: Sequence[str], known: Iterable[str]) -> tuple[str, ...]:
    """Return the clauses of a book, the likely ones first, the others in order."""
    every = list(known)
    return (*likely, *(clause for clause in every if clause not in likely))
