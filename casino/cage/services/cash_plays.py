"""
Cash plays: chips that are sold out of a table's rack, for cash that lies there until the cage has changed it.

A rack that sells has a row among the drawers, which numbers its slips. It is none of the cage's: nobody opens or counts
it here, and what lies there is on its place's own accounts (`fill_places`), under that place's lock.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from django.db import IntegrityError

from casino.cage import fill_places
from casino.cage.models import Drawer, DrawerSession
from casino.cage.rules import NUMBERS_AFTER
from casino.cage.services.locks import check_drawer_holds
from casino.commands.carrying_out import Command
from casino.ledger.chart import PostingLine
from casino.rooms.models import GamingDay

# How often a number that was taken meanwhile is passed over.
_TRIES = 3


def rack_at(command: Command, *, kind: str, place_id: int, number: int) -> int:
    """
    Return the id of the row that numbers the slips of a rack, which its first sale adds; before anything is locked. One
    query. Two first sales at once meet at the row's own constraint, those of two places at their number's.
    """
    place = {"room_id": command.room_id, "place_kind": kind, "place_id": place_id}
    rack_id = Drawer.objects.filter(**place).values_list("id", flat=True).first()
    if rack_id is not None:
        return rack_id
    for _try in range(_TRIES):
        # Another place, or a new drawer, may take the number meanwhile.
        with suppress(IntegrityError):
            return _add(command, number, place)
    return _add(command, number, place)


def _add(command: Command, number: int, place: dict[str, Any]) -> int:
    taken = set(Drawer.objects.filter(room_id=command.room_id).values_list("number", flat=True))
    free = NUMBERS_AFTER + number
    while free in taken:
        free += 1
    defaults = {"number": free, "name": "", "place_number": number}
    # With a savepoint of its own: after the error of a number that is taken the transaction goes on.
    return Drawer.objects.get_or_create(**place, defaults=defaults)[0].pk


def session_of(command: Command, rack: Drawer, day: GamingDay) -> DrawerSession:
    """Return the day of a locked rack, to which its slips belong; the day's first sale adds it. One query."""
    session = DrawerSession.objects.filter(drawer=rack, day=day).first()
    return session or DrawerSession.objects.create(
        drawer=rack,
        day=day,
        float_cash_cents=0,
        float_chips_cents=0,
        opened_at=command.at,
        opened_by_id=command.staff_id,
        # From the beginning: nobody of the cage opens or counts a rack, and an open session would have to be counted.
        closed_at=command.at,
        closed_by_id=command.staff_id,
        closed_day=day,
    )


def check_gives(drawer: Drawer, lines: Iterable[PostingLine], *, session: DrawerSession | None = None) -> None:
    """
    Let a locked drawer, or a rack whose place is locked, give what these lines take out of it; `session` as
    `check_drawer_holds`.

    :raises CashShort, DrawerCountedFirst: the drawer holds less cash, or did too often.
    :raises Refusal: the rack holds less.
    """
    if drawer.is_rack:
        assert drawer.place_id is not None
        fill_places.of(drawer.place_kind).check_sells(drawer.place_id, list(lines))
    else:
        check_drawer_holds(drawer, lines, session=session)


def sale_lines(rack: Drawer, cents: int) -> list[PostingLine]:
    """Return the lines that take chips out of a rack and put the cash for them there."""
    assert rack.place_id is not None
    return fill_places.of(rack.place_kind).sale_lines(rack.place_id, cents)


def chain_of(drawer: Drawer) -> str:
    """Return the log's chain that the lock belongs to: of a rack its place's."""
    if not drawer.is_rack:
        return f"drawer.{drawer.number}"
    return fill_places.of(drawer.place_kind).chain(drawer.place_number or 0)
