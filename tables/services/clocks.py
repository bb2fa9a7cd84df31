"""The clock on a player: called by a tap, ended by one; what ran out is a prompt, and the dealer's word is recorded."""

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.poker.clock import clock_ends_at
from tables.models import PlayerClock
from tables.services.state import done, lock_table, opening_of, seating_of


@service("tables.call_clock")
def call_clock(command: Command, *, table_id: int, seating_id: int) -> Outcome:
    """
    Put a player on the clock, for as long as the book says (H1.70, H1.71, R-§18-1). A fact: it was said aloud.

    A clock of before that nobody ended is over with this one; the same player is put on the clock once a time.

    :raises SeatEmpty: the player has left.
    """
    table = lock_table(command, table_id)
    seating = seating_of(table, seating_id)
    running = PlayerClock.objects.filter(table=table, ended_at=None).first()
    if running is not None:
        if running.seating_id == seating.pk and running.hand_id == table.hand_id and running.ends_at > command.at:
            return done(table, data={"clock": running.pk, "known": True})
        # Before the next one: one clock runs at a table, and the database sees to it at once.
        _end(running, command, how="")
    clock = PlayerClock.objects.create(
        room_id=table.room_id,
        table=table,
        seating=seating,
        hand=table.hand,
        called_at=command.tapped_at,
        called_by_id=command.by.staff_id,
        ends_at=clock_ends_at(command.tapped_at, seconds=opening_of(table).terms.timers.clock_seconds),
    )
    data = {"clock": clock.pk, "seat": seating.seat_number, "player": seating.player_id}
    return done(table, data={**data, "until": clock.ends_at.isoformat()})


@service("tables.end_clock")
def end_clock(command: Command, *, table_id: int, clock_id: int, how: str) -> Outcome:
    """
    Record how a clock ended: the player acted, time ran out (H1.72, R-§18-3), or it was taken back. A fact.

    :raises Malformed: `how` is none of them.
    :raises NotFound: this table never had that clock.
    """
    if how not in PlayerClock.How.values:
        raise Malformed(field="how")
    table = lock_table(command, table_id)
    clock = PlayerClock.objects.filter(table=table, id=clock_id).select_related("seating").first()
    if clock is None:
        raise NotFound(what="clock")
    if clock.ended_at is None:
        _end(clock, command, how=how)
    data = {"clock": clock.pk, "seat": clock.seating.seat_number, "player": clock.seating.player_id}
    return done(table, data={**data, "how": clock.how})


def _end(clock: PlayerClock, command: Command, *, how: str) -> None:
    clock.how, clock.ended_at, clock.ended_by_id = how, max(command.tapped_at, clock.called_at), command.by.staff_id
    clock.save(update_fields=["how", "ended_at", "ended_by_id"])
