"""What screens of the tables say by a house's clauses beside refusals: the to-do, the lists, the sheets."""

import importlib
import pkgutil

import tables
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
    """Let books name them, and the reasons of every refusal, also of those that nothing has imported yet."""
    for module in pkgutil.iter_modules(tables.__path__, "tables."):
        if module.name.startswith("tables.errors"):
            importlib.import_module(module.name)
    reasons.register(*CITED, *Why, *Chosen, *Because)
