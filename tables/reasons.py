"""What screens of the tables say by a house's clauses beside refusals: the to-do, the lists, the sheets."""

from casino.poker.table_change import Because
from casino.rulebooks import reasons
from tables.rules.newcomers import Chosen, Why

CITED = (
    "away_too_long",
    "button_passed",
    "button_passes_again",
    "by_time_not_taken",
    "closed_table_pays_nothing",
    "dealt_in_with_penalty",
    "draws_for_seats",
    "no_chips",
    "players_kept_apart",
    "plays_over",
    "pot_set_aside",
    "seat_held",
    "table_closes",
    "time_not_taken",
)


def register() -> None:
    """Register the tables' reasons, and those of their refusals, so that rule books may name them."""
    reasons.register_refusals("tables")
    reasons.register(*CITED, *Why, *Chosen, *Because)
