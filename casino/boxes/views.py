"""The boxes' pages: what hangs where, what waits to be counted, and one box with its count."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.boxes.api import CountBox, DropBox, HangBox, JudgeCount, TakeBack, at_table, count_by_two
from casino.boxes.models import Box, BoxCount
from casino.boxes.selectors.boxes import last_counts, places_of, waiting_boxes
from casino.boxes.services import NEEDS, NUMBER_MAX, drop_box, hang_box, judge_count, take_back
from casino.boxes.words import NO_NUMBER_REASONS, box_name
from casino.cage.selectors.drawers import values_counted
from casino.commands.methods import require_POST, require_safe
from casino.errors import NotFound
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.people.selectors import staff_names
from casino.people.standing import may_sign
from casino.rooms.selectors import open_day, room_of

# As many as the page lists; calls page through them all.
COUNTS_SHOWN = 60


@page("page.boxes")
@never_cache
@require_safe
def boxes_page(request: ActorRequest) -> HttpResponse:
    """Show every place where a box hangs or could, what waits to be counted, and the last counts. A few queries."""
    room = room_of(actor_of(request).room_id)
    counts = last_counts(room.pk, most=COUNTS_SHOWN)
    newest = {count.box_id: count.number for count in reversed(counts)}
    context = {
        "room": room,
        "places": list(places_of(room.pk)),
        "number_max": NUMBER_MAX,
        "waiting": [(box, box_name(box)) for box in waiting_boxes(room.pk)],
        # Of a box that was counted again only the count that holds.
        "counts": [(each, box_name(each.box)) for each in counts if newest[each.box_id] == each.number],
    }
    return render(request, "boxes/boxes.html", context)


@page("page.boxes")
@never_cache
@require_safe
def box_page(request: ActorRequest, box_id: int) -> HttpResponse:
    """
    Show a box that was dropped: the form of its count, and beside it what was counted. What is expected is there once
    it is counted. :raises NotFound: the room has none such.
    """
    by = actor_of(request)
    room, box = room_of(by.room_id), _box(by.room_id, box_id)
    counts = list(box.counts.select_related("day").order_by("-number"))
    names = staff_names({who for each in counts for who in (each.counted_by_id, each.approved_by_id)})
    context: dict[str, Any] = {
        "room": room,
        "box": box,
        "name": box_name(box),
        "counts": [
            (
                each,
                names.get(each.counted_by_id, ""),
                names.get(each.approved_by_id, ""),
                NO_NUMBER_REASONS.get(each.reason, ""),
            )
            for each in counts
        ],
        "no_number": NO_NUMBER_REASONS,
        "reason": counts[0].reason if counts else "",
        "may_count": "boxes.count_box" in by.may and box.dropped_after is not None,
        "day": open_day(room.pk),
        "chip_values": _values(values_counted(room.pk, at=clock.now()).chips, counts),
        "signers": may_sign(room.pk, needs=NEEDS, without={by.staff_id}),
    }
    return render(request, "boxes/box.html", context)


@page("boxes.hang_box")
@require_POST
def hang_tap(request: ActorRequest) -> HttpResponse:
    """Hang a box, instead of the one that hangs there."""
    command = command_for(request)
    hang_box(command, **at_table(command, arguments_of_form(request, HangBox)))
    return _back(request)


@page("boxes.drop_box")
@require_POST
def drop_tap(request: ActorRequest) -> HttpResponse:
    """Take a box down."""
    command = command_for(request)
    drop_box(command, **at_table(command, arguments_of_form(request, DropBox)))
    return _back(request)


@page("boxes.take_back")
@require_POST
def take_back_tap(request: ActorRequest, box_id: int) -> HttpResponse:
    """Take back what was done last at a table's box."""
    take_back(command_for(request), box_id=box_id, **arguments_of_form(request, TakeBack))
    return _back(request)


@page("boxes.count_box")
@require_POST
def count_tap(request: ActorRequest, box_id: int) -> HttpResponse:
    """Count a box, by two on the same screen; what was expected is shown afterwards."""
    count_by_two(command_for(request), box_id=box_id, **arguments_of_form(request, CountBox))
    return done(request, to=reverse("box", args=[box_id]))


@page("boxes.judge_count")
@require_POST
def judge_tap(request: ActorRequest, box_id: int) -> HttpResponse:
    """Take a count that differs off the to-do, having looked at it."""
    judge_count(command_for(request), box_id=box_id, **arguments_of_form(request, JudgeCount))
    return done(request, to=reverse("box", args=[box_id]))


def _back(request: ActorRequest) -> HttpResponse:
    return done(request, to=reverse("boxes"))


def _box(room_id: int, box_id: int) -> Box:
    box = Box.objects.filter(room_id=room_id, id=box_id, taken_back_at=None).select_related("table").first()
    if box is None:
        raise NotFound(what="box")
    return box


def _values(chips_cents: tuple[int, ...], counts: list[BoxCount]) -> list[int]:
    """Return the chips that may lie in a box, greatest first: of every book so far, and what was counted there."""
    return sorted({*chips_cents, *(value for each in counts for value, _count in each.pieces)}, reverse=True)
