"""What is said of a jackpot by a house's clauses."""

from casino.rulebooks import reasons
from jackpot.rules.claims import Reason


def register() -> None:
    """Let books name the criteria of a claim, and the reasons of every refusal."""
    reasons.register_refusals("jackpot")
    reasons.register(*Reason)
