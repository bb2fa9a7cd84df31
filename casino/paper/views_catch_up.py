"""The pages of a sheet that is caught up: its form, what it would record, and what was recorded of it."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.commands.methods import require_POST, require_safe
from casino.errors import NotFound
from casino.paper import form
from casino.paper.api import CatchUp, catch_up_by_two
from casino.paper.bodies import WrittenBody, entered_of
from casino.paper.catching_up import Place, place_of, sheet_of
from casino.paper.entered import digest_of
from casino.paper.facts import TableFacts, table_facts
from casino.paper.looking import (
    caught_up_of,
    dealers_of,
    look,
    names_of,
    newest_sheets,
    recorded,
    table_of,
)
from casino.paper.models import CaughtUp, Sheet
from casino.paper.signers import NEEDS, OVERRULE_WORDS, dealers_to_sign
from casino.paper.views import hand_lines
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form, read_on_page
from casino.people.standing import may_sign
from casino.rooms.models import Room
from casino.rooms.selectors import room_of
from tables.charges import cents_name, charge_codes
from tables.models import DeckChange, Table

LISTED = 12
_DOWNS, _CHIP_LINES, _NAMES, _PERIODS = range(1, 8), range(1, 9), 200, 6


@page("page.paper")
@never_cache
@require_safe
def table_sheets(request: ActorRequest, number: int) -> HttpResponse:
    """
    Show a table's newest sheets: which were caught up, and the way to catch up from the others.

    :raises NotFound: the room has no such table.
    """
    room = room_of(actor_of(request).room_id)
    table = Table.objects.filter(room=room, number=number).first()
    if table is None:
        raise NotFound(what="table")
    context = {"room": room, "table": table, "rows": newest_sheets(table.pk, most=LISTED)}
    return render(request, "paper/table_sheets.html", context)


@page("page.paper")
@never_cache
@require_safe
def sheet_page(request: ActorRequest, number: int) -> HttpResponse:
    """
    Show the form of a table's sheet; of one that was caught up what was recorded, to be read and printed.

    :raises NotFound: the room has no such sheet of a table.
    """
    room = room_of(actor_of(request).room_id)
    sheet = sheet_of(room.pk, number)
    row = caught_up_of(sheet)
    return _recorded(request, room, row) if row else _form(request, room, sheet)


@page("page.paper")
@never_cache
@require_POST
def look_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Show what would be recorded of what is typed so far, and who signs it. Nothing is recorded yet."""
    by = actor_of(request)
    room = room_of(by.room_id)
    body = read_on_page(WrittenBody, form.as_call(request.POST, zone=room.time_zone, at=clock.now()))
    entered, names = entered_of(body)
    looked = look(room, number, entered, names, at=clock.now())
    dealers = dealers_to_sign(looked.place.sheet, looked.place.table, entered, floor_id=by.staff_id)
    context = {
        "room": room,
        "looked": looked,
        "digest": digest_of(entered, names),
        "dealers": dealers or may_sign(room.pk, needs=NEEDS, without={by.staff_id}),
        "overrules": {} if dealers else OVERRULE_WORDS,
    }
    return render(request, "paper/looked.html", context)


@page("page.paper")
@require_POST
def catch_up_tap(request: ActorRequest, number: int) -> HttpResponse:
    """
    Catch the table up, signed on the same screen; its page shows what was recorded.

    :raises OtherSinceLooked: something else is typed than what was looked at.
    """
    arguments = _arguments(request, room_of(actor_of(request).room_id))
    entered, names = entered_of(arguments)
    form.check_looked(request.POST, digest_of(entered, names))
    catch_up_by_two(command_for(request), number=number, **arguments)
    return done(request, to=reverse("paper_sheet", args=[number]))


def _arguments(request: ActorRequest, room: Room) -> dict[str, Any]:
    call = form.as_call(request.POST, zone=room.time_zone, at=clock.now())
    return arguments_of_form(request, CatchUp, **call)


def _form(request: ActorRequest, room: Room, sheet: Sheet) -> HttpResponse:
    facts, at = table_facts(sheet.facts), clock.now()
    place = place_of(sheet, table_of(sheet), until=at, at=at)
    context = {
        "room": room,
        "sheet": sheet,
        "facts": facts,
        "place": place,
        "seats": _seats(facts, place),
        "hands": hand_lines(facts),
        "periods": facts.periods(_PERIODS),
        "colours": DeckChange.Colour.values,
        "down_lines": _DOWNS,
        "chip_lines": _CHIP_LINES,
        "dealers": dealers_of(room.pk),
        "names": names_of(room.pk, most=_NAMES),
        "until": at,
    }
    return render(request, "paper/catch_up.html", context)


def _seats(facts: TableFacts, place: Place) -> list[tuple[int, Any]]:
    return [(seat.number, place.sitting.get(seat.number)) for seat in facts.seats]


def _recorded(request: ActorRequest, room: Room, row: CaughtUp) -> HttpResponse:
    caught_up = recorded(row)
    charged = [
        (code, caught_up.figures[cents_name(code)])
        for code in charge_codes()
        if caught_up.figures.get(cents_name(code))
    ]
    context = {
        "room": room,
        "recorded": caught_up,
        "sheet": row.sheet,
        "charged": charged,
        "overrule": OVERRULE_WORDS.get(caught_up.figures.get("overrule", "")),
        "hands": list(zip(caught_up.entered.by_hand(), caught_up.hands, strict=False)),
    }
    return render(request, "paper/recorded.html", context)
