"""
Money and chips over the counter.

Each of these is one transfer: money one way and chips the other, each summing to zero by itself.
A slip is numbered from the locked drawer row; two cashiers who take money for one slip lock their own
drawers, then meet at the slip, and the second finds it paid.
"""

from collections.abc import Sequence
from typing import Any

from casino.cage import deliveries, rules
from casino.cage.errors import MethodNotTaken, NeedsPlayer, SlipNotWaiting
from casino.cage.models import Drawer, Slip
from casino.cage.services.buyers import lock_whose
from casino.cage.services.locks import (
    lock_drawer,
    lock_slip,
    look_at_slip,
    open_session,
    screens,
    slip_data,
)
from casino.commands.frame import Command, Outcome, service
from casino.errors import Malformed
from casino.ledger.chart import Line, of_drawer
from casino.ledger.services import open_accounts, post
from casino.rooms.models import Room
from casino.rooms.selectors import lock_open_day


@service("cage.buy_in")
def buy_in(
    command: Command,
    *,
    drawer_id: int,
    amount_cents: int,
    method: str,
    player_id: int | None = None,
    destination: str = "hands",
    about: dict[str, Any] | None = None,
) -> Outcome:
    """
    Sell chips at the desk, asked and paid in one go: `amount_cents` in by `method` (cash, card, deposit).

    :raises NoOpenDay, DrawerClosed: nothing is paid now, or not from here.
    :raises NeedsPlayer: a deposit or a seat without a player.
    :raises PromiseTooSmall: the deposit holds less.
    :raises PlayerBanned, PlayerExcludedOwnWish, OverOwnBuyInLimit: this player buys no chips, or not so many.
    :raises Refusal: whatever the destination refuses (H1.62, H2.14-H2.17 at a seat).
    """
    if not deliveries.is_known(destination):
        raise Malformed(field="destination")
    slip = _new_slip(command, Slip.Kind.BUY_IN, amount_cents, player_id, destination=destination, about=about or {})
    return _pay(command, slip, drawer_id=drawer_id, method=method)


@service("cage.take_money")
def take_money(command: Command, *, slip_id: int, drawer_id: int, method: str, version: int | None = None) -> Outcome:
    """
    Take the money for a waiting slip: the chips go where it says, in the same transfer.

    :raises NotFound: no such slip or drawer.
    :raises Stale: the slip is no longer at `version`.
    :raises SlipNotWaiting: it was paid or cancelled meanwhile.
    :raises Refusal: as `buy_in`.
    """
    return _pay(command, look_at_slip(command.room_id, slip_id), drawer_id=drawer_id, method=method, version=version)


@service("cage.cash_out")
def cash_out(
    command: Command, *, drawer_id: int, amount_cents: int, method: str = "cash", player_id: int | None = None
) -> Outcome:
    """
    Buy chips back from a player's hands, for cash or onto the deposit.

    A stack that left a table "not counted" is supplied by this (`deliveries.on_cash_out`).

    :raises NoOpenDay, DrawerClosed: nothing is paid now, or not from here.
    :raises NeedsPlayer: onto whose deposit?
    """
    return _pay(
        command,
        _new_slip(command, Slip.Kind.CASH_OUT, amount_cents, player_id),
        drawer_id=drawer_id,
        method=method,
    )


@service("cage.deposit")
def deposit(command: Command, *, drawer_id: int, player_id: int, amount_cents: int, method: str = "cash") -> Outcome:
    """
    Take a player's money into safe keeping: from now on the house owes it.

    :raises NoOpenDay, DrawerClosed: nothing is taken now, or not here.
    """
    slip = _new_slip(command, Slip.Kind.DEPOSIT, amount_cents, player_id)
    return _pay(command, slip, drawer_id=drawer_id, method=method)


@service("cage.withdraw")
def withdraw(command: Command, *, drawer_id: int, player_id: int, amount_cents: int) -> Outcome:
    """
    Pay a player's deposit out in cash.

    :raises NoOpenDay, DrawerClosed: nothing is paid now, or not from here.
    :raises PromiseTooSmall: the deposit holds less.
    """
    slip = _new_slip(command, Slip.Kind.WITHDRAWAL, amount_cents, player_id)
    return _pay(command, slip, drawer_id=drawer_id, method="cash")


