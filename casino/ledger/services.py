"""
What staff do with the ledger itself, and what other apps post with.

`post`, `reverse` and `open_accounts` are for other apps' services, inside their transactions.
"""

from casino.commands.frame import Command, Outcome, service
from casino.errors import Malformed
from casino.ledger.chart import of_house
from casino.ledger.posting import open_accounts, post, reverse
from casino.rooms.models import Room
from casino.rooms.selectors import lock_open_day

__all__ = ["open_accounts", "post", "reverse", "stock_vault"]


@service("ledger.stock_vault")
def stock_vault(command: Command, *, cash_cents: int, chips_cents: int) -> Outcome:
    """
    Put the house's own cash and newly issued chips into the vault.

    The other ends are `house_money` and `chips_issued`, so that every chip in the house can be traced
    to its issue. Negative amounts take out.

    :raises NoOpenDay: no gaming day is open.
    :raises Malformed: both amounts are zero.
    """
    if not cash_cents and not chips_cents:
        raise Malformed(field="cash_cents")
    room = Room.objects.get(id=command.room_id)
    day = lock_open_day(room.id)
    open_accounts(room, "house", room.id)
    transfer_id = post(
        room_id=room.id,
        day_id=day.id,
        kind="vault_stocked",
        lines=[
            of_house(room.id, "vault_cash", cash_cents),
            of_house(room.id, "house_money", -cash_cents),
            of_house(room.id, "vault_chips", chips_cents),
            of_house(room.id, "chips_issued", -chips_cents),
        ],
        key=f"vault.{command.id}",
        made_by_id=command.by.staff_id,
        at=command.at,
    )
    return Outcome(chain="vault", data={"transfer_id": transfer_id})
