"""
Locking, looking and numbering, shared by the cage's services.

Order: the room where it numbers, the gaming day, then the player, then a destination's own rows (tables), then the
drawer, then the slip, then its voucher; accounts come last, with the posting.
"""

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import Max, QuerySet

from casino.cage import deliveries, rules
from casino.cage.audiences import EVERY_WINDOW, at_window
from casino.cage.errors import CashShort, ChipsShort, DrawerClosed, DrawerCountedFirst
from casino.cage.errors_banks import BankSellsToSeats, RackIsNoDrawer
from casino.cage.models import Drawer, DrawerSession, Slip
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.services.vault_gives import follow_vault_short
from casino.commands.carrying_out import Actor, Command
from casino.errors import NotFound, NotPermitted, Refusal, Stale
from casino.ledger.chart import PostingLine
from casino.ledger.errors import VaultShort
from casino.rooms.models import Place, Room
from casino.rooms.selectors import lock_room, rule_book_in_force
from casino.rows import read


def lock_numbering(room_id: int) -> Room:
    """
    Lock the room's row, under which its fill slips, vouchers and what lies unclaimed are numbered. Before the day.

    Numbers are given seldom, and none may come twice or be left out.
    """
    return lock_room(room_id)


def next_number(numbered: QuerySet[Any]) -> int:
    """Return the number after the newest of a room's rows, whose `lock_numbering` is held. One query."""
    return (numbered.aggregate(last=Max("number"))["last"] or 0) + 1


# Where a bank is opened, counted and reversed from: it stands at no window, so at any of them.
BANK_PLACES = (Place.Kind.CAGE, Place.Kind.FLOOR)


def lock_drawer(
    command: Command, drawer_id: int, *, is_floors_too: bool = False, bank_at: Collection[str] = ()
) -> Drawer:
    """
    Lock one drawer. A device that stands at a window acts for that window's drawer alone; one that stands elsewhere for
    none, but `is_floors_too` the floor's, whose staff fetch chips from it. `bank_at`: at which kinds of places a device
    may act for a runner's bank, or a rack that sells; none where this is nothing that is done with one.

    :raises NotFound: the room has no such drawer.
    :raises BankSellsToSeats, RackIsNoDrawer: it is a bank or a rack, and this is not done with one.
    :raises NotPermitted: the device stands at another window, or at none.
    """
    found = read(Drawer, "WHERE id = %s AND room_id = %s FOR NO KEY UPDATE", drawer_id, command.room_id)
    if not found:
        raise NotFound(what="drawer")
    drawer = found[0]
    place = command.by.place
    if drawer.is_bank or drawer.is_rack:
        if not bank_at:
            raise RackIsNoDrawer if drawer.is_rack else BankSellsToSeats
        if place is not None and place[0] not in bank_at:
            raise NotPermitted
        return drawer
    if place not in {None, ("cage", drawer.number)} and not (is_floors_too and place and place[0] == "floor"):
        raise NotPermitted
    return drawer


def open_session(drawer: Drawer) -> DrawerSession:
    """
    Return the locked drawer's open session. One query.

    :raises DrawerClosed: it is closed.
    """
    for session in read(DrawerSession, "WHERE drawer_id = %s AND closed_at IS NULL", drawer.pk):
        return session
    raise DrawerClosed(**drawer.called)


def check_drawer_holds(
    drawer: Drawer, lines: Iterable[PostingLine], *, session: DrawerSession | None = None, chips_too: bool = False
) -> None:
    """
    Let the locked drawer give what these lines take out of it: cash, and `chips_too` where chips that are no sale's go.
    `session` is its open one, where it was read. A query, where they take some, or two. Each refusal is noted
    (`follow_short`).

    :raises DrawerCountedFirst: it was too short too often since it was opened.
    :raises CashShort: it holds less cash; card slips pay nobody.
    :raises ChipsShort: it holds fewer chips.
    """
    lines = list(lines)
    cash, chips = rules.cash_out_of(lines), rules.chips_out_of(lines) if chips_too else 0
    if cash <= 0 and chips <= 0:
        return
    check_drawer_gives(drawer, session or open_session(drawer))
    lies = drawer_figures(drawer.pk)
    # What was sold beyond what lies there is a difference that its count finds: no reason to keep back something else.
    if 0 < cash > lies["cash"]:
        raise CashShort(**drawer.called, asked_cents=cash)
    if 0 < chips > lies["chips"]:
        raise ChipsShort(**drawer.called, asked_cents=chips)


