"""
Money and chips over the counter.

Each of these is one transfer: money one way and chips the other, each summing to zero by itself.
A slip is numbered from the locked drawer row. Two payments of one player meet at the player's row, before either locks
a drawer: the second counts the first in the day's sums, and finds a slip paid that both were to pay. Two of one slip
without a player meet at the slip.
"""

from collections.abc import Sequence

from casino.cage import deliveries, rules
from casino.cage.about import Unnamed
from casino.cage.chart import of_drawer
from casino.cage.errors import MethodNotTaken, NeedsPlayer, NotTakenOnPaper, SlipNotWaiting, WhoseChips
from casino.cage.errors_banks import HoldsNoBank
from casino.cage.models import Drawer, DrawerSession, NotesTaken, Slip
from casino.cage.selectors.deposits import check_deposit_holds
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.selectors.identity import Crossed, check_identity_known, crossed, needs_second
from casino.cage.services import foreign as notes_of
from casino.cage.services import vouchers
from casino.cage.services.amounts import check_new_slip
from casino.cage.services.buyers import check_not_twice, lock_whose
from casino.cage.services.cash_plays import chain_of, check_gives, sale_lines, session_of
from casino.cage.services.chips import send_chips
from casino.cage.services.doubts import DOUBT_NEWS, doubt_cash_out
from casino.cage.services.locks import (
    follow_short,
    lock_drawer,
    lock_slip,
    look_at_slip,
    number_slip,
    open_session,
    screens,
    slip_data,
)
from casino.cage.services.money import check_money_for_bank, money_data, note_money_used
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed
from casino.ledger.chart import PostingLine
from casino.ledger.errors import PromiseTooSmall
from casino.ledger.selectors.accounts import deposit_cents
from casino.ledger.services import open_accounts, post
from casino.people.services.signatures import check_signed
from casino.rooms.models import GamingDay, Place, Room
from casino.rooms.selectors import lock_open_day, rule_book_in_force
from casino.rows import Update, insert, write
from casino.rulebooks import RuleBook

# What the second person under a large payout must be allowed to do.
NEEDS = "cage.approve_payout"
# Whose devices a runner sells at, and a dealer.
_SELLS_AT = (Place.Kind.TABLE, Place.Kind.FLOOR)


def payout_signs(*, drawer_id: int, player_id: int | None, amount_cents: int) -> str:
    """Return what the second person signs under a payout: from which drawer, to whom, how many cents."""
    return f"payout.{drawer_id}.{player_id or 'guest'}.{amount_cents}"


@service("cage.buy_in", refused=follow_short)
def buy_in(
    command: Command,
    *,
    drawer_id: int,
    amount_cents: int,
    method: str,
    player_id: int | None = None,
    again: bool = False,
    voucher_id: int | None = None,
    foreign: notes_of.Notes | None = None,
) -> Outcome:
    """
    Sell chips at the desk, asked and paid in one go: `amount_cents` in by `method`, as `rules.METHODS`.

    `again`: somebody said that it is another one than the same of just now. `foreign`: the notes that pay it
    (`services.foreign`); what they are worth more is given back in cash.

    :raises TooMuchAtOnce, NotInChips: no such amount is sold here.
    :raises NoOpenDay, DrawerClosed: nothing is paid now, or not from here.
    :raises IdentityNeeded, TooMuchUnnamed: the day's sum from which the house must know who it is.
    :raises NeedsPlayer: a deposit without a player.
    :raises PromiseTooSmall: the deposit holds less.
    :raises PlayerBanned, PlayerExcludedOwnWish, OverOwnBuyInLimit: this player buys no chips, or not so many.
    :raises SameBuyIn: the same was asked for seconds ago: a tap made twice.
    :raises VoucherNeeded, VoucherSpent, VoucherOver, VoucherOfOtherAmount: by `voucher_id` it cannot be paid.
    :raises NotesNeeded, ForeignNotTaken, NotesTooFew, NoteTooMany, ChangeTooMuch: by `foreign` it cannot be paid.
    :raises Stale: these notes have another rate meanwhile.
    :raises CashShort, DrawerCountedFirst: the drawer holds less cash than is to be given back, or did too often.
    """
    slip = _new_slip(command, Slip.Kind.BUY_IN, amount_cents, player_id)
    return pay(command, slip, drawer_id=drawer_id, method=method, again=again, voucher_id=voucher_id, foreign=foreign)


