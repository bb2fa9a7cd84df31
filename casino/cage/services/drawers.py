"""Drawers: there is one more. `opening` and `counting` open and close one, with what stands at the end here."""

from collections.abc import Mapping, Sequence
from typing import Any

from casino.cage.audiences import EVERY_WINDOW, at_window
from casino.cage.errors_banks import NumberOfRacks
from casino.cage.models import Drawer, DrawerSession
from casino.cage.rules import NUMBERS_AFTER
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed
from casino.ledger.chart import PostingLine
from casino.ledger.services import open_accounts, post
from casino.rooms.selectors import lock_room


@service("cage.add_drawer")
def add_drawer(command: Command, *, number: int, name: str) -> Outcome:
    """
    Give the room one more drawer, with its accounts.

    :raises Malformed: the number is taken or below one.
    :raises NumberOfRacks: it is one of those by which racks number their slips.
    """
    return _add(command, number, name, is_bank=False)


@service("cage.add_bank")
def add_bank(command: Command, *, number: int, name: str) -> Outcome:
    """
    Give the room one more bank that a runner may hold, numbered among its drawers, with its accounts.

    :raises Malformed, NumberOfRacks: as `add_drawer`.
    """
    return _add(command, number, name, is_bank=True)


def _add(command: Command, number: int, name: str, *, is_bank: bool) -> Outcome:
    if number > NUMBERS_AFTER:
        raise NumberOfRacks(most=NUMBERS_AFTER)
    # Two who add a drawer at once would both find the number free.
    room = lock_room(command.room_id)
    if number < 1 or Drawer.objects.filter(room=room, number=number).exists():
        raise Malformed(field="number")
    drawer = Drawer.objects.create(room=room, number=number, name=name, is_bank=is_bank)
    open_accounts(room, "house", room.pk)
    open_accounts(room, "drawer", drawer.pk)
    return Outcome(
        chain=f"drawer.{number}", data={"drawer_id": drawer.pk}, version=drawer.version, audiences=(EVERY_WINDOW,)
    )


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


def changed(drawer: Drawer, session: DrawerSession, data: Mapping[str, Any], audiences: Sequence[str] = ()) -> Outcome:
    """Return the outcome of a drawer that opened or closed: it has another version from here on."""
    drawer.version += 1
    drawer.save(update_fields=["version"])
    return Outcome(
        chain=f"drawer.{drawer.number}",
        data={"drawer_id": drawer.pk, "session_id": session.pk, **data},
        version=drawer.version,
        audiences=(*at_window(drawer.number), *audiences),
    )
