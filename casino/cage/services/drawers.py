"""Drawers: opened with a float out of the vault, counted blind, closed back into it."""

from collections.abc import Sequence

from casino.cage.chart import of_drawer
from casino.cage.errors import DrawerOpen, OwnDrawer
from casino.cage.models import Drawer, DrawerCount, DrawerSession, Slip
from casino.cage.rules import CASH, CHIPS, from_vault
from casino.cage.selectors import drawer_figures
from casino.cage.services.doubts import TOLD, doubt_count
from casino.cage.services.locks import lock_drawer, open_session
from casino.cage.services.second import signed_by
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, Stale
from casino.ledger.chart import PostingLine, of_house
from casino.ledger.chips import check_chips
from casino.ledger.services import check_vault_gave, open_accounts, post
from casino.rooms.models import Room
from casino.rooms.selectors import lock_open_day

# What whoever counts another's drawer must be allowed to do.
NEEDS = "cage.count_drawer"


@service("cage.add_drawer")
def add_drawer(command: Command, *, number: int, name: str) -> Outcome:
    """
    Give the room one more drawer, with its accounts.

    :raises Malformed: the number is taken or below one.
    """
    room = Room.objects.select_for_update(no_key=True).get(id=command.room_id)
    if number < 1 or Drawer.objects.filter(room=room, number=number).exists():
        raise Malformed(field="number")
    drawer = Drawer.objects.create(room=room, number=number, name=name)
    open_accounts(room, "house", room.pk)
    open_accounts(room, "drawer", drawer.pk)
    return Outcome(chain=f"drawer.{number}", data={"drawer_id": drawer.pk}, version=drawer.version, audiences=("cage",))


@service("cage.open_drawer")
def open_drawer(
    command: Command, *, drawer_id: int, cash_cents: int, chips_cents: int, version: int | None = None
) -> Outcome:
    """
    Open a drawer for the gaming day, with its float out of the vault.

    :raises NotInChips: there are no such chips.
    :raises NoOpenDay: no gaming day is open.
    :raises DrawerOpen: it is open already.
    :raises VaultShort: the vault holds less than the float.
    :raises Stale: the drawer was opened or closed since `version`.
    """
    if cash_cents < 0 or chips_cents < 0:
        raise Malformed(field="float")
    check_chips(command.room_id, chips_cents, at=command.at)
    assert command.by.staff_id is not None
    day = lock_open_day(command.room_id)
    drawer = lock_drawer(command, drawer_id)
    if version is not None and drawer.version != version:
        raise Stale(what="drawer", version=drawer.version)
    if DrawerSession.objects.filter(drawer=drawer, closed_at=None).exists():
        raise DrawerOpen(number=drawer.number)
    session = DrawerSession.objects.create(
        drawer=drawer,
        day=day,
        float_cash_cents=cash_cents,
        float_chips_cents=chips_cents,
        opened_at=command.at,
        opened_by_id=command.by.staff_id,
    )
    lines = [
        *from_vault(cash_cents, CASH, room_id=command.room_id, drawer_id=drawer.pk),
        *from_vault(chips_cents, CHIPS, room_id=command.room_id, drawer_id=drawer.pk),
    ]
    _post(
        command,
        kind="drawer_opened",
        key=f"drawer_opened.{session.pk}",
        day_id=day.pk,
        drawer=drawer,
        lines=lines,
    )
    check_vault_gave(command.room_id, lines)
    return _changed(command, drawer, session, {"cash_cents": cash_cents, "chips_cents": chips_cents})


