"""Paid slips: printed again, and reversed by two."""

from casino.cage import deliveries
from casino.cage.errors import NeedsAnotherApprover, NotesInVault, SlipNotPaid
from casino.cage.errors_banks import BankCountedSince
from casino.cage.models import DrawerSession, NotesTaken, Slip
from casino.cage.rules import FOREIGN
from casino.cage.services.cash_plays import chain_of, check_gives
from casino.cage.services.doubts import nothing_to_doubt
from casino.cage.services.foreign import notes_data
from casino.cage.services.locks import (
    BANK_PLACES,
    lock_drawer,
    lock_slip,
    look_at_slip,
    open_session,
    own_chain,
    screens,
    slip_data,
)
from casino.cage.services.vouchers import give_back, lock_taken
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed
from casino.ledger.services import check_vault_gave, mirror, reverse
from casino.people.services.signatures import check_signed
from casino.rooms.selectors import lock_open_day

# What the second person must be allowed to do.
NEEDS = "cage.approve_reversal"
_VOIDED = (
    "status", "void_reason", "voided_at", "voided_by", "void_approved_by", "void_transfer_id", "version",
)  # fmt: skip


@service("cage.reverse_slip")
def reverse_slip(
    command: Command, *, slip_id: int, reason: str, approved_by_id: int, version: int | None = None
) -> Outcome:
    """
    Take a paid slip back: the mirrored transfer is posted today, the slip keeps its number and prints VOID.

    `reason` is one of `Slip.VoidReason`. `approved_by_id` is the second person, who neither asks nor paid and
    has signed "slip.<id>" with their own PIN (`people.services.second_person`, before this command).

    :raises NotFound: no such slip.
    :raises Stale: the slip is no longer at `version`.
    :raises NeedsAnotherApprover: the second person asks for it, or paid the slip.
    :raises NeedsSecondSignature: they have not signed this.
    :raises SlipNotPaid: it waits, was cancelled or is void.
    :raises DrawerClosed: money goes back out of the drawer that took it, and that one is closed.
    :raises PromiseTooSmall: the deposit has been used meanwhile.
    :raises BankCountedSince: a runner's bank sold it, and was counted since.
    :raises RackCountedSince, RackDayOver: it was sold out of a table's rack, and that was counted since, or the day is
        over.
    :raises NotesInVault: the foreign notes that paid it lie in the drawer no more.
    :raises CashShort, VaultShort: there is less than has to go back.
    :raises Refusal: the destination can no longer give the chips back.
    """
    if reason not in Slip.VoidReason.values:
        raise Malformed(field="reason")
    seen = look_at_slip(command.room_id, slip_id)
    if approved_by_id in (command.by.staff_id, seen.paid_by_id):
        raise NeedsAnotherApprover
    check_signed(command, approved_by_id, needs=NEEDS, signs=f"slip.{slip_id}")
    if seen.drawer_id is None or seen.session_id is None:
        raise SlipNotPaid
    day = lock_open_day(command.room_id)
    place = deliveries.of(seen)
    place.lock(seen)
    hooks = deliveries.on_cash_out if seen.kind == Slip.Kind.CASH_OUT else []
    hooks = [hook for hook in hooks if hook.lock_taken_back(seen)]
    drawer = lock_drawer(command, seen.drawer_id, bank_at=BANK_PLACES)
    if drawer.is_bank and not DrawerSession.objects.filter(id=seen.session_id, closed_at=None).exists():
        raise BankCountedSince
    # Of a rack its table says whether it was counted since.
    session_id = seen.session_id if drawer.is_rack else open_session(drawer).pk
    slip = lock_slip(command.room_id, slip_id, version=version)
    if slip.status != Slip.Status.PAID:
        raise SlipNotPaid
    notes = NotesTaken.objects.select_related("rate", "slip").get(slip=slip) if slip.method == FOREIGN else None
    if notes is not None and slip.session_id != session_id:
        raise NotesInVault
    voucher = lock_taken(slip)
    assert slip.transfer_id is not None
    if slip.kind in deliveries.HAVE_A_SAY:
        place.taken_back(slip, command)
    back = mirror(slip.transfer_id)
    check_gives(drawer, back)
    slip.void_transfer_id = reverse(
        room_id=command.room_id,
        day_id=day.pk,
        transfer_id=slip.transfer_id,
        key=f"void.{drawer.pk}.{slip.number}",
        made_by_id=command.by.staff_id,
        at=command.at,
        approved_by_id=approved_by_id,
        about={"drawer": drawer.number, "slip": slip.number, "reason": reason},
    )
    check_vault_gave(command.room_id, back)
    slip.status, slip.void_reason = Slip.Status.VOID, reason
    slip.voided_at, slip.voided_by_id, slip.void_approved_by_id = command.at, command.by.staff_id, approved_by_id
    slip.version += 1
    slip.save(update_fields=_VOIDED)
    give_back(voucher)
    told = [audience for hook in hooks for audience in hook.taken_back(slip, command)]
    told += nothing_to_doubt(command, slip)
    return Outcome(
        chain=chain_of(drawer),
        data={
            **slip_data(slip),
            **notes_data(notes),
            "reason": reason,
            "void_transfer_id": slip.void_transfer_id,
        },
        version=slip.version,
        audiences=(*screens(slip), *told),
    )


@service("cage.note_print")
def note_print(command: Command, *, slip_id: int) -> Outcome:
    """
    Note that a slip was printed: from the second time on it says "copy".

    :raises NotFound: no such slip.
    """
    slip = lock_slip(command.room_id, look_at_slip(command.room_id, slip_id).pk, version=None)
    slip.prints += 1
    slip.save(update_fields=["prints"])
    return Outcome(chain=own_chain(command.by), data={"slip_id": slip.pk, "prints": slip.prints}, version=slip.version)
