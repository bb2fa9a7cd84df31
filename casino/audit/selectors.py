"""Reading and proving the log."""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Min, Q
from django.db.models.expressions import RawSQL
from django.utils.translation import gettext_noop

from casino.audit.breaks import Break
from casino.audit.hashes import GENESIS, link
from casino.audit.held import differences
from casino.audit.models import Chain, Event, Seal
from casino.audit.sealing.proof import seal_breaks
from casino.audit.sealing.text import code_of
from casino.audit.sentences import once_called
from casino.reading import snapshot


def audiences_since(event_id: int) -> list[tuple[int, int, list[str], int]]:
    """
    Return (id, room id, audiences, transaction) of each event after `event_id`, in order of id.

    Ids are given before commits, so a later commit may carry a smaller id: callers ask with an overlap. The
    transaction is the number PostgreSQL keeps with the row (32 bits, wrapping), for a reader who wants to know
    whether a snapshot has seen it.
    """
    events = Event.objects.filter(id__gt=event_id).order_by("id")
    written_by = RawSQL("audit_event.xmin::text::bigint", [])
    return list(events.annotate(written_by=written_by).values_list("id", "room_id", "audiences", "written_by"))


def newest_event_id() -> int:
    """Return the id of the newest event, or 0."""
    return Event.objects.order_by("-id").values_list("id", flat=True).first() or 0


@dataclass(frozen=True)
class LogFilter:
    """
    Which events: of a chain or a command, refused ones, between two moments, or after one event and up to another; and
    what their text names.

    `staff_ids` did it, or its text is named by `person` (a regular expression, "" for nothing); `cents` is an amount in
    it. No index knows the text: who asks for either says since when. `by_id` did it, whoever is named. `may` is what
    the reader may open: what is kept from such a reader (`keep_from`) is left out.
    """

    chain: str = ""
    name: str = ""
    result: str = ""
    since: datetime | None = None
    until: datetime | None = None
    after_id: int | None = None
    last_id: int | None = None
    staff_ids: tuple[int, ...] = ()
    person: str | None = None
    cents: int | None = None
    by_id: int | None = None
    may: Collection[str] = ()


# By chain, the right whose holders do not find it among the events of the log.
_kept_from: dict[str, str] = {}


def keep_from(right: str, *, chain: str) -> None:
    """
    Have the log list nothing of a chain to who holds a right: some of what it is about is kept from them by itself, and
    they would count what there is against what they see. The chain itself is whole, and so is its proof.
    """
    _kept_from[chain] = right


def listed(may: Collection[str]) -> Q:
    """Return the condition, on events, that the log lists them to who may do this."""
    return ~Q(chain__in=[chain for chain, right in _kept_from.items() if right in may])


def log_page(
    room_id: int, log_filter: LogFilter | None = None, *, before: int | None = None, limit: int = 50
) -> list[Event]:
    """Return events, newest first: those before the event `before` that the filter lets through. One query."""
    log_filter = log_filter or LogFilter()
    events = Event.objects.filter(listed(log_filter.may), room_id=room_id)
    exactly = {
        "id__lt": before,
        "at__gte": log_filter.since,
        "at__lt": log_filter.until,
        "id__gt": log_filter.after_id,
        "id__lte": log_filter.last_id,
        "staff_id": log_filter.by_id,
    }
    events = events.filter(**{column: value for column, value in exactly.items() if value is not None})
    if log_filter.chain:
        events = events.filter(chain=log_filter.chain)
    if log_filter.name:
        events = events.filter(Q(name__startswith=log_filter.name) | Q(name__in=once_called(log_filter.name)))
    if log_filter.result == "refused":
        events = events.exclude(result="done")
    elif log_filter.result:
        events = events.filter(result=log_filter.result)
    if log_filter.person is not None:
        named = Q(text__regex=log_filter.person) if log_filter.person else Q(pk=None)
        events = events.filter(Q(staff_id__in=log_filter.staff_ids) | named)
    if log_filter.cents is not None:
        events = events.filter(text__regex=rf'(cents":|":\[([0-9]+,)*){log_filter.cents}[],}}]')
    return list(events.order_by("-id")[:limit])


def last_seal(room_id: int) -> Seal | None:
    """Return the newest seal of the room."""
    return Seal.objects.filter(room_id=room_id).order_by("-id").first()


def printed_seal(room_id: int) -> dict[str, Any] | None:
    """Return the room's newest signed seal as it is printed: `number`, `at` and `code`."""
    seal = last_seal(room_id)
    return {"number": seal.number, "at": seal.at, "code": code_of(seal)} if seal and seal.number else None


def breaks(room_id: int, *, since: datetime | None = None) -> Iterator[Break]:
    """
    Yield the first broken link of each chain of the room, then each seal that does not hold, then what is posted, paid
    or counted and not as the log says: all as they stood at one moment, for the log goes on while it is read.

    With `since`, what was logged, sealed and written from that moment on, tied to the last link before it.
    """
    with snapshot():
        first_id = _first_event_id(room_id, since) if since else 0
        yield from _breaks(room_id, first_id)
        yield from seal_breaks(room_id, since=since)
        yield from differences(room_id, since=since, first_event_id=first_id)


def _first_event_id(room_id: int, since: datetime) -> int:
    # Not the least id itself, for which PostgreSQL would read the log of years from its beginning.
    events = Event.objects.filter(room_id=room_id, at__gte=since)
    return events.aggregate(first=Min(F("id") + 0))["first"] or newest_event_id() + 1


def _breaks(room_id: int, first_id: int) -> Iterator[Break]:
    events, chains = Event.objects.filter(room_id=room_id, id__gte=first_id), Chain.objects.filter(room_id=room_id)
    read = chains.filter(name__in=events.values("chain")) if first_id else chains
    for chain in read.order_by("name"):
        first_break = _first_break(chain, first_id)
        if first_break:
            yield first_break
    headless = events.exclude(chain__in=chains.values("name"))
    for name in headless.order_by("chain").values_list("chain", flat=True).distinct():
        yield Break(chain=name, number=1, problem=gettext_noop("the chain has lost its head"))


def _columns(event: dict[str, Any]) -> tuple[Any, ...]:
    keys = ("chain", "number", "name", "result", "command", "room", "staff", "device")
    return (*(event[key] for key in keys), datetime.fromisoformat(event["at"]))


def _first_break(chain: Chain, first_id: int) -> Break | None:
    previous, expected = GENESIS, 1
    events = Event.objects.filter(room_id=chain.room_id, chain=chain.name).order_by("number")
    if first_id and (before := events.filter(id__lt=first_id).last()):
        previous, expected = before.hash, before.number + 1
    # In chunks: the log of years is never in memory together.
    for event in events.filter(id__gte=first_id).iterator(chunk_size=2000):
        if event.number != expected:
            return Break(chain.name, expected, gettext_noop("an event is missing"))
        if event.previous_hash != previous or link(previous, event.text) != event.hash:
            return Break(chain.name, event.number, gettext_noop("the hash does not agree with the text"))
        kept = (event.chain, event.number, event.name, event.result, str(event.command_id))
        if (*kept, event.room_id, event.staff_id, event.device_id, event.at) != _columns(json.loads(event.text)):
            return Break(chain.name, event.number, gettext_noop("the columns do not agree with the text"))
        previous, expected = event.hash, expected + 1
    if (chain.number, chain.hash) != (expected - 1, previous):
        return Break(chain.name, expected, gettext_noop("the chain's head knows of another event"))
    return None
