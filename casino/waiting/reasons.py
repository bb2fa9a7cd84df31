"""What screens of the lists say by a house's clauses beside refusals."""

from casino.rulebooks import reasons
from casino.waiting import errors

CITED = ("call_runs_out",)


def register() -> None:
    """Let books name them, and the reasons of every refusal, which the module of errors registers."""
    assert errors, "its refusals are known by being imported"
    reasons.register(*CITED)
