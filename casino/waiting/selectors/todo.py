"""What the lists leave the floor to do: seats to call to, requests from phones, call-ins who did not come."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.live.todo import ToDoLine
from casino.text import isolated
from casino.waiting.models import Waiting
from casino.waiting.selectors.lists import GameList
from tables.rules.newcomers import Proposal
from tables.selectors.todo import seat_name


class Offer(Protocol):
    """A game's list, and who is called next to which seat, None where none is free; who stands before them."""

    @property
    def waiting(self) -> GameList: ...
    @property
    def next_entry(self) -> Waiting | None: ...
    @property
    def next_seat(self) -> Proposal | None: ...
    @property
    def passed(self) -> Sequence[Waiting]: ...


def list_lines(offers: Iterable[Offer]) -> Iterator[ToDoLine]:
    """Yield the lines of these games' lists. No query."""
    for offer in offers:
        waiting = offer.waiting
        if offer.next_entry is not None and offer.next_seat is not None:
            yield _call(offer.next_entry, offer.next_seat, offer.passed)
        for entry in waiting.called:
            if entry.asks_more_at is not None:
                yield _more_time_wanted(entry)
        for entry in waiting.call_ins:
            yield _did_not_come(entry)


def _call(entry: Waiting, seat: Proposal, passed: Sequence[Waiting]) -> ToDoLine:
    name = isolated(str(entry.player))
    values = {"players": ", ".join(isolated(str(each.player)) for each in passed)}
    reason = _("First on the list, and the seat to offer next.")
    if passed:
        reason = _("Next on the list who may sit there. Not there now: %(players)s.")
    return ToDoLine(
        key=f"call.{entry.pk}",
        table_number=seat.table_number,
        urgency=1,
        tone="soon",
        where=seat_name(seat.table_number, seat.seat_number),
        text=_("free: call %(player)s") % {"player": name},
        cited=seat.reason,
        reason=reason % values,
        at=entry.joined_at,
        how="post",
        address=reverse("waiting_call", args=[entry.pk]),
        label=_("Call"),
        values=(("table_number", seat.table_number), ("seat_number", seat.seat_number)),
    )


def _more_time_wanted(entry: Waiting) -> ToDoLine:
    assert entry.asks_more_at is not None
    assert entry.table is not None
    assert entry.seat_number is not None
    return ToDoLine(
        key=f"more.{entry.pk}",
        table_number=entry.table.number,
        urgency=1,
        tone="soon",
        where=seat_name(entry.table.number, entry.seat_number),
        text=_("%(player)s asks for more time") % {"player": isolated(str(entry.player))},
        cited="call_runs_out",
        reason=_("The seat is lost when the call runs out. Grant more time, or not."),
        at=entry.asks_more_at,
        how="sheet",
        address=reverse("waiting_sheet", args=[entry.pk]),
        label=_("Answer"),
    )


def _did_not_come(entry: Waiting) -> ToDoLine:
    assert entry.check_in_by is not None
    return ToDoLine(
        key=f"call_in.{entry.pk}",
        table_number=None,
        urgency=6,
        tone="later",
        where=entry.waiting_list.game.name,
        text=_("%(player)s called in and is not here") % {"player": isolated(str(entry.player))},
        reason=_("The time to check in is over. Check the player in, or strike."),
        at=entry.check_in_by,
        how="sheet",
        address=reverse("waiting_sheet", args=[entry.pk]),
        label=_("Look"),
        shown_from=entry.check_in_by,
    )