def _new_slip(
    command: Command,
    kind: Slip.Kind,
    amount_cents: int,
    player_id: int | None,
    *,
    destination: str = "hands",
    about: dict[str, Any] | None = None,
) -> Slip:
    if amount_cents <= 0:
        raise Malformed(field="amount_cents")
    if player_id is None and (destination != "hands" or kind in (Slip.Kind.DEPOSIT, Slip.Kind.WITHDRAWAL)):
        raise NeedsPlayer
    assert command.by.staff_id is not None
    return Slip(
        room_id=command.room_id,
        kind=kind,
        player_id=player_id,
        amount_cents=amount_cents,
        destination=destination,
        about=about or {},
        requested_at=command.at,
        requested_by_id=command.by.staff_id,
    )


def _pay(command: Command, slip: Slip, *, drawer_id: int, method: str, version: int | None = None) -> Outcome:
    """Pay a slip, new or waiting: lock in order, ask the destination, post, number, deliver."""
    if method not in rules.METHODS[slip.kind]:
        raise MethodNotTaken
    if slip.player_id is None and method == rules.DEPOSIT:
        raise NeedsPlayer
    day = lock_open_day(command.room_id)
    lock_whose(command, slip, day)
    place = deliveries.of(slip)
    place.lock(slip)
    hooks = [hook for hook in deliveries.on_cash_out if hook.lock(slip)] if slip.kind == Slip.Kind.CASH_OUT else []
    drawer = lock_drawer(command, drawer_id)
    session = open_session(drawer)
    if slip.pk:
        slip = lock_slip(command.room_id, slip.pk, version=version)
        if slip.status != Slip.Status.REQUESTED:
            raise SlipNotWaiting
    if slip.kind == Slip.Kind.BUY_IN:
        place.check(slip, at=command.at)

    _number(slip, drawer)
    slip.session, slip.drawer, slip.method = session, drawer, method
    slip.status, slip.paid_at, slip.paid_by_id = Slip.Status.PAID, command.at, command.by.staff_id
    slip.transfer_id = _post(command, slip, day_id=day.pk, drawer=drawer)
    slip.version += 1 if slip.pk else 0
    slip.save(update_fields=_PAID if slip.pk else None)

    if slip.kind == Slip.Kind.BUY_IN:
        place.delivered(slip, command)
    told = [audience for hook in hooks for audience in hook.cashed_out(slip, command)]
    return Outcome(
        chain=f"drawer.{drawer.number}",
        data=slip_data(slip),
        version=slip.version,
        audiences=(*screens(slip), *told),
    )


# What paying changes of a slip that waited.
_PAID = ("session", "drawer", "method", "number", "status", "paid_at", "paid_by", "transfer_id", "version")


def _number(slip: Slip, drawer: Drawer) -> None:
    drawer.slips_issued += 1
    drawer.save(update_fields=["slips_issued"])
    slip.number = drawer.slips_issued


def _post(command: Command, slip: Slip, *, day_id: int, drawer: Drawer) -> int:
    if rules.DEPOSIT in (slip.method, slip.kind) or slip.kind == Slip.Kind.WITHDRAWAL:
        assert slip.player_id is not None
        open_accounts(Room.objects.get(id=command.room_id), "player", slip.player_id)
    return post(
        room_id=command.room_id,
        day_id=day_id,
        kind=slip.kind,
        lines=_lines(slip, drawer_id=drawer.pk),
        key=f"slip.{drawer.pk}.{slip.number}",
        made_by_id=command.by.staff_id,
        at=command.at,
        about={"drawer": drawer.number, "slip": slip.number, "player": slip.player_id, "method": slip.method},
    )


def _lines(slip: Slip, *, drawer_id: int) -> Sequence[Line]:
    amount, player_id, method = slip.amount_cents, slip.player_id, slip.method
    assert method is not None
    if slip.kind == Slip.Kind.BUY_IN:
        money = rules.money_in(amount, method=method, drawer_id=drawer_id, player_id=player_id)
        return [*money, of_drawer(drawer_id, "chips", -amount), deliveries.of(slip).line(slip)]
    if slip.kind == Slip.Kind.CASH_OUT:
        money = rules.money_in(-amount, method=method, drawer_id=drawer_id, player_id=player_id)
        return [*money, *rules.chips_back(amount, drawer_id=drawer_id)]
    assert player_id is not None
    signed = amount if slip.kind == Slip.Kind.DEPOSIT else -amount
    money = rules.money_in(signed, method=method, drawer_id=drawer_id, player_id=player_id)
    return [*money, *rules.deposit_in(signed, drawer_id=drawer_id, player_id=player_id)]
