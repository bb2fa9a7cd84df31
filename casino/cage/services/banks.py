"""
Runners' banks: drawers that a runner holds, out of which chips are sold at the tables.

A bank opens with a float that its runner counted with somebody of the cage, and has signed for. It is counted and
closed as any drawer is (`counting`), by two of whom neither its runner counts; another runner gets it by being opened
anew. Money and chips of it lie on its own accounts, and what a count finds missing is its runner's to explain.
"""

from casino.cage import deliveries, rules
from casino.cage.errors_banks import BankSellsToSeats, HoldsNoBank
from casino.cage.models import DrawerSession, Slip
from casino.cage.services.amounts import Pieces
from casino.cage.services.locks import check_place, follow_short, look_at_slip
from casino.cage.services.opening import open_with_float
from casino.cage.services.paying import pay
from casino.commands.carrying_out import Command, Outcome, service
from casino.people.services.signatures import check_signed

# What a runner must be allowed to do who holds a bank, and sells out of it.
NEEDS_TO_HOLD = "cage.hold_bank"


def bank_signs(drawer_id: int, *, cash: Pieces, chips: Pieces) -> str:
    """Return what a runner signs who gets a bank: which one, and what its float comes to."""
    return f"bank.{drawer_id}.{rules.cents_of(cash)}.{rules.cents_of(chips)}"


def sale_signs(slip_id: int) -> str:
    """Return what a runner signs who sells out of their bank on a device where somebody else is signed in."""
    return f"bank_sale.{slip_id}"


@service("cage.open_bank", refused=follow_short)
def open_bank(
    command: Command, *, drawer_id: int, cash: Pieces, chips: Pieces, approved_by_id: int, version: int | None = None
) -> Outcome:
    """
    Open a bank for a runner, with a float out of the vault that the runner has counted too; else as `open_drawer`.

    `approved_by_id` is the runner, who has signed `bank_signs` with their own PIN (`people.services.second_person`,
    before this command), and holds it until it is counted and closed.

    :raises NotABank: it is a drawer of the cage.
    :raises HoldsABank: the runner holds another one.
    :raises VaultShort, VaultCountedFirst, Refusal: as `open_drawer`.
    """
    signed = (approved_by_id, NEEDS_TO_HOLD, bank_signs(drawer_id, cash=cash, chips=chips))
    return open_with_float(command, drawer_id, (cash, chips), signed, version, is_bank=True)


@service("cage.sell_from_bank")
def sell_from_bank(
    command: Command, *, slip_id: int, approved_by_id: int | None = None, version: int | None = None
) -> Outcome:
    """
    Sell a seat the chips that it asked for out of a runner's bank, for cash: they are there at once.

    `approved_by_id` is the runner who has signed `sale_signs` with their own PIN, on the table's tablet for one; else
    who taps sells out of their own. What holds at the cage holds here: sums, limits, whose identity is known.

    :raises NeedsSecondSignature: the runner has not signed this.
    :raises NotFound: no such slip.
    :raises NotPermitted: the device stands at another table, or at the cage.
    :raises BankSellsToSeats: it asks for something else.
    :raises HoldsNoBank: the runner holds none that is open.
    :raises MoneyIsElsewhere: the cage or another runner has the money.
    :raises Stale, SlipNotWaiting, Refusal: as `take_money`.
    """
    holder_id = command.staff_id
    if approved_by_id is not None:
        check_signed(command, approved_by_id, needs=NEEDS_TO_HOLD, signs=sale_signs(slip_id))
        holder_id = approved_by_id
    slip = look_at_slip(command.room_id, slip_id)
    check_place(command, slip)
    if slip.kind != Slip.Kind.BUY_IN or slip.seat is None or deliveries.of(slip).was_paid:
        raise BankSellsToSeats
    held = DrawerSession.objects.filter(holder_id=holder_id, closed_at=None).values_list("drawer_id", flat=True).first()
    if held is None:
        raise HoldsNoBank
    return pay(command, slip, drawer_id=held, method=rules.CASH, version=version, holder_id=holder_id)
