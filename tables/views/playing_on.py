"""The sheet on which the floor counts a table through between two hands."""

from typing import Any

from django.http import HttpResponse
from django.template.loader import render_to_string

from casino.people.http import ActorRequest, command_for, done
from casino.people.inputs import arguments_of_form
from casino.rooms.models import Room
from casino.rooms.selectors import open_day
from tables.api.playing_on import CountThrough, StateDifference
from tables.models import CountedThrough, Seating, Table
from tables.open_items import left_unstated
from tables.selectors.counted_through import running_tables
from tables.selectors.floor_table import figures
from tables.services.differences import state_difference
from tables.services.playing_on import count_through
from tables.views.floor import on_the_floor, shown_on, table_for
from tables.views.floor_taps import floor_tap, page_done


@on_the_floor
def count_through_sheet(request: ActorRequest, number: int) -> HttpResponse:
    """Ask for every stack at a table; beside them the last such count, and whether it still holds."""
    table = table_for(request, number)
    return HttpResponse(_html(request, table, on=shown_on(request, table)))


@floor_tap
def count_through_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Count a table through between two hands; the sheet says what differs, and stays."""
    table, arguments = table_for(request, number), arguments_of_form(request, CountThrough)
    on = shown_on(request, table)
    count_through(command_for(request), table_id=table.pk, **arguments)
    response = done(request, audience=on, content=_html(request, table_for(request, number), on=on))
    # What differs is read on the sheet: it stays open.
    del response["HX-Trigger"]
    return response


@floor_tap
def difference_tap(request: ActorRequest, number: int) -> HttpResponse:
    """State what is missing at a table, or too much."""
    table, arguments = table_for(request, number), arguments_of_form(request, StateDifference)
    state_difference(command_for(request), table_id=table.pk, **arguments)
    return page_done(request, table)


def _html(request: ActorRequest, table: Table, *, on: str) -> str:
    day = open_day(table.room_id)
    running = running_tables(table.room_id, day_id=day.pk) if day is not None else []
    seatings = Seating.objects.filter(table=table, left_at=None).select_related("player")
    shown: dict[str, Any] = {
        "table": table,
        "room": Room.objects.get(id=table.room_id),
        "on": on,
        "figures": figures(table.pk),
        "seatings": list(seatings.order_by("seat_number", "id")),
        "unstated": left_unstated(table),
        "count": CountedThrough.objects.filter(opening=table.opening_id).order_by("-id").first(),
        "holds": any(each.is_counted for each in running if each.table.pk == table.pk),
    }
    count = shown["count"]
    # What was stated since is missing no more.
    shown["missing"] = shown["figures"].in_play - count.cents if count is not None and shown["holds"] else 0
    shown["beyond"] = -shown["missing"]
    return render_to_string("tables/floor_sheet_through.html", shown, request)
