"""The floor's pages of a table: the table now, its hands of the day."""

import re
from collections.abc import Callable

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache

from casino.commands.methods import require_safe
from casino.errors import NotFound
from casino.live.areas import AT_TABLE
from casino.people.http import ActorRequest, actor_of, may_see, page
from casino.text import id_from_text
from tables.models import Hand, Table
from tables.selectors.floor_table import find_table, floor_table, hand_rows, last_day
from tables.selectors.work import table_work

HANDS_ON_A_PAGE = 100
_PAGE = re.compile(r"table\.(\d{1,4})\.floor")


def on_the_floor(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view one of the floor's pages: for the floor alone, read-only, never out of a cache."""
    return page("page.table_floor")(never_cache(require_safe(view)))


def of_hands(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view one that whoever reads hands may open: the floor, and who audits it."""
    return page("page.hands")(never_cache(require_safe(view)))


def table_for(request: ActorRequest, number: int) -> Table:
    """
    Return the table that an address names, in the room of whoever asks.

    :raises NotFound: the room has no such table.
    """
    table = find_table(actor_of(request).room_id, number)
    if table is None:
        raise NotFound(what="table")
    return table


def shown_on(request: ActorRequest, table: Table) -> str:
    """
    Return the screen on which a sheet lies, or lay when it was tapped: the map, or a table's page.

    Which it is says the page (`on`); what is none that who asks may see, or no table of the room, is the table's own.
    So it refuses nothing, and may be read once a tap is carried out.
    """
    named, own = request.POST.get("on") or request.GET.get("on") or "", f"table.{table.number}.floor"
    if named == own or not may_see(request, named):
        return own
    other = _PAGE.fullmatch(named)
    return own if other and find_table(table.room_id, int(other[1])) is None else named


@on_the_floor
def table_page(request: ActorRequest, number: int) -> HttpResponse:
    """Show one table with what the floor can do there."""
    table = table_for(request, number)
    return render(request, "tables/floor_table_page.html", {"table": table, "on": f"table.{table.number}.floor"})


def render_table(*, room_id: int, number: int) -> str:
    """Return the fragment of the floor's page of one table; of a table that is not there, nothing."""
    table = find_table(room_id, number)
    if table is None:
        return ""
    shown = floor_table(room_id, table)
    work = table_work(room_id, number)
    return render_to_string(
        "tables/floor_table.html",
        {"shown": shown, "table": table, "room": shown.room, "work": work, "ways": AT_TABLE.gather(number=number)},
    )


@of_hands
def hands_page(request: ActorRequest, number: int) -> HttpResponse:
    """
    Show all hands of the table's last day, a page at a time, with what was due and what was taken.

    `?hand=` is a hand's id: those of its day, from that one back. `?before=`: those before another.
    """
    table = table_for(request, number)
    hand_id, before_id = _id_in(request, "hand"), _id_in(request, "before")
    first = Hand.objects.filter(table=table, id=hand_id or before_id or 0).select_related("day").first()
    before_id = hand_id + 1 if hand_id else before_id
    day = first.day if first else last_day(table)
    rows = hand_rows(table.pk, day, most=HANDS_ON_A_PAGE + 1, before_id=before_id)
    context = {
        "table": table,
        "day": day,
        "hands": rows[:HANDS_ON_A_PAGE],
        "older": rows[HANDS_ON_A_PAGE - 1].hand.pk if len(rows) > HANDS_ON_A_PAGE else None,
        "on": f"table.{table.number}.floor",
    }
    return render(request, "tables/floor_hands.html", context)


def _id_in(request: ActorRequest, field: str) -> int | None:
    return id_from_text(request.GET.get(field, ""))
