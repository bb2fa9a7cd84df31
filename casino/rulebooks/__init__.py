"""House rules as data: one TOML file per house, the typed schema that reads them, and the clauses they stand on."""

from casino.rulebooks.reading import (
    RuleBookError,
    digest,
    known_as,
    load,
    parse,
    setting_clauses,
    shipped,
    shipped_as,
    text_of,
)
from casino.rulebooks.schema import Game, HouseInBook, RuleBook, Settings, Structure, Timers, Venue

__all__ = [
    "Game",
    "HouseInBook",
    "RuleBook",
    "RuleBookError",
    "Settings",
    "Structure",
    "Timers",
    "Venue",
    "digest",
    "known_as",
    "load",
    "parse",
    "setting_clauses",
    "shipped",
    "shipped_as",
    "text_of",
]
