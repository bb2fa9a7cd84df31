"""Chips that a seat asks of the cage: one way to ask, whoever asks."""

from casino.cage.about import AtSeat
from casino.cage.models import RequestMoney, Slip
from casino.cage.services import request_buy_in
from casino.cage.services.carried import follow_player
from casino.cage.services.requests import ask_buy_in
from casino.commands.carrying_out import Answer, Command
from casino.errors import NotFound, NotPermitted
from casino.rows import read
from tables.models import Seating, Table


def ask_for_seat(
    command: Command,
    *,
    table: Table,
    seating_id: int,
    amount_cents: int,
    stack: int | str | None = None,
    again: bool = False,
    money_with: str = RequestMoney.With.PLAYER,
) -> Answer:
    """
    Ask the cage for chips to a seat, by this command.

    `stack` is what lies there, in cents or a `StackWord`; `money_with` as `request_buy_in`.

    Who has left meanwhile is the service's to refuse: a tap sent again, because its answer was lost, gets its first
    answer, so nothing that can change is looked at before its id is claimed.

    :raises NotFound: nobody ever sat there of that seating.
    :raises Refusal: as `request_buy_in`.
    """
    found = read(Seating, "WHERE id = %s AND table_id = %s", seating_id, table.pk)
    if not found:
        raise NotFound(what="seating")
    seating = found[0]
    return request_buy_in(
        command,
        # Who has left is named by the record that sat there: it stays so where that is joined with another one before a
        # tap comes again. Who sits there again after it sits by the one that was kept.
        player_id=seating.player_id if seating.left_at is None else seating.sat_as_id or seating.player_id,
        amount_cents=amount_cents,
        seat=seat_of(table, seating, stack=stack),
        again=again,
        money_with=money_with,
    )


def ask_on_sitting_down(command: Command, *, table: Table, seating: Seating, cents: int) -> Slip:
    """
    Ask the cage for chips to a seat in the very command that sits its player down; return the slip that waits.

    :raises NotPermitted: who may not ask the cage.
    :raises Refusal: as `request_buy_in`.
    """
    if "cage.request_buy_in" not in command.by.may:
        raise NotPermitted
    return ask_buy_in(command, player_id=seating.player_id, amount_cents=cents, seat=seat_of(table, seating))


def follow_to_seat(command: Command, left: Seating, table: Table, sits: Seating) -> tuple[str, ...]:
    """Have what staff bring to a player who left a seat follow to where they sit; return the screens to tell."""
    return follow_player(
        command, destination="seat", player_id=sits.player_id, seating_id=left.pk, seat=seat_of(table, sits)
    )


def seat_of(table: Table, seating: Seating, *, stack: int | str | None = None, anew: bool = False) -> AtSeat:
    """Return a seat as the cage's slips keep it; `stack` and `anew` as `AtSeat`."""
    return AtSeat(
        table=table.pk,
        table_number=table.number,
        seating=seating.pk,
        seat_number=seating.seat_number,
        stack=stack,
        anew=anew,
    )
