"""The people page: guests and the names they want to be called by."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache

from casino import clock
from casino.commands.methods import require_POST, require_safe
from casino.people import services
from casino.people.api import Players, RenamePlayer
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.people.selectors import find_players
from casino.people.standing import excluded_ids

SHOWN = 60


@page("page.people")
@never_cache
@require_safe
def players_page(request: ActorRequest) -> HttpResponse:
    """Show the guests, or those whose names hold what was typed."""
    context = _shown(request, request.GET.get("q", "").strip()[:40])
    is_search = request.headers.get("HX-Target") == "players"
    return render(request, "people/players_list.html" if is_search else "people/players.html", context)


def _shown(request: ActorRequest, text: str) -> dict[str, Any]:
    assert request.room is not None, "whoever may see this page belongs to a room"
    reads_full_names = "read.full_names" in actor_of(request).may
    # One more than is shown: it tells that there are more.
    players = find_players(request.room.pk, text, by_full_name=reads_full_names, limit=SHOWN + 1)
    on_page = players[:SHOWN]
    excluded = excluded_ids(on_page, at=clock.now())
    return {
        "tab": "players",
        "players": on_page,
        "has_more": len(players) > SHOWN,
        "text": text,
        "excluded": excluded,
    }


def _fresh(request: ActorRequest, text: str = "") -> HttpResponse:
    return done(request, content=render_to_string("people/players_list.html", _shown(request, text), request))


@page("page.people")
@require_POST
def add_player_view(request: ActorRequest) -> HttpResponse:
    """Add a guest."""
    arguments = arguments_of_form(request, Players)
    services.add_player(command_for(request), **arguments)
    return _fresh(request, arguments["nickname"])


@page("page.people")
@require_POST
def rename_player_view(request: ActorRequest, player_id: int) -> HttpResponse:
    """Change a guest's names."""
    arguments = arguments_of_form(request, RenamePlayer)
    services.rename_player(command_for(request), player_id=player_id, **arguments)
    return _fresh(request, arguments["nickname"])
