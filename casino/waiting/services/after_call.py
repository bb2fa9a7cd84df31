"""What becomes of a call: more time, chips to fetch, the player's own answers, and time running out (H2.6, A21)."""

from datetime import datetime, timedelta

from casino.commands.carrying_out import Command, Outcome, service
from casino.poker.calls import is_struck
from casino.rooms.selectors import rule_book_in_force
from casino.rulebooks import RuleBook
from casino.waiting.errors import ChipsFetched, MoreTimeNotRequested, NotCalled, NotOnList
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.selectors.phones import phones_on_list
from casino.waiting.services.state import (
    called_entry,
    end_entry,
    end_of,
    list_done,
    no_longer_called,
    save_entry,
    touch,
)
from tables.claims import Ended
from tables.models import Table


@service("waiting.grant_more_time")
def grant_more_time(command: Command, *, waiting_id: int) -> Outcome:
    """
    Let a called player have more time, as the book says: the floor's grant, never the player's own.

    :raises NotCalled: the player is not called.
    """
    waiting_list, entry = called_entry(command, waiting_id)
    _, book = rule_book_in_force(command.room_id, at=command.at)
    assert entry.holds_until is not None, "a call ends"
    entry.call_expires_at = max(entry.holds_until, command.at) + timedelta(seconds=book.timers.more_time_seconds)
    entry.asks_more_at, entry.is_more_refused = None, False
    save_entry(entry, "call_expires_at", "asks_more_at", "is_more_refused")
    return list_done(waiting_list, entry, data={"until": entry.call_expires_at.isoformat()}, table=entry.table)


@service("waiting.refuse_more_time")
def refuse_more_time(command: Command, *, waiting_id: int) -> Outcome:
    """
    Give a called player who asks for it no more time; the phone says so.

    :raises NotCalled: the player is not called.
    :raises MoreTimeNotRequested: the player requests none, or no longer.
    """
    waiting_list, entry = called_entry(command, waiting_id)
    if entry.asks_more_at is None:
        raise MoreTimeNotRequested
    entry.asks_more_at, entry.is_more_refused = None, True
    save_entry(entry, "asks_more_at", "is_more_refused")
    return list_done(waiting_list, entry, table=entry.table)


@service("waiting.fetch_chips")
def fetch_chips(command: Command, *, waiting_id: int) -> Outcome:
    """
    Keep the promised seat while its player is at the cage, for as long as the book says: once a call.

    :raises NotCalled: the player is not called.
    :raises ChipsFetched: the seat was kept for that already; the floor may still grant more time.
    """
    waiting_list, entry = called_entry(command, waiting_id)
    if entry.fetches_chips_until is not None:
        raise ChipsFetched
    _, book = rule_book_in_force(command.room_id, at=command.at)
    entry.fetches_chips_until = command.at + timedelta(seconds=book.timers.chip_pickup_seconds)
    save_entry(entry, "fetches_chips_until")
    assert entry.holds_until is not None, "a call ends"
    return list_done(waiting_list, entry, data={"until": entry.holds_until.isoformat()}, table=entry.table)


@service("waiting.let_call_run_out")
def let_call_run_out(command: Command, *, waiting_id: int) -> Outcome:
    """
    End a call whose time is over: the player is struck, or goes to the bottom, as the book says (H2.6, A21).

    Time's own command: it looks again whether the call is still due.

    :raises NotCalled: it is not, or no longer.
    """
    waiting_list, entry = called_entry(command, waiting_id)
    if (until := entry.holds_until) is None or until > command.at:
        raise NotCalled
    table = missed(command, waiting_list, entry)
    return list_done(waiting_list, entry, table=table)


def missed(command: Command, waiting_list: WaitingList, entry: Waiting) -> Table | None:
    """Do with a called player who did not come as the book says (H2.6); return the table of the promised seat."""
    _, book = rule_book_in_force(command.room_id, at=command.at)
    if _is_struck(book, entry):
        return end_entry(command, entry, Waiting.Status.STRUCK, why="call_ran_out")
    # A call that was made on paper promised no seat in Brush.
    table = no_longer_called(entry) if entry.status == Waiting.Status.CALLED else None
    entry.missed_calls += 1
    entry.place = end_of(waiting_list)
    save_entry(entry, "missed_calls", "place")
    return table


def _is_struck(book: RuleBook, entry: Waiting) -> bool:
    return is_struck(book.settings.missed_call, passes=entry.missed_calls, passes_max=book.settings.missed_calls_max)


def calls_end(command: Command, table: Table) -> Ended:
    """
    Take back every call to a locked table that closes; return those entries and the screens that show them.

    Nobody new sits down there any more (H2.22), so the promise is no longer worth anything: whoever was called waits
    again in the old place, and has missed no call.
    """
    called = Waiting.objects.filter(table=table, status=Waiting.Status.CALLED).order_by("waiting_list_id", "id")
    ended: list[int] = []
    audiences: list[str] = []
    for waiting_id in called.values_list("id", flat=True):
        try:
            waiting_list, entry = called_entry(command, waiting_id)
        except (NotCalled, NotOnList):
            # Struck, dropped out or run out before the list was ours.
            continue
        if entry.table_id != table.pk:
            # Called elsewhere meanwhile.
            continue
        no_longer_called(entry)
        touch(waiting_list)
        ended.append(entry.pk)
        audiences += phones_on_list(waiting_list.pk, entry.player_id)
    return Ended(ended, tuple(dict.fromkeys(audiences)))


def due_calls(*, at: datetime) -> list[int]:
    """Return the entries whose call has run out, oldest first."""
    due = Waiting.objects.filter(status=Waiting.Status.CALLED, call_expires_at__lte=at)
    due = due.exclude(fetches_chips_until__gt=at)
    return list(due.order_by("call_expires_at", "id").values_list("id", flat=True))
