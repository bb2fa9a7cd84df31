"""Paid slips: printed again, and reversed by two."""

from collections.abc import Sequence
from dataclasses import replace

from casino.cage import deliveries, fill_places
from casino.cage.chart import of_drawer
from casino.cage.errors import NeedsAnotherApprover, NotesInVault, SlipNotPaid
from casino.cage.errors_banks import BankCountedSince, SoldByNoRack
from casino.cage.models import Drawer, DrawerSession, NotesTaken, Slip
from casino.cage.rules import CARD, FOREIGN
from casino.cage.services.cash_plays import chain_of, check_gives
from casino.cage.services.doubts import nothing_to_doubt
from casino.cage.services.foreign import notes_data
from casino.cage.services.locks import (
    BANK_PLACES,
    follow_short,
    lock_drawer,
    lock_slip,
    look_at_slip,
    open_session,
    own_chain,
    screens,
    slip_data,
)
from casino.cage.services.vault_gives import check_vault_gives
from casino.cage.services.vouchers import give_back, lock_taken
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed
from casino.ledger.chart import PostingLine, of_house
from casino.ledger.models import Transfer
from casino.ledger.services import mirror, post, reverse
from casino.people.services.signatures import check_signed
from casino.rooms.selectors import lock_open_day

# What the second person must be allowed to do.
NEEDS = "cage.approve_reversal"
_VOIDED = (
    "status", "void_reason", "voided_at", "voided_by", "void_approved_by", "void_transfer_id", "version",
)  # fmt: skip

# Why a sale was said that never was.
NEVER_SOLD_FOR = (Slip.VoidReason.WRONG_PLAYER, Slip.VoidReason.WRONG_AMOUNT, Slip.VoidReason.NOT_HANDED_OVER)


def reversal_signs(slip_id: int) -> str:
    """Return what the second person signs when a slip is taken back: which one."""
    return f"slip.{slip_id}"


def never_sold_signs(slip_id: int) -> str:
    """Return what the second person signs when a sale out of a rack never was: which slip's."""
    return f"slip.{slip_id}.never_sold"


def lines_back(slip: Slip) -> Sequence[PostingLine]:
    """
    Return what goes back where a paid slip is taken back now. The service asks so under its locks, the slip's page
    without any: it offers what is not refused. How much lies in a drawer or a rack is not asked: counts are blind.

    :raises BankCountedSince, DrawerClosed, NotesInVault: as `reverse_slip`.
    :raises Refusal: a rack sold it, and it is no longer told apart there.
    """
    assert slip.drawer is not None
    assert slip.session_id is not None
    assert slip.transfer_id is not None
    back = mirror(slip.transfer_id)
    if slip.drawer.is_rack:
        # Of a rack its table says whether it was counted since.
        fill_places.of(slip.drawer.place_kind).check_takes_back(slip)
        return back
    if slip.drawer.is_bank and not DrawerSession.objects.filter(id=slip.session_id, closed_at=None).exists():
        raise BankCountedSince
    if open_session(slip.drawer).pk != slip.session_id and slip.method == FOREIGN:
        raise NotesInVault
    return back


def lines_of_never_sold(slip: Slip) -> list[PostingLine]:
    """
    Return the lines of a sale that never was out of what counts of its rack have found, as `lines_back`.

    :raises SoldByNoRack, Refusal: as `void_rack_sale`.
    """
    if slip.drawer is None or not slip.drawer.is_rack:
        raise SoldByNoRack
    return fill_places.of(slip.drawer.place_kind).never_sold_lines(slip)