def check_drawer_gives(drawer: Drawer, session: DrawerSession) -> None:
    """:raises DrawerCountedFirst: the drawer was too short too often since it was opened: it is counted first."""
    if session.is_counted_first:
        raise DrawerCountedFirst(**drawer.called)


def follow_short(command: Command, refusal: Refusal, **_arguments: object) -> tuple[str, ...]:
    """
    Note that an open drawer was too short for what it was to give; the book's `cage.short_payouts_most`th time it is
    counted before it gives anything more; and count that the vault was. What a refused payout leaves behind, in its own
    transaction; return the screens to tell.

    :raises DrawerCountedFirst, VaultCountedFirst: that is so already: others were refused at the same moment, and this
        one tells nothing.
    """
    if refusal.code == VaultShort.code:
        return follow_vault_short(command)
    if refusal.code not in (CashShort.code, ChipsShort.code):
        return ()
    number = refusal.data["number"]
    drawer = Drawer.objects.select_for_update(no_key=True).get(room_id=command.room_id, number=number)
    session = DrawerSession.objects.filter(drawer=drawer, closed_at=None).first()
    # It may have been counted since.
    if session is None:
        return ()
    check_drawer_gives(drawer, session)
    _, book = rule_book_in_force(command.room_id, at=command.at)
    session.short_payouts += 1
    session.is_counted_first = session.short_payouts >= book.cage.short_payouts_most
    session.save(update_fields=["short_payouts", "is_counted_first"])
    return at_window(number)


def number_slip(slip: Slip, drawer: Drawer) -> None:
    """Give a slip the next number of the locked drawer, which is to be written with it."""
    drawer.slips_issued += 1
    slip.number = drawer.slips_issued


def check_place(command: Command, slip: Slip) -> None:
    """:raises NotPermitted: a table's tablet asks about a slip that is and was another table's."""
    place, seats = command.by.place, (slip.seat, slip.where_player_sits().seat)
    numbers = {seat.table_number for seat in seats if seat is not None}
    if place is not None and place[0] == Place.Kind.TABLE and numbers and place[1] not in numbers:
        raise NotPermitted


def look_at_slip(room_id: int, slip_id: int) -> Slip:
    """
    Return a slip without locking it: where its chips go never changes, so its destination can lock first.

    :raises NotFound: the room has no such slip.
    """
    for slip in read(Slip, "WHERE id = %s AND room_id = %s", slip_id, room_id):
        return slip
    raise NotFound(what="slip")


def lock_slip(room_id: int, slip_id: int, *, version: int | None) -> Slip:
    """
    Lock one slip as it is now.

    :raises Stale: it is no longer at `version` (None: not asked).
    """
    # Who has its money is read by whoever asks, under the lock: joined here it would be as it was before the waiting.
    (slip,) = read(Slip, "WHERE id = %s AND room_id = %s FOR NO KEY UPDATE", slip_id, room_id)
    if version is not None and slip.version != version:
        raise Stale(what="slip", version=slip.version)
    return slip


def screens(slip: Slip) -> tuple[str, ...]:
    """Return the screens that show this slip: what waits at the cage, its drawer's window, those of its destination."""
    drawer = slip.drawer
    own = at_window(drawer.number) if drawer else (EVERY_WINDOW,)
    if slip.kind not in deliveries.HAVE_A_SAY:
        return own
    place = deliveries.of(slip)
    return (*own, *place.audiences(slip), *(place.audiences(slip.where_player_sits()) if slip.moved_to else ()))


def own_chain(by: Actor) -> str:
    """Return the log's chain for what locks no drawer: the tablet's, or the person's at a desktop."""
    return f"device.{by.device_id}" if by.device_id else f"staff.{by.staff_id}"


def slip_data(slip: Slip) -> dict[str, Any]:
    """Return what an answer and the log say about a slip: ids, codes, amounts."""
    return {
        "slip_id": slip.pk,
        "kind": slip.kind,
        "status": slip.status,
        "number": slip.number,
        "drawer_id": slip.drawer_id,
        "player_id": slip.player_id,
        "amount_cents": slip.amount_cents,
        "method": slip.method,
        "destination": slip.destination,
        "about": slip.about,
        "transfer_id": slip.transfer_id,
    }
