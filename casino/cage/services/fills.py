"""
Between the vault and a drawer: a fill, and a credit the other way. Each is signed by two and has its slip.

Cashier and second person stand at one screen, so a fill is asked, signed and done in one command: only where the rule
book lets that be (`cage.fills_in_one_step`). Elsewhere it goes its way as a slip (`fill_slips`).
"""

from casino.cage import rules
from casino.cage.errors import FillsInOneStep
from casino.cage.models import Slip
from casino.cage.services.locks import (
    check_drawer_holds,
    follow_short,
    lock_drawer,
    number_slip,
    open_session,
    screens,
    slip_data,
)
from casino.cage.services.vault_gives import check_vault_gives
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed
from casino.ledger.chips import check_chips
from casino.ledger.services import post
from casino.people.services.signatures import check_signed
from casino.rooms.selectors import lock_open_day, rule_book_in_force
from casino.rows import Update, insert, write

# What the second person must be allowed to do.
NEEDS = "cage.approve_fill"


def signs_for(kind: str, *, drawer_id: int, what: str, amount_cents: int) -> str:
    """Return what the second person signs: which way, which drawer, cash or chips, how many cents."""
    return f"{kind}.{drawer_id}.{what}.{amount_cents}"


def check_one_step(command: Command) -> None:
    """
    Let two move something between the vault and a place at once, both at one screen.

    :raises FillsInOneStep: the room's rule book does not let it be.
    """
    if not rule_book_in_force(command.room_id, at=command.at)[1].cage.fills_in_one_step:
        raise FillsInOneStep


@service("cage.fill_drawer", refused=follow_short)
def fill_drawer(command: Command, *, drawer_id: int, amount_cents: int, what: str, approved_by_id: int) -> Outcome:
    """
    Bring cash or chips (`what`) from the vault into an open drawer.

    `approved_by_id` is the second person, who has signed `signs_for("fill", ...)` with their own PIN
    (`people.services.second_person`, before this command).

    :raises Malformed: no amount, or neither cash nor chips.
    :raises NotInChips: there are no such chips.
    :raises NeedsSecondSignature: the second person is not a second one, or has not signed this.
    :raises NoOpenDay, DrawerClosed: nothing is moved now, or not here.
    :raises FillsInOneStep: the room's rule book does not let it be.
    :raises VaultShort, VaultCountedFirst: the vault holds less, or did too often.
    """
    return _move(command, Slip.Kind.FILL, drawer_id, amount_cents, what, approved_by_id)


@service("cage.return_to_vault", refused=follow_short)
def return_to_vault(command: Command, *, drawer_id: int, amount_cents: int, what: str, approved_by_id: int) -> Outcome:
    """
    Bring cash or chips that are too much in an open drawer back to the vault; signed for `signs_for("credit", ...)`.

    :raises CashShort, ChipsShort, DrawerCountedFirst: the drawer holds less, or did too often.
    :raises Malformed, NeedsSecondSignature, NoOpenDay, DrawerClosed, FillsInOneStep: as `fill_drawer`.
    """
    return _move(command, Slip.Kind.CREDIT, drawer_id, amount_cents, what, approved_by_id)


def _move(
    command: Command, kind: Slip.Kind, drawer_id: int, amount_cents: int, what: str, approved_by_id: int
) -> Outcome:
    if amount_cents <= 0:
        raise Malformed(field="amount_cents")
    if what not in rules.VAULT_GIVES:
        raise Malformed(field="what")
    if what == rules.CHIPS:
        came_back = kind == Slip.Kind.CREDIT
        check_chips(command.room_id, -amount_cents if came_back else amount_cents, at=command.at)
    signs = signs_for(kind, drawer_id=drawer_id, what=what, amount_cents=amount_cents)
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    day = lock_open_day(command.room_id)
    drawer = lock_drawer(command, drawer_id)
    check_one_step(command)
    session = open_session(drawer)
    signed = amount_cents if kind == Slip.Kind.FILL else -amount_cents
    lines = rules.from_vault(signed, what, room_id=command.room_id, drawer_id=drawer.pk)
    check_drawer_holds(drawer, lines, session=session, chips_too=True)
    slip = Slip(
        room_id=command.room_id,
        kind=kind,
        status=Slip.Status.PAID,
        amount_cents=amount_cents,
        method=what,
        session=session,
        drawer=drawer,
        requested_at=command.at,
        requested_by_id=command.staff_id,
        paid_at=command.at,
        paid_by_id=command.staff_id,
        approved_by_id=approved_by_id,
    )
    number_slip(slip, drawer)
    slip.transfer_id = post(
        room_id=command.room_id,
        day_id=day.pk,
        kind=kind,
        lines=lines,
        key=f"slip.{drawer.pk}.{slip.number}",
        made_by_id=command.staff_id,
        at=command.at,
        approved_by_id=approved_by_id,
        about={"drawer": drawer.number, "slip": slip.number, "what": what},
    )
    # Once it is posted, which locks the vault's accounts: before that, two fills at once would both find enough there.
    check_vault_gives(command, lines)
    write(Update(drawer))
    insert(slip)
    return Outcome(chain=f"drawer.{drawer.number}", data=slip_data(slip), version=slip.version, audiences=screens(slip))
