"""Which clauses a kind of incident is likeliest about, so that the floor picks one with a tap."""

from collections.abc import Iterable

# A penalty is a time away from the table (H1.48); what lasts longer is a ban, and a manager's.
PENALTY_MINUTES_MAX = 240
PENALTY_MINUTES = (10, 20, 30, 60)

LIKELY: dict[str, tuple[str, ...]] = {
    "ruling": ("H1.81", "H1.49", "H1.54", "H1.72", "H3.19", "L-P11", "R-§1.2", "R26", "R-§18-3", "U52"),
    "warning": ("H1.4", "H1.15", "H1.28", "H1.48", "H1.73", "R-§16-3", "R-§16-1", "R-§15-3", "U-R12", "U-R11", "U-R19"),
    "penalty": ("H1.48", "H1.15", "H1.73", "H1.76", "R-§16-3", "R-§16-1", "R-§15-3", "U-R12", "U-R19", "U-R22"),
    "inspected": ("H1.74", "H1.73", "R-§20", "R-§1.2", "U-R20", "U-R14", "U-R19"),
    "returned": ("H1.79", "R-§1.2", "U-R14", "U-R18.1", "U-R22", "L-P11"),
    "passed": ("H1.63", "H1.73", "R-§20", "R-§1.2", "U-R22", "U-R12"),
}


def clauses_first(kind: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the clauses of a book, those first that incidents of this kind are usually about, the others in order."""
    every = list(known)
    first = [clause for clause in LIKELY.get(kind, ()) if clause in every]
    return (*first, *(clause for clause in every if clause not in first))
