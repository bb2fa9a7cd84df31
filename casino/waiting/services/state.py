"""What every service on a waiting list begins and ends with: the lock, the entry, the outcome."""

from collections.abc import Iterator
from typing import Any

from django.db.models import F, Max, Q, QuerySet

from casino.commands.carrying_out import Command, Outcome
from casino.errors import NotFound, Stale
from casino.waiting.errors import NotCalled, NotOnList
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.selectors.phones import phones_on_list
from tables.audiences import ROOM, of_table
from tables.models import Table

# Places are so far apart that room between two has to be made only after some twenty were put between them.
STEP = 1 << 20
CALL = (
    "status",
    "table",
    "seat_number",
    "seat_opened_at",
    "called_at",
    "called_by_id",
    "call_expires_at",
    "on_the_way_at",
    "asks_more_at",
    "is_more_refused",
    "fetches_chips_until",
)
ENDED = ("status", "ended_at", "ended_by_id", "ended_why")


def lock_list(command: Command, list_id: int) -> WaitingList:
    """
    Lock a list's row, which owns its order and its calls.

    :raises NotFound: the room has no such list.
    """
    waiting_list = (
        WaitingList.objects.select_for_update(no_key=True).filter(id=list_id, room_id=command.room_id).first()
    )
    if waiting_list is None:
        raise NotFound(what="list")
    return waiting_list


def locked_entry(command: Command, waiting_id: int, *, version: int | None = None) -> tuple[WaitingList, Waiting]:
    """
    Lock an entry's list and return both.

    :raises NotOnList: there is no such entry, or it has ended.
    :raises Stale: it has changed since the screen showed `version`.
    """
    list_id = Waiting.objects.filter(id=waiting_id, room_id=command.room_id).values_list("waiting_list_id", flat=True)
    waiting_list = lock_list(command, list_id.first() or 0)
    # Read only once the list is locked: what was read before may have ended meanwhile.
    entry = waiting_list.entries.select_related("table", "waiting_list__game").get(id=waiting_id)
    if version is not None and entry.version != version:
        raise Stale(what="waiting", version=entry.version)
    if entry.status not in Waiting.LIVE:
        raise NotOnList
    return waiting_list, entry


def locked_if_live(command: Command, entries: QuerySet[Waiting]) -> Iterator[tuple[WaitingList, Waiting]]:
    """Lock the list of each of these entries and yield both; one that has ended meanwhile is left out."""
    for waiting_id in list(entries.values_list("id", flat=True)):
        try:
            locked = locked_entry(command, waiting_id)
        except NotOnList:
            # Its call ran out, or its player dropped out by phone, while the list was waited for.
            continue
        yield locked


def called_entry(command: Command, waiting_id: int) -> tuple[WaitingList, Waiting]:
    """Lock an entry's list and return both, of a player who is called. :raises NotOnList, NotCalled: or not."""
    waiting_list, entry = locked_entry(command, waiting_id)
    if entry.status != Waiting.Status.CALLED:
        raise NotCalled
    return waiting_list, entry


def no_longer_called(entry: Waiting) -> Table:
    """Let the promised seat go; return its table. :raises NotCalled: the player is not called."""
    if entry.status != Waiting.Status.CALLED or entry.table is None:
        raise NotCalled
    table = entry.table
    entry.status = Waiting.Status.WAITING
    entry.table = entry.seat_number = entry.seat_opened_at = None
    entry.called_at = entry.called_by_id = entry.call_expires_at = None
    entry.on_the_way_at = entry.asks_more_at = entry.fetches_chips_until = None
    entry.is_more_refused = False
    save_entry(entry, *CALL)
    return table


def end_entry(command: Command, entry: Waiting, status: Waiting.Status, *, why: str) -> Table | None:
    """Take an entry off its list; return the table of the seat that was promised, None if none was."""
    table = no_longer_called(entry) if entry.status == Waiting.Status.CALLED else None
    entry.status, entry.ended_at = status, command.ends(entry.joined_at)
    entry.ended_by_id, entry.ended_why = command.by.staff_id, why
    save_entry(entry, *ENDED)
    return table


def end_of(waiting_list: WaitingList) -> int:
    """Return a place behind everybody, also who has gone and may be put back; `touch` stores that it was given."""
    waiting_list.places_given += 1
    return STEP * waiting_list.places_given


def place_before(waiting_list: WaitingList, other: Waiting, *, among: QuerySet[Waiting]) -> int:
    """
    Return a place right before another one's, behind whoever of `among` is ahead of it; `touch` stores what it took.

    Where the two lie too close, everybody from the other one on moves back as far as one place, who has gone too: the
    order stays, and whoever is put back finds the old place. Nobody's tap becomes stale by that.
    """
    here = Q(place__gt=other.place) | Q(place=other.place, id__gte=other.pk)
    ahead = among.exclude(here).aggregate(place=Max("place"))["place"]
    if ahead is None:
        return other.place - STEP
    if other.place - ahead < 2:
        waiting_list.entries.filter(here).update(place=F("place") + STEP)
        # Whoever joins next still comes behind everybody.
        waiting_list.places_given += 1
        other.place += STEP
    return int(ahead + other.place) // 2


def save_entry(entry: Waiting, *fields: str) -> None:
    """Store an entry's changed fields with a new version."""
    entry.version += 1
    entry.save(update_fields=[*fields, "version"])


def touch(waiting_list: WaitingList) -> None:
    """Store the list's new version."""
    waiting_list.version += 1
    waiting_list.save(update_fields=["version", "places_given"])


def entry_data(waiting_list: WaitingList, entry: Waiting) -> dict[str, Any]:
    """Return what the log and the answer say of an entry: ids and a code."""
    return {"list": waiting_list.pk, "waiting": entry.pk, "player": entry.player_id, "status": entry.status}


def list_done(
    waiting_list: WaitingList, entry: Waiting, *, data: dict[str, Any] | None = None, table: Table | None = None
) -> Outcome:
    """Store the list's new version, and tell the screens that show it, and those of the table whose seat it was."""
    touch(waiting_list)
    return Outcome(
        chain=waiting_list.chain,
        data={**entry_data(waiting_list, entry), "entry_version": entry.version, **(data or {})},
        version=waiting_list.version,
        audiences=(*ROOM, *(of_table(table) if table else ()), *phones_on_list(waiting_list.pk, entry.player_id)),
    )