@service("cage.take_money", refused=follow_short)
def take_money(
    command: Command,
    *,
    slip_id: int,
    drawer_id: int,
    method: str,
    approved_by_id: int | None = None,
    version: int | None = None,
    voucher_id: int | None = None,
    foreign: notes_of.Notes | None = None,
) -> Outcome:
    """
    Take the money for a waiting slip: the chips go where it says, in the same transfer.

    :raises NotFound: no such slip or drawer.
    :raises Stale: the slip is no longer at `version`.
    :raises SlipNotWaiting: it was paid or cancelled meanwhile.
    :raises CashShort, DrawerCountedFirst: as `cash_out`.
    :raises Refusal: as `buy_in`, or `cash_out` where chips were carried here; or whatever a prize's destination says.
    """
    slip = look_at_slip(command.room_id, slip_id)
    return pay(
        command,
        slip,
        drawer_id=drawer_id,
        method=method,
        approved_by_id=approved_by_id,
        version=version,
        voucher_id=voucher_id,
        foreign=foreign,
    )


@service("cage.cash_out", refused=follow_short)
def cash_out(
    command: Command,
    *,
    drawer_id: int,
    amount_cents: int,
    method: str = "cash",
    player_id: int | None = None,
    approved_by_id: int | None = None,
    unnamed: str | None = None,
) -> Outcome:
    """
    Buy chips back from a player's hands, for cash or onto the deposit.

    `unnamed`, one of `rules.UNNAMED`: what a guest without a name said whose chips these are; the slip keeps it.

    A stack that left a table "not counted" is supplied by this (`deliveries.on_cash_out`). Above the book's sum, by
    itself or with what one person alone paid the player today, `approved_by_id` is a second person, who has signed
    `payout_signs` with their own PIN.

    :raises TooMuchAtOnce, NotInChips: no such amount is bought back here.
    :raises NoOpenDay, DrawerClosed: nothing is paid now, or not from here.
    :raises IdentityNeeded, TooMuchUnnamed: the day's sum from which the house must know who it is.
    :raises WhoseChips: a guest without a name was not asked (`unnamed`).
    :raises NeedsPlayer: onto whose deposit?
    :raises DepositFull: it would hold more than the book lets one hold.
    :raises CashShort: the drawer holds less cash: it is filled first.
    :raises DrawerCountedFirst: it did too often.
    :raises PayoutNeedsSecond, PayoutsNeedSecond, NeedsSecondSignature: nobody signed it, or not this.
    """
    slip = _new_slip(command, Slip.Kind.CASH_OUT, amount_cents, player_id)
    if unnamed is not None:
        if unnamed not in rules.UNNAMED or player_id is not None:
            raise Malformed(field="unnamed")
        slip.about = Unnamed(unnamed=unnamed).to_json()
    return pay(command, slip, drawer_id=drawer_id, method=method, approved_by_id=approved_by_id)


@service("cage.deposit")
def deposit(command: Command, *, drawer_id: int, player_id: int, amount_cents: int, method: str = "cash") -> Outcome:
    """
    Take a player's money into safe keeping: from now on the house owes it.

    :raises TooMuchAtOnce: no such amount is taken here.
    :raises NoOpenDay, DrawerClosed: nothing is taken now, or not here.
    :raises DepositFull: the deposit would hold more than the book lets one hold.
    :raises IdentityNeeded: the day's sum from which the house must know who it is.
    """
    slip = _new_slip(command, Slip.Kind.DEPOSIT, amount_cents, player_id)
    return pay(command, slip, drawer_id=drawer_id, method=method)


@service("cage.withdraw", refused=follow_short)
def withdraw(
    command: Command, *, drawer_id: int, player_id: int, amount_cents: int, approved_by_id: int | None = None
) -> Outcome:
    """
    Pay a player's deposit out in cash; `approved_by_id` as under a cash-out.

    :raises TooMuchAtOnce: no such amount is paid here.
    :raises NoOpenDay, DrawerClosed: nothing is paid now, or not from here.
    :raises IdentityNeeded, TooMuchUnnamed: the day's sum from which the house must know who it is.
    :raises PromiseTooSmall: the deposit holds less.
    :raises CashShort: the drawer holds less cash: it is filled first.
    :raises DrawerCountedFirst: it did too often.
    :raises PayoutNeedsSecond, PayoutsNeedSecond, NeedsSecondSignature: nobody signed it, or not this.
    """
    slip = _new_slip(command, Slip.Kind.WITHDRAWAL, amount_cents, player_id)
    return pay(command, slip, drawer_id=drawer_id, method="cash", approved_by_id=approved_by_id)


