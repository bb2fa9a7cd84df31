"""A drawer opens with a float out of the vault, counted by denomination and by two, as it is when it closes."""

from casino.audit import held
from casino.cage import rules
from casino.cage.errors import DrawerOpen
from casino.cage.errors_banks import HoldsABank, NotABank
from casino.cage.models import Drawer, DrawerSession
from casino.cage.services.amounts import Pieces, check_pieces
from casino.cage.services.counting import NEEDS
from casino.cage.services.drawers import changed, post_unless_nothing
from casino.cage.services.locks import BANK_PLACES, follow_short, lock_drawer
from casino.cage.services.vault_gives import check_vault_gives
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Stale
from casino.ledger.chips import check_chips
from casino.people.services.locks import lock_staff
from casino.people.services.signatures import check_signed
from casino.rooms.selectors import lock_open_day


def float_signs(drawer_id: int, *, cash: Pieces, chips: Pieces) -> str:
    """Return what the second person signs when a drawer opens: which one, and what its float comes to."""
    return f"float.{drawer_id}.{rules.cents_of(cash)}.{rules.cents_of(chips)}"


@service("cage.open_drawer", refused=follow_short)
def open_drawer(
    command: Command, *, drawer_id: int, cash: Pieces, chips: Pieces, approved_by_id: int, version: int | None = None
) -> Outcome:
    """
    Open a drawer for the gaming day, with its float out of the vault, as two have counted it.

    `cash` and `chips`: how many there are of each value, as in `close_drawer`; where there is none, 0 of something.
    `approved_by_id` is the second person, who has signed `float_signs` with their own PIN
    (`people.services.second_person`, before this command).

    :raises Malformed: of cash or of chips nobody says anything; there is no such piece, or less than none of it.
    :raises NotInChips: there are no such chips.
    :raises NeedsSecondSignature: the second person is not a second one, or has not signed this.
    :raises NoOpenDay: no gaming day is open.
    :raises DrawerOpen: it is open already.
    :raises VaultShort, VaultCountedFirst: the vault holds less than the float, or did too often.
    :raises BankSellsToSeats: it is a runner's bank (`open_bank`).
    :raises Stale: the drawer was opened or closed since `version`.
    """
    signed = (approved_by_id, NEEDS, float_signs(drawer_id, cash=cash, chips=chips))
    return open_with_float(command, drawer_id, (cash, chips), signed, version)


def open_with_float(
    command: Command,
    drawer_id: int,
    pieces: tuple[Pieces, Pieces],
    signed: tuple[int, str, str],
    version: int | None,
    *,
    is_bank: bool = False,
) -> Outcome:
    """
    Open a drawer, or a bank for the second person, who holds it then.

    `signed`: who the second person is, what they must be allowed to do, and what they sign.

    :raises Refusal: as `open_drawer`.
    """
    (cash, chips), (approved_by_id, needs, signs) = pieces, signed
    holder_id = approved_by_id if is_bank else None
    check_pieces(command.room_id, cash=cash, chips=chips, at=command.at)
    cash_cents, chips_cents = rules.cents_of(cash), rules.cents_of(chips)
    check_chips(command.room_id, chips_cents, at=command.at)
    check_signed(command, approved_by_id, needs=needs, signs=signs)
    day = lock_open_day(command.room_id)
    if holder_id is not None:
        # Two banks that are opened for one runner at a moment meet here.
        lock_staff(command, holder_id)
    drawer = lock_drawer(command, drawer_id, bank_at=BANK_PLACES if is_bank else ())
    if holder_id is not None:
        _check_holds(drawer, holder_id)
    if version is not None and drawer.version != version:
        raise Stale(what="drawer", version=drawer.version)
    if DrawerSession.objects.filter(drawer=drawer, closed_at=None).exists():
        raise DrawerOpen(**drawer.called)
    session = DrawerSession.objects.create(
        drawer=drawer,
        day=day,
        float_cash_pieces=rules.added_up(cash),
        float_chip_pieces=rules.added_up(chips),
        float_cash_cents=cash_cents,
        float_chips_cents=chips_cents,
        opened_at=command.at,
        opened_by_id=command.staff_id,
        opened_with_id=approved_by_id,
        holder_id=holder_id,
    )
    lines = [
        *rules.from_vault(cash_cents, rules.CASH, room_id=command.room_id, drawer_id=drawer.pk),
        *rules.from_vault(chips_cents, rules.CHIPS, room_id=command.room_id, drawer_id=drawer.pk),
    ]
    post_unless_nothing(
        command,
        kind="drawer_opened",
        key=f"drawer_opened.{session.pk}",
        day_id=day.pk,
        drawer=drawer,
        lines=lines,
        approved_by_id=approved_by_id,
    )
    # Once it is posted, which locks the vault's accounts: before that, two floats at once would both find enough there.
    check_vault_gives(command, lines)
    # Not whenever the session is saved: one that an older version opened, and this one closes, is not held.
    held.note("float", session.pk)
    held_by = {"holder_id": holder_id} if holder_id is not None else {}
    return changed(drawer, session, {"cash_cents": cash_cents, "chips_cents": chips_cents, **held_by})


def _check_holds(drawer: Drawer, holder_id: int) -> None:
    if not drawer.is_bank:
        raise NotABank(number=drawer.number)
    other = DrawerSession.objects.filter(holder_id=holder_id, closed_at=None).exclude(drawer=drawer)
    number = other.values_list("drawer__number", flat=True).first()
    if number is not None:
        raise HoldsABank(number=number)
