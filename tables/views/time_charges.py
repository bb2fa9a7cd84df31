"""The floor's sheet about a table's time charge: what is due, what was taken, and its taps."""

from django.http import HttpResponse
from django.shortcuts import render

from casino import clock
from casino.people.http import ActorRequest, command_for
from casino.people.inputs import arguments_of_form
from casino.rooms.models import Room
from tables.api.time_charges import LetTimeGo, PayByHand, PayByTime, TakeTime, time_arguments
from tables.charges import alternatives, kind_of
from tables.errors_time import NoTimeCharge
from tables.models import Opening, Seating, Table
from tables.selectors.by_time import sentences_by_time
from tables.selectors.next_hand import seated
from tables.selectors.time_charges import time_due, times_taken
from tables.services.by_time import pay_by_hand, pay_by_time
from tables.services.state import opening_of
from tables.services.time_charges import let_time_go, take_back_time, take_time
from tables.views.floor import on_the_floor, shown_on, table_for
from tables.views.floor_taps import floor_tap, page_done


@on_the_floor
def time_sheet(request: ActorRequest, number: int) -> HttpResponse:
    """
    Show the period that is due with what each seat owes, and the periods before it, and what else may be agreed on.

    :raises TableClosed: the table runs nothing.
    :raises NoTimeCharge: its game charges nothing by the time, and never will.
    """
    table = table_for(request, number)
    opening = _opening(table)
    seatings = seated(table.pk)
    due, choices = time_due(opening, seatings), alternatives(opening.game.charges)
    if due is None and not choices:
        raise NoTimeCharge(table_number=table.number)
    names = {each.seat_number: each.player for each in seatings}
    there = Seating.objects.filter(table=table, left_at=None).select_related("player").order_by("seat_number", "id")
    room = Room.objects.get(id=table.room_id)
    context = {
        "table": table,
        "room": room,
        "on": shown_on(request, table),
        "due": due,
        "is_due": due is not None and due.is_due(clock.now()),
        "shares": [(share, names[share.seat]) for share in due.shares] if due else [],
        "taken": times_taken(opening),
        "charge": kind_of(due.kind) if due and due.kind else None,
        "agreed": opening.agreed,
        "choices": [
            (kind, [each for each in choices if each.kind == kind.code and each != opening.agreed])
            for kind in map(kind_of, dict.fromkeys(each.kind for each in choices))
        ],
        "paid": sentences_by_time(opening, room),
        "there": there,
    }
    return render(request, "rulebooks/time_sheet.html", context)


@floor_tap
def by_time_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Let the whole table pay by the time instead of a charge of its hands."""
    table, arguments = table_for(request, number), arguments_of_form(request, PayByTime)
    pay_by_time(command_for(request), table_id=table.pk, **arguments)
    return page_done(request, table)


@floor_tap
def by_hand_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Have its hands charged again."""
    table, arguments = table_for(request, number), arguments_of_form(request, PayByHand)
    pay_by_hand(command_for(request), table_id=table.pk, **arguments)
    return page_done(request, table)


@floor_tap
def take_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Record that a period was taken; the fields `paid_<seat>` are what each seat put in."""
    table, arguments = table_for(request, number), arguments_of_form(request, TakeTime)
    take_time(command_for(request), table_id=table.pk, **time_arguments(table, **arguments))
    return page_done(request, table)


@floor_tap
def let_go_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Take nothing for a period."""
    table, arguments = table_for(request, number), arguments_of_form(request, LetTimeGo)
    let_time_go(command_for(request), table_id=table.pk, **arguments)
    return page_done(request, table)


@floor_tap
def take_back_tap(request: ActorRequest, number: int, time_id: int) -> HttpResponse:
    """Take back a period that was recorded by mistake."""
    table = table_for(request, number)
    take_back_time(command_for(request), table_id=table.pk, time_id=time_id)
    return page_done(request, table)


def _opening(table: Table) -> Opening:
    return opening_of(Table.objects.select_related("opening__game").get(pk=table.pk))
