"""The pages of what is printed to play on by paper: the one tap, and the sheets themselves."""

from datetime import timedelta

import segno
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.commands.methods import require_POST, require_safe
from casino.errors import NotFound
from casino.paper.api import PrintSheets
from casino.paper.facts import TableFacts
from casino.paper.selectors import last_printings, printed
from casino.paper.services import print_sheets
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.rooms.selectors import room_of

LISTED = 20
# So long after the tap the page is still the first print of its sheets; later it is a copy and says so.
IS_NEW = timedelta(minutes=2)
# Lines to write on. An A4 sheet has room for so many of seats and lines of hands together.
_SEATS_AND_HANDS, _HANDS_MAX = 20, 12
_LIST_LINES, _DOWN_LINES, _CHIP_LINES, _COLUMNS = 5, 3, 4, 3
# The time slip takes the room of so many lines of hands; of which nothing is taken, so they are narrow.
_TIME_LINES, _TIME_ROOM, _NARROW_COLUMNS = 3, 5, 6


@page("page.paper")
@never_cache
@require_safe
def paper_page(request: ActorRequest) -> HttpResponse:
    """Show the one tap that prints, and what was printed last. A few queries."""
    room = room_of(actor_of(request).room_id)
    return render(request, "paper/paper.html", {"room": room, "rows": last_printings(room.pk, most=LISTED)})


@page("paper.print_sheets")
@require_POST
def print_tap(request: ActorRequest) -> HttpResponse:
    """Number the sheets, and go to their page, which prints itself."""
    answer = print_sheets(command_for(request), **arguments_of_form(request, PrintSheets))
    return done(request, to=reverse("paper_printed", args=[answer.data["printing"]]))


@page("page.paper")
@never_cache
@require_safe
def printed_page(request: ActorRequest, printing_id: int) -> HttpResponse:
    """
    Show the sheets as they were printed, for A4; once they are no more new it is a copy, and prints nothing by itself.

    :raises NotFound: the room has no such printing.
    """
    room = room_of(actor_of(request).room_id)
    printed_sheets = printed(room.pk, printing_id)
    if printed_sheets is None:
        raise NotFound(what="printing")
    url = request.build_absolute_uri(reverse("paper_printed", args=[printing_id]))
    qr = {
        sheet.number: segno.make(f"{url}#sheet-{sheet.number}", error="m", micro=False).svg_data_uri(border=0)
        for sheet, _facts in (*printed_sheets.lists, *printed_sheets.tables)
    }
    context = {
        "room": room,
        "printed": printed_sheets,
        "qr": qr,
        "is_copy": clock.now() - printed_sheets.printing.printed_at > IS_NEW,
        "tables": [
            (sheet, facts, hand_lines(facts), facts.periods(_TIME_LINES)) for sheet, facts in printed_sheets.tables
        ],
        "list_lines": range(_LIST_LINES),
        "down_lines": range(_DOWN_LINES),
        "chip_lines": range(_CHIP_LINES),
    }
    return render(request, "paper/printed.html", context)


def hand_lines(facts: TableFacts) -> list[list[int]]:
    """Return the lines for hands, row by row: they are numbered down each column."""
    rows = min(_HANDS_MAX, _SEATS_AND_HANDS - len(facts.seats)) - (_TIME_ROOM if facts.time_minutes else 0)
    columns = _COLUMNS if facts.charges else _NARROW_COLUMNS
    return [[row + 1 + column * rows for column in range(columns)] for row in range(rows)]
