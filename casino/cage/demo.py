"""The house opens: what `manage.py demo` and tests stand on."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from casino.cage.rules import hand_over
from casino.cage.selectors.drawers import values_counted
from casino.cage.services import add_drawer, open_day, open_drawer
from casino.cage.services.amounts import Pieces
from casino.cage.services.counting import NEEDS
from casino.cage.services.opening import float_signs
from casino.commands.carrying_out import Actor, Command
from casino.ledger.services import stock_vault
from casino.people.published import STAFF, DemoPerson
from casino.people.services import second_person

# Who counts the floats with whoever opens the house.
SECOND = next(person for person in STAFF if person.username == "frans")


def house_opening(
    *,
    by: Actor,
    at: datetime,
    second: DemoPerson = SECOND,
    drawers: int = 1,
    vault_cash_cents: int = 5_000_000,
    vault_chips_cents: int = 20_000_000,
    float_cash_cents: int = 500_000,
    float_chips_cents: int = 2_000_000,
) -> list[int]:
    """
    Open the day, stock the vault and open the drawers with their floats; return the drawers' ids.

    `by` may do what a manager may, and `second` counts the floats with them. Each step is an ordinary command, in the
    log like any other.
    """

    def command() -> Command:
        return Command(id=uuid.uuid4(), by=by, tapped_at=at, at=at)

    open_day(command())
    stock_vault(command(), cash_cents=vault_cash_cents, chips_cents=vault_chips_cents)
    values, opened = values_counted(by.room_id, at=at), []
    lies = {
        "cash": _pieces(float_cash_cents, values.cash),
        "chips": _pieces(float_chips_cents, values.chips),
    }
    for number in range(1, drawers + 1):
        drawer_id = add_drawer(command(), number=number, name=f"Cage {number}").data["drawer_id"]
        signing, signs = command(), float_signs(drawer_id, **lies)
        signer = second_person(signing, username=second.username, pin=second.pin, needs=NEEDS, signs=signs)
        open_drawer(signing, drawer_id=drawer_id, cash=lies["cash"], chips=lies["chips"], approved_by_id=signer)
        opened.append(drawer_id)
    return opened


def _pieces(cents: int, values: Sequence[int]) -> Pieces:
    return [{"value_cents": value, "count": count} for value, count in hand_over(cents, values) or [(values[0], 0)]]
