"""The house opens: what `manage.py demo` and tests stand on."""

import uuid
from datetime import datetime

from casino.cage.days import open_day
from casino.cage.services import add_drawer, open_drawer
from casino.commands.carrying_out import Actor, Command
from casino.ledger.services import stock_vault


def house_opening(
    *,
    by: Actor,
    at: datetime,
    drawers: int = 1,
    vault_cash_cents: int = 5_000_000,
    vault_chips_cents: int = 20_000_000,
    float_cash_cents: int = 500_000,
    float_chips_cents: int = 2_000_000,
) -> list[int]:
    """
    Open the day, stock the vault and open the drawers with their floats; return the drawers' ids.

    `by` may do what a manager may. Each step is an ordinary command, in the log like any other.
    """

    def command() -> Command:
        return Command(id=uuid.uuid4(), by=by, tapped_at=at, at=at)

    open_day(command())
    stock_vault(command(), cash_cents=vault_cash_cents, chips_cents=vault_chips_cents)
    opened = []
    for number in range(1, drawers + 1):
        drawer_id = add_drawer(command(), number=number, name=f"Cage {number}").data["drawer_id"]
        open_drawer(command(), drawer_id=drawer_id, cash_cents=float_cash_cents, chips_cents=float_chips_cents)
        opened.append(drawer_id)
    return opened