@service("cage.reverse_slip", refused=follow_short)
def reverse_slip(
    command: Command, *, slip_id: int, reason: str, approved_by_id: int, version: int | None = None
) -> Outcome:
    """
    Take a paid slip back: the mirrored transfer is posted today, the slip keeps its number and prints VOID.

    `reason` is one of `Slip.VoidReason`. `approved_by_id` is the second person, who neither asks nor paid and
    has signed `reversal_signs` with their own PIN (`people.services.second_person`, before this command).

    A card slip went to the vault when its drawer was counted: one of an earlier session comes back out of there, and
    the drawer that takes it back has no fewer of its own.

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
    :raises DrawerCountedFirst, VaultCountedFirst: there was less too often.
    :raises Refusal: the destination can no longer give the chips back.
    """
    if reason not in Slip.VoidReason.values:
        raise Malformed(field="reason")
    seen = _signed(command, slip_id, approved_by_id, signs=reversal_signs(slip_id))
    assert seen.drawer_id is not None
    day = lock_open_day(command.room_id)
    place = deliveries.of(seen)
    place.lock(seen)
    hooks = deliveries.on_cash_out if seen.kind == Slip.Kind.CASH_OUT else []
    # Before the drawer, for these lock tables.
    hooks = [hook for hook in hooks if hook.lock_taken_back(seen)]
    drawer = lock_drawer(command, seen.drawer_id, bank_at=BANK_PLACES)
    # After the drawer, which was known from a look without a lock: slips come last.
    slip = _lock_paid(command, slip_id, version=version)
    slip.drawer = drawer
    back = lines_back(slip)
    notes = NotesTaken.objects.select_related("rate", "slip").get(slip=slip) if slip.method == FOREIGN else None
    voucher = lock_taken(slip)
    assert slip.transfer_id is not None
    if slip.kind in deliveries.HAVE_A_SAY:
        place.taken_back(slip, command)
    # Not before: of what its destination refuses anyway nobody learns how much lies in a drawer that is counted blind.
    check_gives(drawer, back)
    transfer_id = reverse(
        room_id=command.room_id,
        day_id=day.pk,
        transfer_id=slip.transfer_id,
        key=f"void.{drawer.pk}.{slip.number}",
        made_by_id=command.by.staff_id,
        at=command.at,
        approved_by_id=approved_by_id,
        about={"drawer": drawer.number, "slip": slip.number, "reason": reason},
    )
    # Once it is posted, which locks the vault's accounts: what leaves it by another way at this moment counts too.
    check_vault_gives(command, back)
    _fetch_card_slip(command, slip, drawer, back, day_id=day.pk, approved_by_id=approved_by_id)
    _void(command, slip, reason=reason, approved_by_id=approved_by_id, transfer_id=transfer_id)
    give_back(voucher)
    audiences = [audience for hook in hooks for audience in hook.taken_back(slip, command)]
    audiences += nothing_to_doubt(command, slip)
    return Outcome(
        chain=chain_of(drawer),
        data={
            **slip_data(slip),
            **notes_data(notes),
            "reason": reason,
            "void_transfer_id": slip.void_transfer_id,
        },
        version=slip.version,
        audiences=(*screens(slip), *audiences),
    )