def _new_slip(command: Command, kind: Slip.Kind, amount_cents: int, player_id: int | None) -> Slip:
    if amount_cents <= 0:
        raise Malformed(field="amount_cents")
    if player_id is None and kind in (Slip.Kind.DEPOSIT, Slip.Kind.WITHDRAWAL):
        raise NeedsPlayer
    assert command.by.staff_id is not None
    return Slip(
        room_id=command.room_id,
        kind=kind,
        player_id=player_id,
        amount_cents=amount_cents,
        requested_at=command.at,
        requested_by_id=command.by.staff_id,
    )


def pay(
    command: Command,
    slip: Slip,
    *,
    drawer_id: int,
    method: str,
    approved_by_id: int | None = None,
    version: int | None = None,
    again: bool = False,
    voucher_id: int | None = None,
    foreign: notes_of.Notes | None = None,
    holder_id: int | None = None,
    is_cash_play: bool = False,
) -> Outcome:
    """
    Let money and chips of a slip change hands, new or waiting: what is sold or deposited is taken, what is cashed out
    or withdrawn is paid. Lock in order, ask the destination, post, number, deliver.

    `version` is a waiting slip's; `again`: asked anew on purpose; `holder_id`: a runner sells it at the table, out of
    the bank that they hold. `is_cash_play`: the dealer sells it out of the table's rack, of which `drawer_id` is the
    row (`cash_plays.rack_at`).

    :raises MethodNotTaken, NeedsPlayer: such a slip is not paid so, or not for a guest without a name.
    :raises NoOpenDay, DrawerClosed, HoldsNoBank, NotPermitted: the day, the drawer or the bank pays nothing, or not
        from this device.
    :raises Stale, SlipNotWaiting, MoneyIsElsewhere: the slip has changed, waits no more, or another has its money.
    :raises Refusal: what the destination, the second signature, the deposit, the identity and the drawer refuse, in
        this order.
    """
    is_new = slip.pk is None
    _check_method(slip, method)
    book = check_new_slip(command, slip) if is_new else rule_book_in_force(command.room_id, at=command.at)[1]
    day = lock_open_day(command.room_id)
    # To the end: two windows that serve one player at once would each miss the other's slip in the day's sums below.
    lock_whose(command, slip, day)
    check_taken_on_paper(slip, method)
    deliveries.of(slip).lock(slip)
    # Here, for these lock tables, which come before drawers.
    hooks = [hook for hook in deliveries.on_cash_out if hook.lock(slip)] if slip.kind == Slip.Kind.CASH_OUT else []
    drawer, session = _lock_till(command, drawer_id, day, holder_id=holder_id, is_cash_play=is_cash_play)
    if not is_new:
        seller_id = holder_id or (command.staff_id if is_cash_play else None)
        slip = _lock_waiting(command.room_id, slip.pk, version=version, seller_id=seller_id)
    if slip.kind in deliveries.HAVE_A_SAY:
        deliveries.of(slip).check(slip, at=command.at)
    if slip.kind == Slip.Kind.BUY_IN and is_new and not again:
        check_not_twice(command, slip, book)
    slip.session, slip.drawer, slip.method = session, drawer, method
    voucher = vouchers.lock_for(slip, voucher_id, day)
    notes = notes_of.notes_for(slip, foreign, book)
    lines = _sold_out_of(drawer, slip) if is_cash_play else _lines(slip, notes, drawer_id=drawer.pk)
    _check_player(command, slip, notes, day, book, approved_by_id=approved_by_id)
    # Last: of what another reason would refuse anyway nobody learns how much lies in a drawer that is counted blind.
    check_gives(drawer, lines, session=session)

    number_slip(slip, drawer)
    slip.status, slip.paid_at, slip.paid_by_id = Slip.Status.PAID, command.at, holder_id or command.by.staff_id
    slip.transfer_id = _post(command, slip, lines, day_id=day.pk, drawer=drawer)
    _save_paid(slip, drawer)
    vouchers.take(voucher, slip)
    notes_of.take(notes, slip)

    if slip.kind in deliveries.HAVE_A_SAY:
        deliveries.of(slip).delivered(slip, command)
    sent = send_chips(command, slip, book)
    cashed_out = _tell_cashed_out(command, slip, drawer, hooks)
    return Outcome(
        chain=chain_of(drawer),
        data={
            **slip_data(slip),
            **({} if is_new else money_data(slip)),
            **({} if holder_id is None else {"holder_id": holder_id}),
            **notes_of.notes_data(notes),
            **sent,
        },
        version=slip.version,
        audiences=(*screens(slip), *cashed_out),
    )


