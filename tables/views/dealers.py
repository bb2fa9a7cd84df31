"""The floor's page of its dealers, its taps, the times for pay, and a dealer's own page."""

import csv
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache

from casino import clock
from casino.commands.methods import require_safe
from casino.errors import Malformed
from casino.people.api_staff import AddShiftDealer
from casino.people.http import ActorRequest, actor_of, command_for, done, page, queried_day
from casino.people.inputs import arguments_of_form
from casino.people.services import add_shift_dealer
from casino.rooms.models import Room
from casino.rooms.selectors import room_of, rule_book_in_force
from casino.text import for_spreadsheet
from tables.api.work import ChangeDeck, EndDown, PushDealer
from tables.audiences import DEALERS
from tables.models import DeckChange
from tables.selectors.dealer_times import SPAN_DAYS_MAX, DownTime, down_times, summed
from tables.selectors.rotation import dealers_screen
from tables.selectors.tip_boxes import taken_along_by
from tables.selectors.tips import own_tips
from tables.services import downs
from tables.views.floor import on_the_floor, table_for
from tables.views.floor_taps import floor_tap


@on_the_floor
def dealers_page(request: ActorRequest) -> HttpResponse:
    """Show who deals where and who is next. How a dealer's log looks is for who reads the exception report."""
    context = {"may_see_times": "page.dealer_times" in actor_of(request).may}
    return render(request, "tables/floor_dealers.html", context)


def render_dealers(*, room_id: int) -> str:
    """Return the fragment of who deals where."""
    screen = dealers_screen(room_id)
    return render_to_string("tables/floor_dealers_live.html", {"shown": screen, "room": screen.room})


@on_the_floor
def push_sheet(request: ActorRequest, number: int) -> HttpResponse:
    """Ask who else pushes in at a table, whether its dealer takes a break, and which deck is in play."""
    table = table_for(request, number)
    screen = dealers_screen(table.room_id)
    line = next((line for line in screen.tables if line.table.pk == table.pk), None)
    dealers = [(dealer, dealer.rests_until(line.turns)) for dealer in screen.dealers] if line else []
    context = {"table": table, "room": screen.room, "line": line, "dealers": dealers}
    return render(request, "tables/floor_sheet_push.html", context | {"colours": DeckChange.Colour.values})


@on_the_floor
def dealer_sheet(request: ActorRequest) -> HttpResponse:
    """Ask for the name and the PIN of somebody from the pit who deals today."""
    return render(request, "tables/floor_sheet_dealer.html")


@floor_tap
def push_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Note that a dealer has pushed in."""
    table, arguments = table_for(request, number), arguments_of_form(request, PushDealer)
    downs.push_dealer(command_for(request), table_id=table.pk, **arguments)
    return done(request, audience=DEALERS)


@floor_tap
def break_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Send a table's dealer on a break with nobody to follow."""
    table, arguments = table_for(request, number), arguments_of_form(request, EndDown)
    downs.end_down(command_for(request), table_id=table.pk, **arguments)
    return done(request, audience=DEALERS)


@floor_tap
def deck_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Record the deck that comes into play."""
    table, arguments = table_for(request, number), arguments_of_form(request, ChangeDeck)
    downs.change_deck(command_for(request), table_id=table.pk, **arguments)
    return done(request, audience=DEALERS)


@floor_tap
def add_tap(request: ActorRequest) -> HttpResponse:
    """Let somebody from the pit deal today."""
    add_shift_dealer(command_for(request), **arguments_of_form(request, AddShiftDealer))
    return done(request, audience=DEALERS)


@page("page.dealer_times")
@never_cache
@require_safe
def times_page(request: ActorRequest) -> HttpResponse:
    """Show what each dealer dealt over a span of days."""
    room = room_of(actor_of(request).room_id)
    first, last = _span(request, room)
    times = down_times(room, first=first, last=last)
    context = {"room": room, "first": first, "last": last, "sums": summed(times), "shows_pace": _shows_pace(room)}
    return render(request, "tables/dealer_times.html", context)


@page("page.dealer_times")
@never_cache
@require_safe
def times_file(request: ActorRequest) -> HttpResponse:
    """Return the same down by down, for the office that pays: CSV, times by the room's clock."""
    room = room_of(actor_of(request).room_id)
    first, last = _span(request, room)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="dealers-{first}-{last}.csv"'
    writer = csv.writer(response)
    writer.writerow(["dealer_id", "dealer", "gaming_day", "table", "game", "from", "to", "minutes", "hands"])
    writer.writerows(_row(down, room) for down in down_times(room, first=first, last=last))
    return response


@page("page.own_downs")
@never_cache
@require_safe
def own_page(request: ActorRequest) -> HttpResponse:
    """Show a dealer their own downs of today and yesterday, and nobody else's."""
    actor = actor_of(request)
    room = room_of(actor.room_id)
    today = clock.now().astimezone(ZoneInfo(room.time_zone)).date()
    times = down_times(room, first=today - timedelta(days=1), last=today, dealer_id=actor.staff_id or 0)
    own = next(iter(summed(times)), None)
    tips = own_tips(room.pk, actor.staff_id or 0, at=clock.now())
    context = {"room": room, "times": times[::-1], "own": own, "shows_pace": _shows_pace(room), "tips": tips}
    context["taken_along"] = taken_along_by(room.pk, actor.staff_id or 0)
    return render(request, "tables/own_downs.html", context)


def _shows_pace(room: Room) -> bool:
    _, book = rule_book_in_force(room.pk, at=clock.now())
    return book.dealers.shows_pace


def _span(request: ActorRequest, room: Room) -> tuple[date, date]:
    """Return the span asked for, else this month so far. :raises Malformed: no dates, or too many days."""
    today = clock.now().astimezone(ZoneInfo(room.time_zone)).date()
    first, last = queried_day(request, "from", today.replace(day=1)), queried_day(request, "to", today)
    if not timedelta(0) <= last - first <= timedelta(days=SPAN_DAYS_MAX):
        raise Malformed(field="to")
    return first, last


def _row(down: DownTime, room: Room) -> list[object]:
    zone = ZoneInfo(room.time_zone)
    began, ended = (f"{at.astimezone(zone):%Y-%m-%d %H:%M}" if at else "" for at in (down.began_at, down.ended_at))
    name = for_spreadsheet(down.dealer)
    return [
        down.dealer_id,
        name,
        down.day or "",
        down.table_number,
        for_spreadsheet(down.game),
        began,
        ended,
        down.minutes or "",
        down.hands,
    ]