@service("cage.void_rack_sale")
def void_rack_sale(command: Command, *, slip_id: int, reason: str, approved_by_id: int) -> Outcome:
    """
    Say that a sale out of a table's rack never was, after counts of the rack have seen it: they found its chips there
    and its cash missing, and posted both as a difference, which this explains. The seat's chips and the player's sums
    fall as by a reversal; the rack stays as it was counted. Before a count the slip is reversed (`reverse_slip`).

    `reason` is one of `NEVER_SOLD_FOR`. `approved_by_id` is the second person, who neither asks nor sold and has signed
    `never_sold_signs` (`people.services.second_person`, before this command).

    :raises Malformed: no such reason.
    :raises NotFound: no such slip.
    :raises NeedsAnotherApprover: the second person asks for it, or sold.
    :raises NeedsSecondSignature: they have not signed this.
    :raises SlipNotPaid: it waits, was cancelled or is void.
    :raises NoOpenDay: no gaming day is open.
    :raises NotPermitted: the device stands at a table.
    :raises SoldByNoRack: a drawer or a bank sold it.
    :raises NeverSoldDayOver: the day of the sale is over.
    :raises RackNotCounted, RackCashNotCounted: chips and cash were not both counted since.
    :raises RackAgreed: every count since has found what the log had there.
    :raises RackFoundLess: beside what other slips explain they have not found its chips and missed its cash.
    :raises RackNotJudged: they have found most of both, and the floor has not judged yet what they differ by.
    """
    if reason not in NEVER_SOLD_FOR:
        raise Malformed(field="reason")
    seen = _signed(command, slip_id, approved_by_id, signs=never_sold_signs(slip_id))
    assert seen.drawer_id is not None
    day = lock_open_day(command.room_id)
    place = deliveries.of(seen)
    place.lock(seen)
    rack = lock_drawer(command, seen.drawer_id, bank_at=BANK_PLACES)
    if not rack.is_rack:
        raise SoldByNoRack
    # After the rack, which was known from a look without a lock: slips come last.
    slip = _lock_paid(command, slip_id)
    slip.drawer = rack
    sold_at, there = fill_places.of(rack.place_kind), place.line(slip)
    lines = [*lines_of_never_sold(slip), replace(there, cents=-there.cents)]
    place.taken_back(slip, command)
    transfer_id = post(
        room_id=command.room_id,
        day_id=day.pk,
        kind="never_sold",
        lines=lines,
        key=f"void.{rack.pk}.{slip.number}",
        made_by_id=command.by.staff_id,
        at=command.at,
        approved_by_id=approved_by_id,
        about={"drawer": rack.number, "slip": slip.number, "player": slip.player_id, "reason": reason},
    )
    _void(command, slip, reason=reason, approved_by_id=approved_by_id, transfer_id=transfer_id)
    audiences = sold_at.follow_never_sold(command, slip)
    return Outcome(
        chain=chain_of(rack),
        data={**slip_data(slip), "reason": reason, "void_transfer_id": transfer_id, "approved_by_id": approved_by_id},
        version=slip.version,
        audiences=(*screens(slip), *audiences),
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


def _signed(command: Command, slip_id: int, approved_by_id: int, *, signs: str) -> Slip:
    """Return a slip that was paid once, and that these two may take back."""
    seen = look_at_slip(command.room_id, slip_id)
    if approved_by_id in (command.by.staff_id, seen.paid_by_id):
        raise NeedsAnotherApprover
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    if seen.drawer_id is None or seen.session_id is None:
        raise SlipNotPaid
    return seen


def _lock_paid(command: Command, slip_id: int, *, version: int | None = None) -> Slip:
    slip = lock_slip(command.room_id, slip_id, version=version)
    if slip.status != Slip.Status.PAID:
        raise SlipNotPaid
    return slip


def _fetch_card_slip(
    command: Command, slip: Slip, drawer: Drawer, back: Sequence[PostingLine], *, day_id: int, approved_by_id: int
) -> None:
    """
    Move the card slip of an earlier session, if it was one, from the vault to the drawer out of which `back` takes it.

    That the vault holds it is not asked: whether the count found it there was said then, and the card is paid back.
    """
    cents = -sum(line.cents for line in back if line == of_drawer(drawer.pk, "card_slips", line.cents))
    if not cents or drawer.is_rack or slip.session_id == open_session(drawer).pk:
        return
    post(
        room_id=command.room_id,
        day_id=day_id,
        kind="card_slip_fetched",
        lines=[of_house(command.room_id, "vault_card_slips", -cents), of_drawer(drawer.pk, "card_slips", cents)],
        key=_fetched_key(slip),
        made_by_id=command.staff_id,
        at=command.at,
        approved_by_id=approved_by_id,
        about={"drawer": drawer.number, "slip": slip.number},
    )


def fetched_cents(session: DrawerSession) -> int:
    """Return what card slips of a closed session come to that were fetched out of the vault since. Two queries."""
    void = Slip.objects.filter(session=session, method=CARD, status=Slip.Status.VOID)
    cents = {_fetched_key(slip): slip.amount_cents for slip in void}
    if not cents:
        return 0
    fetched = Transfer.objects.filter(room_id=session.drawer.room_id, key__in=cents)
    return sum(cents[key] for key in fetched.values_list("key", flat=True))


def _fetched_key(slip: Slip) -> str:
    return f"card_slip.{slip.drawer_id}.{slip.number}"


def _void(command: Command, slip: Slip, *, reason: str, approved_by_id: int, transfer_id: int) -> None:
    slip.status, slip.void_reason, slip.void_transfer_id = Slip.Status.VOID, reason, transfer_id
    slip.voided_at, slip.voided_by_id, slip.void_approved_by_id = command.at, command.by.staff_id, approved_by_id
    slip.version += 1
    slip.save(update_fields=_VOIDED)