def _tell_cashed_out(
    command: Command, slip: Slip, drawer: Drawer, hooks: Sequence[deliveries.CashOutHook]
) -> list[str]:
    """Let who wants to know of a cash-out note it, and raise the doubt that it leaves; return the screens to tell."""
    audiences = [audience for hook in hooks for audience in hook.cashed_out(slip, command)]
    if slip.kind == Slip.Kind.CASH_OUT and doubt_cash_out(command, slip, drawer):
        audiences += DOUBT_NEWS
    return audiences


def _check_method(slip: Slip, method: str) -> None:
    """:raises MethodNotTaken, NeedsPlayer: such a slip is not paid so, or not for a guest without a name."""
    if method not in rules.METHODS.get(slip.kind, ()):
        raise MethodNotTaken
    if slip.player_id is None and method == rules.DEPOSIT:
        raise NeedsPlayer


def _lock_till(
    command: Command, drawer_id: int, day: GamingDay, *, holder_id: int | None, is_cash_play: bool
) -> tuple[Drawer, DrawerSession]:
    """
    Lock the drawer, bank or rack out of which a slip is paid, and return it with its session of now.

    :raises Refusal: as `lock_drawer` and `open_session`.
    :raises HoldsNoBank: the session is another holder's.
    """
    drawer = lock_drawer(command, drawer_id, bank_at=_SELLS_AT if is_cash_play or holder_id is not None else ())
    session = session_of(command, drawer, day) if is_cash_play else open_session(drawer)
    if session.holder_id != holder_id:
        raise HoldsNoBank
    return drawer, session


def _lock_waiting(room_id: int, slip_id: int, *, version: int | None, seller_id: int | None) -> Slip:
    """
    Lock a slip that waits, with its place as it is by now; `seller_id` is who sells it at the table, None at a window.

    :raises Stale, SlipNotWaiting, MoneyIsElsewhere: it has changed, waits no more, or another has its money.
    """
    slip = lock_slip(room_id, slip_id, version=version)
    if slip.status != Slip.Status.REQUESTED:
        raise SlipNotWaiting
    if seller_id is not None:
        check_money_for_bank(slip, seller_id)
    if slip.kind == Slip.Kind.BUY_IN and slip.moved_to is not None:
        # It is paid for where its player sits by now: so say the ledger, and the paper that a runner walks by.
        slip.about, slip.moved_to = slip.moved_to, None
    return slip


def _check_player(
    command: Command,
    slip: Slip,
    notes: NotesTaken | None,
    day: GamingDay,
    book: RuleBook,
    *,
    approved_by_id: int | None,
) -> None:
    """
    Let a slip pass by what crossed the counter for its player today, and note on it who signed as the second person.

    :raises Refusal: as `_second_under` and `check_identity_known`.
    :raises PromiseTooSmall: the deposit holds less than is to be withdrawn.
    :raises DepositFull: the deposit would hold more than the book lets one hold.
    :raises WhoseChips: a guest without a name was not asked whose these are.
    """
    # Else nobody looks at the day's sums: no query for each buy-in of a house that asks for no identity.
    is_summed = slip.kind in rules.PAYOUTS or book.cage.identity_from_cents > 0
    today = crossed(slip.player_id if is_summed else None, day)
    if slip.kind in rules.PAYOUTS:
        slip.approved_by_id = _second_under(command, slip, approved_by_id, today, book)
    # The database would refuse it too, but only after what tells how much lies in the drawer.
    if slip.kind == Slip.Kind.WITHDRAWAL and deposit_cents(slip.player_id or 0) < slip.amount_cents:
        raise PromiseTooSmall
    assert slip.method is not None
    check_deposit_holds(slip.player_id, slip.kind, slip.method, slip.amount_cents, book)
    if not deliveries.of(slip).was_paid:
        cents = notes.value_cents if notes else slip.amount_cents
        check_identity_known(slip.player_id, slip.kind, slip.method, cents, today=today, on=day.date, book=book)
    if slip.pk is None and slip.kind == Slip.Kind.CASH_OUT and slip.player_id is None and not slip.about:
        raise WhoseChips


