"""The sheet that is posted in the lobby and at each table: charges and limits, as they are computed (L-P22, L-G21)."""

import segno
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.commands.methods import require_safe
from casino.errors import NotFound
from casino.people.http import ActorRequest, page
from casino.rooms.models import Room
from tables.selectors.posted import Posted, posted_at_table, posted_in_room


@page("page.posted")
@never_cache
@require_safe
def room_page(request: ActorRequest) -> HttpResponse:
    """Show the sheet of all games on offer. Public: it hangs in the lobby. :raises NotFound: there is no room yet."""
    return _sheet(request, posted_in_room(_room(request).pk, at=clock.now()), reverse("posted"))


@page("page.posted")
@never_cache
@require_safe
def table_page(request: ActorRequest, number: int) -> HttpResponse:
    """Show the sheet of one table. :raises NotFound: the room has no such table, or it runs nothing."""
    posted = posted_at_table(_room(request).pk, number, at=clock.now())
    return _sheet(request, posted, reverse("posted_table", args=[number]))


def _sheet(request: ActorRequest, posted: Posted, path: str) -> HttpResponse:
    url = request.build_absolute_uri(path)
    code = segno.make(url, error="m", micro=False).svg_data_uri(border=0)
    return render(request, "rulebooks/posted.html", {"posted": posted, "qr": code})


def _room(request: ActorRequest) -> Room:
    if request.room is None:
        raise NotFound(what="room")
    return request.room
