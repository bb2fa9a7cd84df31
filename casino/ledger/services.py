"""
What staff do with the ledger itself, and what other apps post with.

All but `stock_vault` is for other apps' services, inside their transactions.
"""

from collections.abc import Iterable

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed
from casino.ledger.chart import VAULT, PostingLine, of_house
from casino.ledger.chips import check_chips
from casino.ledger.errors import VaultShort
from casino.ledger.posting import mirror, open_accounts, post, reverse
from casino.ledger.selectors.accounts import house_figures, is_vault_new
from casino.people.errors import NeedsSecondSignature
from casino.people.services.signatures import check_signed
from casino.rooms.selectors import lock_open_day, lock_room

__all__ = ["check_vault_gave", "mirror", "open_accounts", "post", "reverse", "stock_vault", "vault_signs"]

# What the second person must be allowed to do.
NEEDS = "ledger.approve_vault"


def check_vault_gave(room_id: int, lines: Iterable[PostingLine]) -> None:
    """
    Ask, after a transfer of these lines, whether the vault held what it has given. One query, where it gave something.

    No row of the vault is locked before, for accounts come last: their own rows are, once they are posted to, and the
    refusal undoes that. Where somebody gives who may not read what lies there, it is asked by the cage's `vault_gives`.

    :raises VaultShort: it did not.
    """
    gave = {line.kind for line in lines if line.owner_kind == "house" and line.kind in VAULT and line.cents < 0}
    if gave and min(house_figures(room_id)[kind] for kind in gave) < 0:
        raise VaultShort


def vault_signs(*, cash_cents: int, chips_cents: int) -> str:
    """Return what the second person signs: how much cash and how many chips, in cents."""
    return f"vault.{cash_cents}.{chips_cents}"


@service("ledger.stock_vault")
def stock_vault(command: Command, *, cash_cents: int, chips_cents: int, approved_by_id: int | None = None) -> Outcome:
    """
    Put the house's own cash and newly issued chips into the vault.

    The other ends are `house_money` and `chips_issued`, so that every chip in the house can be traced
    to its issue. Negative amounts take out. `approved_by_id` is a second person, who has signed `vault_signs` with
    their own PIN. The first time in a room nobody has to: there may be no second person yet.

    :raises NeedsSecondSignature: nobody has signed, or not this.
    :raises NoOpenDay: no gaming day is open.
    :raises Malformed: both amounts are zero.
    :raises NotInChips: there are no such chips.
    :raises VaultShort: more is taken out than lies there.
    """
    if not cash_cents and not chips_cents:
        raise Malformed(field="cash_cents")
    check_chips(command.room_id, chips_cents, at=command.at)
    # Locked: two who each stock alone must not both be the first.
    room = lock_room(command.room_id)
    if approved_by_id is not None:
        signs = vault_signs(cash_cents=cash_cents, chips_cents=chips_cents)
        check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    elif not is_vault_new(room.id):
        raise NeedsSecondSignature
    day = lock_open_day(room.id)
    open_accounts(room, "house", room.id)
    lines = [
        of_house(room.id, "vault_cash", cash_cents),
        of_house(room.id, "house_money", -cash_cents),
        of_house(room.id, "vault_chips", chips_cents),
        of_house(room.id, "chips_issued", -chips_cents),
    ]
    transfer_id = post(
        room_id=room.id,
        day_id=day.id,
        kind="vault_stocked",
        lines=lines,
        key=f"vault.{command.id}",
        made_by_id=command.by.staff_id,
        at=command.at,
        approved_by_id=approved_by_id,
    )
    check_vault_gave(room.id, lines)
    return Outcome(chain="vault", data={"transfer_id": transfer_id})