def _save_paid(slip: Slip, drawer: Drawer) -> None:
    """
    Store a slip that is paid and the drawer that numbered it: a new slip, or one that waited, of which the money that
    somebody brought is paid then too.
    """
    if slip.pk is None:
        write(Update(drawer))
        insert(slip)
        return
    slip.version += 1
    write(Update(drawer), Update(slip))
    note_money_used(slip)


def check_taken_on_paper(slip: Slip, method: str) -> None:
    """:raises NotTakenOnPaper: the money was taken before Brush knew of it, and by such means it never is."""
    if method in rules.NOT_ON_PAPER and deliveries.of(slip).was_paid:
        raise NotTakenOnPaper


def _second_under(
    command: Command, slip: Slip, approved_by_id: int | None, today: Crossed, book: RuleBook
) -> int | None:
    """Return who signed a payout beside its cashier, None where nobody has to."""
    if approved_by_id is not None:
        assert slip.drawer_id is not None
        signs = payout_signs(drawer_id=slip.drawer_id, player_id=slip.player_id, amount_cents=slip.amount_cents)
        check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
        return approved_by_id
    assert slip.method is not None
    refusal = needs_second(slip.kind, slip.method, slip.amount_cents, today=today, book=book)
    if refusal is not None:
        raise refusal
    return None


def _post(command: Command, slip: Slip, lines: Sequence[PostingLine], *, day_id: int, drawer: Drawer) -> int:
    if slip.moves_deposit:
        assert slip.player_id is not None
        open_accounts(Room.objects.get(id=command.room_id), "player", slip.player_id)
    if slip.method == rules.FOREIGN and "foreign_notes" not in drawer_figures(drawer.pk):
        # A drawer of before, or one that a process of before has added, knew no such notes.
        open_accounts(Room.objects.get(id=command.room_id), "drawer", drawer.pk)
    return post(
        room_id=command.room_id,
        day_id=day_id,
        kind=slip.kind,
        lines=lines,
        key=f"slip.{drawer.pk}.{slip.number}",
        made_by_id=command.by.staff_id,
        at=command.at,
        # A runner signs for what is sold out of their bank, where another taps.
        approved_by_id=slip.approved_by_id or (slip.paid_by_id if slip.paid_by_id != command.by.staff_id else None),
        about={"drawer": drawer.number, "slip": slip.number, "player": slip.player_id, "method": slip.method},
    )


def _sold_out_of(rack: Drawer, slip: Slip) -> list[PostingLine]:
    return [*sale_lines(rack, slip.amount_cents), deliveries.of(slip).line(slip)]


def _lines(slip: Slip, notes: NotesTaken | None, *, drawer_id: int) -> Sequence[PostingLine]:
    amount, player_id, method = slip.amount_cents, slip.player_id, slip.method
    assert method is not None
    if slip.kind == Slip.Kind.BUY_IN:
        if method == rules.VOUCHER:
            money = rules.voucher_lines(-amount, room_id=slip.room_id)
        elif notes is not None:
            money = rules.foreign_in(amount, value_cents=notes.value_cents, drawer_id=drawer_id)
        else:
            money = rules.money_in(amount, method=method, drawer_id=drawer_id, player_id=player_id)
        return [*money, of_drawer(drawer_id, "chips", -amount), deliveries.of(slip).line(slip)]
    if slip.kind == Slip.Kind.PRIZE:
        money = rules.money_in(-amount, method=method, drawer_id=drawer_id, player_id=player_id)
        return [*money, *deliveries.of(slip).prize_lines(slip)]
    if slip.kind == Slip.Kind.CASH_OUT:
        money = rules.money_in(-amount, method=method, drawer_id=drawer_id, player_id=player_id)
        return [*money, *rules.chips_back(amount, drawer_id=drawer_id)]
    assert player_id is not None
    signed = amount if slip.kind == Slip.Kind.DEPOSIT else -amount
    money = rules.money_in(signed, method=method, drawer_id=drawer_id, player_id=player_id)
    return [*money, *rules.deposit_in(signed, drawer_id=drawer_id, player_id=player_id)]
