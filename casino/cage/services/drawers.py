"""Drawers: there is one more, and one opens with a float out of the vault. How it closes: `counting`."""

from collections.abc import Mapping, Sequence
from typing import Any

from casino.cage.errors import DrawerOpen
from casino.cage.models import Drawer, DrawerSession
from casino.cage.rules import CASH, CHIPS, from_vault
from casino.cage.services.locks import lock_drawer
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, Stale
from casino.ledger.chart import PostingLine
from casino.ledger.chips import check_chips
from casino.ledger.services import check_vault_gave, open_accounts, post
from casino.rooms.models import Room
from casino.rooms.selectors import lock_open_day


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
    post_unless_nothing(
        command,
        kind="drawer_opened",
        key=f"drawer_opened.{session.pk}",
        day_id=day.pk,
        drawer=drawer,
        lines=lines,
    )
    check_vault_gave(command.room_id, lines)
    return changed(drawer, session, {"cash_cents": cash_cents, "chips_cents": chips_cents})


def post_unless_nothing(
    command: Command,
    *,
    kind: str,
    key: str,
    day_id: int,
    drawer: Drawer,
    lines: list[PostingLine],
    approved_by_id: int | None = None,
) -> None:
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
        approved_by_id=approved_by_id,
        about={"drawer": drawer.number},
    )


def changed(drawer: Drawer, session: DrawerSession, data: Mapping[str, Any], told: Sequence[str] = ()) -> Outcome:
    """Return the outcome of a drawer that opened or closed: it has another version from here on."""
    drawer.version += 1
    drawer.save(update_fields=["version"])
    return Outcome(
        chain=f"drawer.{drawer.number}",
        data={"drawer_id": drawer.pk, "session_id": session.pk, **data},
        version=drawer.version,
        audiences=("cage", f"cage.{drawer.number}", *told),
    )
