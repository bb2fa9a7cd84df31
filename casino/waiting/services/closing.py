"""The right of whoever finds no seat when a table closes: to wait before everybody (H2.10, H2.11)."""

from casino.commands.carrying_out import Command, Outcome, service
from casino.rooms.models import GamingDay
from casino.rooms.selectors import lock_open_day
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.selectors.phones import phones_on_list
from casino.waiting.services.lists import list_of
from casino.waiting.services.protection import lock_who_waits
from casino.waiting.services.state import end_of, lock_list, place_before, touch
from tables.errors_moves import NotClosing
from tables.models import Seating, Table
from tables.services.moving import check_between_hands, leave_for_good
from tables.services.state import done, lock_table, opening_of, seating_of


@service("waiting.wait_with_right")
def wait_with_right(command: Command, *, table_id: int, seating_id: int, stack_cents: int) -> Outcome:
    """
    Let a player of a closing table leave with the stack as counted and wait before everybody on the game's list.

    After those of the table who did so before. The player's place on that list, if there is one, is the better one
    then. Rules: H2.10, H2.11.
    :raises NotClosing: the table goes on.
    :raises SeatEmpty: the player has left.
    :raises HandInProgress: the player is dealt into a hand: the stack is in it (H1.1).
    :raises PlayerBanned, PlayerExcludedOwnWish, HoursUsedUp: as `join_list`.
    """
    day = lock_open_day(command.room_id)
    player_id = Seating.objects.filter(id=seating_id, table_id=table_id).values_list("player_id", flat=True).first()
    lock_who_waits(command, player_id or 0, day)
    table = lock_table(command, table_id)
    opening = opening_of(table)
    if not opening.is_closing:
        raise NotClosing(table_number=table.number)
    seating = seating_of(table, seating_id)
    check_between_hands(table, seating)
    leave_for_good(command, day, table, seating, stack_cents=stack_cents)
    waiting_list = lock_list(command, list_of(opening.game).pk)
    entry = _entry(command, day, waiting_list, table, player_id=seating.player_id)
    data = {"seating": seating.pk, "seat": seating.seat_number, "player": seating.player_id}
    data |= {"stack_cents": stack_cents, "waiting": entry.pk}
    phones = phones_on_list(waiting_list.pk, seating.player_id)
    return done(table, data=data, audiences=phones)


def _entry(command: Command, day: GamingDay, waiting_list: WaitingList, table: Table, *, player_id: int) -> Waiting:
    live = waiting_list.entries.filter(status__in=Waiting.LIVE)
    entry = live.filter(player_id=player_id).first() or Waiting(
        room_id=command.room_id,
        waiting_list=waiting_list,
        player_id=player_id,
        day=day,
        joined_at=command.at,
        joined_by_id=command.by.staff_id,
        version=0,
    )
    others = live.exclude(pk=entry.pk)
    # Whoever has the right and missed a call, or was put elsewhere, waits after some without it: not after those.
    first = others.filter(right_from=None).order_by("place", "id").first()
    entry.place = place_before(waiting_list, first, among=others) if first else end_of(waiting_list)
    entry.right_from, entry.check_in_by = table.opening, None
    entry.version += 1
    entry.save(update_fields=("place", "right_from", "check_in_by", "version") if entry.pk else None)
    touch(waiting_list)
    return entry