@service("cage.close_drawer")
def close_drawer(
    command: Command,
    *,
    drawer_id: int,
    cash_cents: int,
    chips_cents: int,
    card_slips_cents: int,
    counted_by_id: int | None = None,
) -> Outcome:
    """
    Count a drawer and close it: what was counted goes to the vault, the difference to over/short.

    The count is a fact: no amount is ever refused, and what was expected appears in the answer, after
    it. What is asked is who counts: never one who paid from this drawer, so a cashier who closes
    their own has it counted by `counted_by_id`, who has signed "drawer.<id>" with their own PIN
    (`people.services.second_person`, before this command).

    :raises DrawerClosed: there is nothing to count.
    :raises OwnDrawer: who counts has paid from it.
    :raises NeedsAnotherApprover: the one said to have counted has not signed.
    """
    if counted_by_id is not None and counted_by_id != command.by.staff_id:
        signed_by(command, counted_by_id, needs=NEEDS, signs=f"drawer.{drawer_id}")
    day = lock_open_day(command.room_id)
    drawer = lock_drawer(command, drawer_id)
    session = open_session(drawer)
    counter_id = counted_by_id or command.by.staff_id
    assert counter_id is not None
    if Slip.objects.filter(session=session, paid_by_id=counter_id).exists():
        raise OwnDrawer
    expected = drawer_figures(drawer.pk)
    count = DrawerCount.objects.create(
        session=session,
        number=1,
        counted_at=command.at,
        counted_by_id=counter_id,
        cash_cents=cash_cents,
        chips_cents=chips_cents,
        card_slips_cents=card_slips_cents,
        expected_cash_cents=expected["cash"],
        expected_chips_cents=expected["chips"],
        expected_card_slips_cents=expected["card_slips"],
    )
    _post(
        command,
        kind="drawer_closed",
        key=f"drawer_closed.{session.pk}",
        day_id=day.pk,
        drawer=drawer,
        lines=_to_the_vault(command.room_id, drawer.pk, count),
    )
    told = TOLD if doubt_count(command, count, drawer) else ()
    session.closed_at, session.closed_by_id = command.ends(session.opened_at), command.by.staff_id
    session.save(update_fields=["closed_at", "closed_by"])
    return _changed(
        command,
        drawer,
        session,
        {
            "count_id": count.pk,
            "counted_by_id": counter_id,
            "money_difference_cents": count.money_difference_cents,
            "chips_difference_cents": count.chips_difference_cents,
        },
        told,
    )


def _to_the_vault(room_id: int, drawer_id: int, count: DrawerCount) -> list[PostingLine]:
    """Return the lines that empty a drawer: as expected out of it, as counted into the vault, the rest over/short."""
    return [
        of_drawer(drawer_id, "cash", -count.expected_cash_cents),
        of_house(room_id, "vault_cash", count.cash_cents),
        of_drawer(drawer_id, "card_slips", -count.expected_card_slips_cents),
        of_house(room_id, "vault_card_slips", count.card_slips_cents),
        of_drawer(drawer_id, "over_short", -count.money_difference_cents),
        of_drawer(drawer_id, "chips", -count.expected_chips_cents),
        of_house(room_id, "vault_chips", count.chips_cents),
        of_drawer(drawer_id, "chips_over_short", -count.chips_difference_cents),
    ]


def _post(command: Command, *, kind: str, key: str, day_id: int, drawer: Drawer, lines: list[PostingLine]) -> None:
    """Post, unless nothing moves: a drawer may open without a float, and be found as empty as it should be."""
    if not any(line.cents for line in lines):
        return
    post(
        room_id=command.room_id,
        day_id=day_id,
        kind=kind,
        lines=lines,
        key=key,
        made_by_id=command.by.staff_id,
        at=command.at,
        about={"drawer": drawer.number},
    )


def _changed(
    command: Command, drawer: Drawer, session: DrawerSession, data: dict[str, int], told: Sequence[str] = ()
) -> Outcome:
    drawer.version += 1
    drawer.save(update_fields=["version"])
    return Outcome(
        chain=f"drawer.{drawer.number}",
        data={"drawer_id": drawer.pk, "session_id": session.pk, **data},
        version=drawer.version,
        audiences=("cage", f"cage.{drawer.number}", *told),
    )
