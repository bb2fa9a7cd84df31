"""
Chips on their way to a seat: with the cashier who sold them or the runner who took them, until somebody says they came.

The seat has them by the ledger since they were paid; this says where they are on the felt. Who has them carries them by
one tap, and the dealer who gets them says so by another.
"""

from typing import Any

from casino.cage import deliveries
from casino.cage.errors_banks import ChipsNotOnWay
from casino.cage.models import PaidChips, Slip
from casino.cage.selectors.chips import chips_of
from casino.cage.services.locks import check_place, lock_slip, look_at_slip, own_chain, screens
from casino.cage.services.money import NEEDS_TO_CARRY
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotPermitted
from casino.people.services.signatures import check_signed
from casino.rooms.selectors import open_day
from casino.rulebooks import RuleBook

With = PaidChips.With
# That they came, and that they did not after all: whoever had them has them again.
PLAYER, NOT_THERE = "player", "not_there"
STEPS = (PLAYER, With.RUNNER.value, With.CAGE.value, NOT_THERE)


def carry_chips_signs(slip_id: int) -> str:
    """Return what a runner signs who takes the chips of a slip on a device where somebody else is signed in."""
    return f"chips.{slip_id}"


@service("cage.note_chips")
def note_chips(command: Command, *, slip_id: int, chips_with: str, approved_by_id: int | None = None) -> Outcome:
    """
    Note where paid chips of a seat are now: a runner carries them, they went back to the cage, they came to the
    `player`; or `not_there`: they have not come after all. That they came is a fact: said again, it changes nothing.

    `approved_by_id` is a runner who has signed `carry_chips_signs` with their own PIN; else who taps has them.

    :raises Malformed: none of `STEPS`; somebody signs who is no runner.
    :raises NotFound: no such slip.
    :raises NotPermitted: a table's tablet speaks for another table; who is not at the cage receives nothing there;
        whoever said that they came takes it back, or the floor.
    :raises NeedsSecondSignature: the runner has not signed this.
    :raises ChipsNotOnWay: they were not paid, or are on no way; or to be carried they must not have come, and to be
        taken back they must, since the open day began.
    """
    if chips_with not in STEPS or (approved_by_id is not None and chips_with != With.RUNNER):
        raise Malformed(field="chips_with")
    if approved_by_id is not None:
        check_signed(command, approved_by_id, needs=NEEDS_TO_CARRY, signs=carry_chips_signs(slip_id))
    seen = look_at_slip(command.room_id, slip_id)
    check_place(command, seen)
    deliveries.of(seen).lock(seen)
    slip = lock_slip(command.room_id, slip_id, version=None)
    chips = chips_of(slip)
    if chips is None or slip.status != Slip.Status.PAID:
        raise ChipsNotOnWay
    is_there = chips.delivered_at is not None
    if chips_with == PLAYER:
        if not is_there:
            chips.delivered_at, chips.delivered_by_id = command.ends(chips.since), command.staff_id
    elif is_there != (chips_with == NOT_THERE):
        raise ChipsNotOnWay
    elif chips_with == NOT_THERE:
        day = open_day(command.room_id)
        if day is None or chips.delivered_at is None or chips.delivered_at < day.opened_at:
            raise ChipsNotOnWay
        if command.staff_id != chips.delivered_by_id and "cage.give_back_money" not in command.by.may:
            raise NotPermitted
        chips.delivered_at = chips.delivered_by_id = None
    else:
        if chips_with == With.CAGE and "cage.take_money" not in command.by.may:
            raise NotPermitted
        chips.chips_with, chips.staff_id = chips_with, approved_by_id or command.staff_id
        chips.since = command.ends(chips.since)
    chips.save(update_fields=PaidChips.may_change)
    data = {
        "slip_id": slip.pk,
        "player_id": slip.player_id,
        "amount_cents": slip.amount_cents,
        "approved_by_id": approved_by_id,
        "step": chips_with,
        **chips_data(chips),
    }
    return Outcome(chain=own_chain(command.by), data=data, version=slip.version, audiences=screens(slip))


def send_chips(command: Command, slip: Slip, book: RuleBook) -> dict[str, Any]:
    """
    Have the chips of a slip that a window of the cage has just been paid for be on their way, where the book asks for
    that, and return what the answer says of it. One statement, or none.

    What was sold at the table, by its dealer or out of a runner's bank, is there; so is what was paid on paper.
    """
    assert slip.drawer is not None
    is_sold_here = not (slip.drawer.is_rack or slip.drawer.is_bank or deliveries.of(slip).was_paid)
    is_for_seat = slip.kind == Slip.Kind.BUY_IN and slip.seat is not None
    if not (book.cage.confirms_delivery and is_for_seat and is_sold_here):
        return {}
    chips = PaidChips(slip=slip, chips_with=With.CAGE, staff_id=command.staff_id, since=command.at)
    chips.save(force_insert=True)
    return chips_data(chips)


def chips_data(chips: PaidChips) -> dict[str, Any]:
    """Return what the log and answers say of chips on their way: with whom, and whether they came."""
    return {
        "chips_with": chips.chips_with,
        "chips_staff_id": chips.staff_id,
        "is_delivered": chips.delivered_at is not None,
    }
