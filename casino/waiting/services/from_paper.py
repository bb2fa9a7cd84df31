"""
What became of the lists while Brush was down, as steps of the command that catches them up from paper (H2.3-H2.9).

The caller has locked the gaming day, the players, the tables of calls that run, and each list of which a line is.
"""

from datetime import datetime, timedelta

from casino.commands.carrying_out import Command
from casino.rooms.models import GamingDay
from casino.rooms.selectors import rule_book_in_force
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.services.after_call import missed
from casino.waiting.services.state import ENDED, end_entry, end_of, place_before, save_entry
from tables.models import Table


def came_on(
    command: Command, waiting_list: WaitingList, player_id: int, *, day: GamingDay, at: datetime, is_call_in: bool,
    sheet: int,
) -> Waiting:  # fmt: skip
    """Put a player on a list as of a moment: behind whoever was on it then, before whoever joined in Brush since."""
    _, book = rule_book_in_force(command.room_id, at=command.at)
    return Waiting.objects.create(
        room_id=command.room_id,
        waiting_list=waiting_list,
        player_id=player_id,
        place=_place(waiting_list, at),
        day=day,
        joined_at=at,
        joined_by_id=command.by.staff_id,
        check_in_by=at + timedelta(minutes=book.timers.call_in_minutes) if is_call_in else None,
        from_sheet=sheet,
    )


def _place(waiting_list: WaitingList, at: datetime) -> int:
    """Return the place of who came then; whoever was put to the end for another reason stays before them."""
    live = waiting_list.entries.filter(status__in=Waiting.LIVE)
    later = None
    for entry in live.order_by("-place", "-id"):
        if was_there(entry, at):
            break
        later = entry
    return end_of(waiting_list) if later is None else place_before(waiting_list, later, among=live)


def was_there(entry: Waiting, at: datetime) -> bool:
    """Say whether somebody was on the list at a moment that was written down without seconds."""
    return entry.joined_at.replace(second=0, microsecond=0) <= at


def is_here(entry: Waiting, *, sheet: int) -> None:
    """Note that a player who had called in is there."""
    entry.check_in_by, entry.from_sheet = None, sheet
    save_entry(entry, "check_in_by", "from_sheet")


def did_not_come(
    command: Command, waiting_list: WaitingList, entry: Waiting, *, at: datetime, sheet: int
) -> Table | None:
    """Do as the book says with a player who was called and did not come; return the table of a promise in Brush."""
    table = missed(command, waiting_list, entry)
    _mark(entry, at=at, sheet=sheet)
    return table


def came_off(
    command: Command, entry: Waiting, status: Waiting.Status, *, why: str, at: datetime, sheet: int
) -> Table | None:
    """Take a player off a list at a moment; return the table of a promise in Brush."""
    table = end_entry(command, entry, status, why=why)
    _mark(entry, at=at, sheet=sheet)
    return table


def _mark(entry: Waiting, *, at: datetime, sheet: int) -> None:
    entry.from_sheet = sheet
    if entry.ended_at is not None:
        entry.ended_at = max(at, entry.joined_at)
    save_entry(entry, *ENDED, "from_sheet")
