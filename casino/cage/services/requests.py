"""Slips before money was taken: asked for at the table or the floor, and cancelled."""

from casino.cage import deliveries
from casino.cage.about import AtSeat
from casino.cage.errors import SlipNotWaiting
from casino.cage.models import RequestMoney, Slip
from casino.cage.services.amounts import check_new_slip
from casino.cage.services.buyers import check_not_twice, lock_whose
from casino.cage.services.locks import check_place, lock_slip, look_at_slip, own_chain, screens, slip_data
from casino.cage.services.money import money_data, take_over
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed
from casino.rooms.selectors import lock_open_day
from casino.rows import insert

# With whom the money may be when chips are asked for: the cage asks nobody for chips that it could sell itself.
_MONEY_WITH = frozenset({RequestMoney.With.PLAYER, RequestMoney.With.DEALER, RequestMoney.With.RUNNER})


@service("cage.request_buy_in")
def request_buy_in(
    command: Command,
    *,
    player_id: int,
    amount_cents: int,
    seat: AtSeat | None = None,
    again: bool = False,
    money_with: str = RequestMoney.With.PLAYER,
) -> Outcome:
    """
    Ask the cage for chips, to a seat or over the counter: the slip waits at the top of its screen until money is taken.

    The rules of a seat are asked now (H1.62, H2.14-H2.17), and again before money moves. `again`: somebody said that it
    is another one. `money_with`: where the cash is; the dealer or a runner is whoever asks. By itself it is with the
    player: nobody of the house answers for cash that nobody has said to have taken.

    :raises Malformed: the money is said to be elsewhere than with the player, the dealer or a runner.
    :raises TooMuchAtOnce, NotInChips: no such amount is sold here.
    :raises NoOpenDay: no gaming day is open.
    :raises NotFound: no such player.
    :raises NotPermitted: a table's tablet asks for another table; a dealer takes money at their own table.
    :raises PlayerBanned, PlayerExcludedOwnWish, OverOwnBuyInLimit: this player buys no chips, or not so many.
    :raises SameBuyIn: the same was asked for seconds ago: a tap made twice.
    :raises Refusal: whatever the destination refuses.
    """
    if money_with not in _MONEY_WITH:
        raise Malformed(field="money_with")
    slip = ask_buy_in(command, player_id=player_id, amount_cents=amount_cents, seat=seat, again=again)
    data = slip_data(slip)
    if money_with != RequestMoney.With.PLAYER:
        take_over(command, slip, money_with)
        data |= money_data(slip)
    return Outcome(chain=own_chain(command.by), data=data, version=slip.version, audiences=screens(slip))


def ask_buy_in(
    command: Command, *, player_id: int, amount_cents: int, seat: AtSeat | None, again: bool = False
) -> Slip:
    """Ask the cage for chips, also inside another app's command; return the slip. :raises Refusal: as that."""
    if amount_cents <= 0:
        raise Malformed(field="amount_cents")
    assert command.by.staff_id is not None
    day = lock_open_day(command.room_id)
    slip = Slip(
        room_id=command.room_id,
        kind=Slip.Kind.BUY_IN,
        player_id=player_id,
        amount_cents=amount_cents,
        destination=deliveries.SEAT if seat else deliveries.HANDS,
        about=seat.to_json() if seat else {},
        requested_at=command.at,
        requested_by_id=command.by.staff_id,
    )
    check_place(command, slip)
    book = check_new_slip(command, slip)
    lock_whose(command, slip, day)
    place = deliveries.of(slip)
    place.lock(slip)
    place.check(slip, at=command.at)
    if not again:
        check_not_twice(command, slip, book)
    insert(slip)
    return slip


@service("cage.cancel_slip")
def cancel_slip(command: Command, *, slip_id: int, version: int | None = None) -> Outcome:
    """
    Take a waiting slip away. Once money was taken it can only be reversed, by two.

    :raises NotFound: no such slip.
    :raises NotPermitted: a table's tablet cancels a slip of another table.
    :raises Stale: the slip is no longer at `version`.
    :raises SlipNotWaiting: it was paid or cancelled before.
    :raises Refusal: whatever the destination refuses (chips carried here are signed by two, a prize is owed).
    """
    seen = look_at_slip(command.room_id, slip_id)
    check_place(command, seen)
    deliveries.of(seen).lock(seen)
    slip = lock_slip(command.room_id, slip_id, version=version)
    if slip.status != Slip.Status.REQUESTED:
        raise SlipNotWaiting
    deliveries.of(slip).check_cancelled(slip)
    audiences = cancel_waiting(command, slip)
    return Outcome(chain=own_chain(command.by), data=slip_data(slip), version=slip.version, audiences=audiences)


def cancel_waiting(command: Command, slip: Slip) -> tuple[str, ...]:
    """Take a locked slip away that waits, also inside another app's command; return the screens to tell."""
    slip.status, slip.cancelled_at = Slip.Status.CANCELLED, command.ends(slip.requested_at)
    slip.cancelled_by_id = command.by.staff_id
    slip.version += 1
    slip.save(update_fields=["status", "cancelled_at", "cancelled_by", "version"])
    return screens(slip)
