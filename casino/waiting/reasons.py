"""What screens of the lists say by a house's clauses beside refusals."""

from casino.rulebooks import reasons

CITED = ("call_runs_out",)


def register() -> None:
    """Let books name them, and the reasons of every refusal."""
    reasons.register_refusals("casino.waiting")
    reasons.register(*CITED)
