"""A player who is away: the evening's long break, the floor's own limit, and the stack that is picked up."""

from datetime import datetime, timedelta

from casino.cage.audiences import EVERY_WINDOW
from casino.cage.services.carried import ask_cash_out
from casino.commands.carrying_out import Command, Outcome, service
from casino.people.services.signatures import check_signed
from casino.people.standing import ids_of
from casino.rooms.models import GamingDay
from casino.rooms.selectors import lock_open_day
from tables.claims import claims
from tables.errors import HandInProgress, LongBreakTaken, NobodyWaits, NotAway, StillInTime
from tables.errors_houses import NoLongBreak, SeatHeldTooLong
from tables.models import Seating, Table
from tables.rules.absence import is_over, limit_at
from tables.services.penalties import check_no_penalty
from tables.services.playing_over import give_back
from tables.services.protection import lock_who_sits
from tables.services.seat_buy_ins import seat_of
from tables.services.seating import ends_now
from tables.services.stacks import supply_stack
from tables.services.state import done, lock_day_and_table, lock_table, opening_of, save_seating, seating_of

# What the second person must be allowed to do who counts a stack that is picked up.
NEEDS = "tables.pick_up_stack"


@service("tables.set_long_break")
def set_long_break(command: Command, *, table_id: int, seating_id: int, has_break: bool = True) -> Outcome:
    """
    Give a player the long break of the evening, away already or from now on; or take it back: it was not meant (H1.9).
    Once the player has come back from it, it has been taken.

    :raises SeatEmpty: the player has left.
    :raises NoLongBreak: the house knows none.
    :raises LongBreakTaken: the player has had it this evening, here or at another table.
    """
    day = lock_open_day(command.room_id)
    # The right is the player's, at whichever table: two of them lock their own rows.
    lock_who_sits(command, seating_id, table_id=table_id)
    table = lock_table(command, table_id)
    seating = seating_of(table, seating_id)
    terms = opening_of(table).terms
    if has_break:
        if not terms.timers.long_break_minutes:
            raise NoLongBreak
        _check_long_break(seating, day)
        if not seating.is_held:
            seating.is_held, seating.away_since, seating.buttons_passed = True, command.tapped_at, 0
        began_at = seating.away_since or command.tapped_at
        seating.long_break_at = began_at
        seating.away_limit_at = began_at + timedelta(minutes=terms.timers.long_break_minutes)
    elif seating.is_on_long_break:
        seating.long_break_at = None
        since = seating.away_since
        seating.away_limit_at = limit_at(terms.absence, away_since=since) if since else None
    elif seating.long_break_at is not None:
        raise LongBreakTaken
    save_seating(seating)
    return _outcome(table, seating, has_break=has_break)


def _check_long_break(seating: Seating, day: GamingDay) -> None:
    # The right is the player's, at whichever table; two cannot give it at once, for nobody sits at two.
    tonight = Seating.objects.filter(ids_of(seating.player_id), opening__day=day, long_break_at__isnull=False)
    if tonight.exists():
        raise LongBreakTaken


@service("tables.set_absence_limit")
def set_absence_limit(command: Command, *, table_id: int, seating_id: int, minutes: int) -> Outcome:
    """
    Hold the seat of a player who is away for so many minutes from now: the floor's own limit (H1.10, A2).

    :raises SeatEmpty: the player has left.
    :raises NotAway: the player is at the table.
    :raises SeatHeldTooLong: for longer than the house grants.
    """
    table = lock_table(command, table_id)
    seating = seating_of(table, seating_id)
    if not seating.is_held:
        raise NotAway
    most = opening_of(table).terms.absence.floor_minutes_max
    if minutes > most:
        raise SeatHeldTooLong(most=most)
    seating.away_limit_at = command.at + timedelta(minutes=minutes)
    save_seating(seating)
    return _outcome(table, seating, minutes=minutes)


@service("tables.pick_up_stack")
def pick_up_stack(
    command: Command,
    *,
    table_id: int,
    seating_id: int,
    stack_cents: int,
    counted_with_id: int,
    version: int | None = None,
) -> Outcome:
    """
    Take the stack of a player who is away too long: counted by two, carried to the cage for the deposit; the seat is
    free (H1.8, R-§4, U35).

    The second person has signed "stack.<seating>.<cents>" with their own PIN (`people.services.second_person`, before
    this command). The chips leave as with any departure, and a slip waits at the cage until they have come there.

    :raises NeedsSecondSignature: nobody signed this count.
    :raises NotAway, StillInTime, NobodyWaits: the seat is held.
    :raises PenaltyRuns: the house keeps the player out, so nobody loses a seat meanwhile (H1.48).
    :raises HandInProgress: no stack leaves during a hand (H1.1).
    :raises Stale: the seat has changed since the screen showed `version`.
    """
    check_signed(command, counted_with_id, needs=NEEDS, signs=signature(seating_id, stack_cents))
    day, table = lock_day_and_table(command, table_id)
    seating = seating_of(table, seating_id, version=version)
    _check_too_long(command, table, seating)
    # Else whoever plays over would sit on in a seat that nobody holds any more. No hand is in progress: it is at once.
    if seating.is_played_over:
        give_back(seating, at=command.at)
    ends_now(command, table, seating)
    supply_stack(command, day_id=day.pk, seating=seating, cents=stack_cents)
    data = {"seating": seating.pk, "seat": seating.seat_number, "player": seating.player_id}
    slip = ask_cash_out(
        command,
        player_id=seating.player_id,
        amount_cents=stack_cents,
        destination="picked_up",
        seat=seat_of(table, seating),
    )
    return done(
        table,
        data={**data, "stack_cents": stack_cents, "counted_with_id": counted_with_id, "slip_id": slip},
        audiences=(EVERY_WINDOW,),
    )


def signature(seating_id: int, stack_cents: int) -> str:
    """Return what the second person signs."""
    return f"stack.{seating_id}.{stack_cents}"


def _check_too_long(command: Command, table: Table, seating: Seating) -> None:
    terms = opening_of(table).terms.absence
    if not seating.is_held:
        raise NotAway
    check_no_penalty(seating.player, at=command.at)
    limit, passed = seating.away_limit_at, seating.buttons_passed
    if not is_over(terms, at=command.at, limit=limit, buttons_passed=passed):
        by_button = {"reason": "still_in_time_by_button"} if terms.buttons_max and limit is None else {}
        raise StillInTime(seat_number=seating.seat_number, **by_button)
    if terms.only_with_list and not claims().anybody_waits(opening_of(table).game, but=seating.player_id):
        raise NobodyWaits(seat_number=seating.seat_number)
    if table.hand is not None:
        raise HandInProgress(hand_number=table.hand.number)


def _outcome(table: Table, seating: Seating, **more: object) -> Outcome:
    until: datetime | None = seating.away_limit_at
    data = {"seating": seating.pk, "until": until.isoformat() if until else None, **more}
    return done(table, data=data)
