"""The page of the auditor's packs: which days, one tap, and what was made before."""

import uuid
from datetime import timedelta
from typing import cast

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from casino.commands.methods import require_POST, require_safe
from casino.people.http import ActorRequest, actor_of, command_for, page
from casino.people.inputs import arguments_of_form
from casino.reports.pack_api import MakePack, pack_file
from casino.reports.services import DAYS_MAX
from casino.rooms.models import GamingDay
from casino.rooms.selectors import room_of


@page("page.packs")
@never_cache
@require_safe
def packs_page(request: ActorRequest) -> HttpResponse:
    """Show the one tap, for the newest closed days unless others are chosen, and the packs made last."""
    room = room_of(actor_of(request).room_id)
    closed = GamingDay.objects.filter(room=room, closed_at__isnull=False).order_by("-date")
    newest = closed.values_list("date", flat=True).first()
    since = newest - timedelta(days=DAYS_MAX - 1) if newest else None
    context = {
        "room": room,
        "last": newest,
        "first": closed.filter(date__gte=since).values_list("date", flat=True).last() if since else None,
        "most": DAYS_MAX,
        "command_id": uuid.uuid4(),
    }
    return render(request, "reports/packs.html", context)


@page("reports.make_pack")
@require_POST
def make_pack(request: ActorRequest) -> HttpResponse:
    """Make a pack, and answer with the file."""
    days = arguments_of_form(request, MakePack)
    # All that pages and what stands around them ask of an answer, this one has too.
    return cast(HttpResponse, pack_file(request, command_for(request), days["first_date"], days["last_date"]))
