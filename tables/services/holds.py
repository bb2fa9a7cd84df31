"""
A hand that waits for the floor: nothing is dealt after it until somebody has decided.

Whoever has a reason (a jackpot's claim) holds the table inside a command of its own, and lets it go again; the tables
know no reason but its code.
"""

from typing import Any

from casino.commands.carrying_out import Outcome
from tables.models import Table
from tables.services.state import done


def hold(table: Table, why: str, *, data: dict[str, Any], audiences: tuple[str, ...] = ()) -> Outcome:
    """Let nothing be dealt at the locked table from now on; the hand in progress is played and settled."""
    table.held_for = why
    return done(table, data=data, audiences=audiences)


def let_go(table: Table, why: str, *, data: dict[str, Any], audiences: tuple[str, ...] = ()) -> Outcome:
    """Let the locked table deal on, unless something else holds it; the same twice changes nothing."""
    if table.held_for == why:
        table.held_for = ""
    return done(table, data=data, audiences=audiences)
