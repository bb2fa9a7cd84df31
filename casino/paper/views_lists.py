"""The pages of the waiting lists' sheet that is caught up: its form, how the lists would stand, what was recorded."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.commands.methods import require_POST, require_safe
from casino.paper import form
from casino.paper.api import CatchUpLists, catch_up_lists_by_two
from casino.paper.bodies_lists import ListsWrittenBody, lists_entered_of
from casino.paper.catching_up_lists import NEEDS, lists_sheet_of, looked_at
from casino.paper.entered import digest_of
from casino.paper.lists_entered import from_json
from casino.paper.looking import caught_up_of, names_of
from casino.paper.models import CaughtUp, Sheet
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form, read_on_page
from casino.people.selectors import nicknames, staff_names
from casino.people.standing import may_sign
from casino.rooms.models import Room
from casino.rooms.selectors import room_of
from tables.models import Game, Table

_LINES, _NAMES = range(1, 41), 200


@page("page.paper")
@never_cache
@require_safe
def lists_page(request: ActorRequest, number: int) -> HttpResponse:
    """
    Show the form of the lists' sheet; of one that was caught up what was recorded, to be read and printed.

    :raises NotFound: the room has no such sheet of lists.
    """
    room = room_of(actor_of(request).room_id)
    sheet = lists_sheet_of(room.pk, number)
    row = caught_up_of(sheet)
    return _recorded(request, room, row) if row else _form(request, room, sheet)


@page("page.paper")
@never_cache
@require_POST
def look_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Show how the lists would stand with what is typed so far, and who signs it. Nothing is recorded yet."""
    by = actor_of(request)
    room = room_of(by.room_id)
    body = read_on_page(ListsWrittenBody, form.lists_as_call(request.POST, zone=room.time_zone, at=clock.now()))
    entered, names = lists_entered_of(body)
    context = {
        "room": room,
        "number": number,
        "entered": entered,
        "looked": looked_at(command_for(request), number=number, entered=entered, names=names),
        "digest": digest_of(entered, names),
        "signers": may_sign(room.pk, needs=NEEDS, without={by.staff_id}),
    }
    return render(request, "paper/looked_lists.html", context)


@page("page.paper")
@require_POST
def catch_up_tap(request: ActorRequest, number: int) -> HttpResponse:
    """
    Catch the lists up, signed on the same screen; the page shows what was recorded.

    :raises OtherSinceLooked: something else is typed than what was looked at.
    """
    zone = room_of(actor_of(request).room_id).time_zone
    arguments = arguments_of_form(request, CatchUpLists, **form.lists_as_call(request.POST, zone=zone, at=clock.now()))
    entered, names = lists_entered_of(arguments)
    form.check_looked(request.POST, digest_of(entered, names))
    catch_up_lists_by_two(command_for(request), number=number, **arguments)
    return done(request, to=reverse("paper_lists", args=[number]))


def _form(request: ActorRequest, room: Room, sheet: Sheet) -> HttpResponse:
    context = {
        "room": room,
        "sheet": sheet,
        "lines": _LINES,
        "games": Game.objects.filter(room=room, is_offered=True).order_by("name", "id"),
        "tables": Table.objects.filter(room=room, opening__isnull=False).order_by("number"),
        "names": names_of(room.pk, most=_NAMES),
        "until": clock.now(),
    }
    return render(request, "paper/catch_up_lists.html", context)


def _recorded(request: ActorRequest, room: Room, row: CaughtUp) -> HttpResponse:
    entered = from_json(row.entered)
    context = {
        "room": room,
        "row": row,
        "entered": entered,
        "players": nicknames({line.player_id for line in entered.lines if line.player_id}),
        "staff": staff_names({row.floor_id, row.dealer_id}),
        "games": dict(Game.objects.filter(id__in={line.game_id for line in entered.lines}).values_list("id", "name")),
    }
    return render(request, "paper/recorded_lists.html", context)
