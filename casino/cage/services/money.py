"""
Who has the money of a request: it changes hands by one tap of whoever takes it, until the cage has been paid with it.

It begins with the player, whatever table they sit at: until somebody has said that they took it, nobody of the house
answers for cash that they may never have seen.
"""

from typing import Any

from casino.cage import deliveries, rules
from casino.cage.errors import SlipNotWaiting
from casino.cage.errors_banks import MoneyIsElsewhere
from casino.cage.models import RequestMoney, Slip
from casino.cage.selectors.money import money_of
from casino.cage.services.locks import check_place, lock_slip, look_at_slip, own_chain, screens
from casino.commands.carrying_out import Actor, Command, Outcome, service
from casino.errors import Malformed, NotPermitted
from casino.people.services.signatures import check_signed
from casino.rooms.models import Place

With = RequestMoney.With
# What whoever signs on another's device that they carry it must be allowed to do.
NEEDS_TO_CARRY = "cage.carry_money"


def carry_money_signs(slip_id: int) -> str:
    """Return what a runner signs who takes the money of a request on a device where somebody else is signed in."""
    return f"money.{slip_id}"


@service("cage.note_money")
def note_money(command: Command, *, slip_id: int, money_with: str, approved_by_id: int | None = None) -> Outcome:
    """
    Note who has the money of a request now, as the one who took it says: the dealer, a runner, the cage; or that it
    went back to the player.

    `approved_by_id` is a runner who has signed `carry_money_signs` with their own PIN, on the table's tablet for one;
    else who taps has it. Once the request was cancelled, or paid otherwise, money can only go back.

    :raises Malformed: no such holder; somebody signs who is no runner.
    :raises NotFound: no such slip.
    :raises NotPermitted: who is not at the cage receives nothing there; a dealer takes it at their own table; whoever
        has it gives it back, or the floor.
    :raises NeedsSecondSignature: the runner has not signed this.
    :raises SlipNotWaiting: it asks for no chips, or no more, and nobody of the house has its money.
    """
    if money_with not in With.values or (approved_by_id is not None and money_with != With.RUNNER):
        raise Malformed(field="money_with")
    if approved_by_id is not None:
        check_signed(command, approved_by_id, needs=NEEDS_TO_CARRY, signs=carry_money_signs(slip_id))
    seen = look_at_slip(command.room_id, slip_id)
    check_place(command, seen)
    deliveries.of(seen).lock(seen)
    slip = lock_slip(command.room_id, slip_id, version=None)
    if slip.kind != Slip.Kind.BUY_IN or deliveries.of(slip).was_paid:
        raise SlipNotWaiting
    money = money_of(slip)
    is_owed_back = money is not None and money.is_held and money_with == With.PLAYER
    if slip.status != Slip.Status.REQUESTED and not is_owed_back:
        raise SlipNotWaiting
    take_over(command, slip, money_with, approved_by_id=approved_by_id)
    data = {
        "slip_id": slip.pk,
        "player_id": slip.player_id,
        "amount_cents": slip.amount_cents,
        "approved_by_id": approved_by_id,
        **money_data(slip),
    }
    return Outcome(chain=own_chain(command.by), data=data, version=slip.version, audiences=screens(slip))


def take_over(command: Command, slip: Slip, money_with: str, *, approved_by_id: int | None = None) -> None:
    """
    Have the money of a locked request change hands, also inside another command. One or two statements.

    :raises NotPermitted: as `note_money`.
    """
    before = money_of(slip)
    _check_may(command.by, slip, money_with, before)
    money = before or RequestMoney(slip=slip)
    money.money_with = money_with
    money.staff_id = None if money_with == With.PLAYER else approved_by_id or command.staff_id
    money.since = command.ends(before.since) if before else command.at
    money.is_held = money_with != With.PLAYER
    # Of a row that stands, the role that serves may write these alone; a bare save names every column.
    money.save(update_fields=RequestMoney.may_change if before else None)


def note_money_used(slip: Slip) -> None:
    """Note that a request was paid with the money taken for it; where it was not, that is still to go back."""
    money = money_of(slip)
    if money is not None and money.is_held and slip.method in (rules.CASH, rules.FOREIGN):
        money.is_held = False
        money.save(update_fields=["is_held"])


def check_money_for_bank(slip: Slip, holder_id: int) -> None:
    """:raises MoneyIsElsewhere: the cage or another runner has the money of a locked request."""
    money = money_of(slip)
    if money is None or not money.is_held:
        return
    if money.money_with == With.CAGE or (money.money_with == With.RUNNER and money.staff_id != holder_id):
        raise MoneyIsElsewhere


def money_data(slip: Slip) -> dict[str, Any]:
    """Return what the log and answers say about it; nothing where it never left the player. The slip was locked."""
    money = money_of(slip)
    return {"money_with": money.money_with, "money_staff_id": money.staff_id} if money else {}


def may_give_back(by: Actor, money: RequestMoney) -> bool:
    """Say whether this person says that money went back: whoever has it, any cashier where the cage has, the floor."""
    is_cage_s = money.money_with == With.CAGE and "cage.take_money" in by.may
    return by.staff_id == money.staff_id or is_cage_s or "cage.give_back_money" in by.may


def _check_may(by: Actor, slip: Slip, money_with: str, before: RequestMoney | None) -> None:
    if money_with == With.CAGE and "cage.take_money" not in by.may:
        raise NotPermitted
    if money_with == With.PLAYER and before is not None and before.is_held and not may_give_back(by, before):
        raise NotPermitted
    at, seat = by.place, slip.seat
    is_at_seat = seat is not None and at in {None, (Place.Kind.TABLE, seat.table_number)}
    if money_with == With.DEALER and not is_at_seat:
        raise NotPermitted
