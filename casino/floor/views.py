"""The floor's map of the room."""

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache

from casino.commands.methods import require_safe
from casino.floor.selectors import floor_map
from casino.people.http import ActorRequest, page


@page("page.floor")
@never_cache
@require_safe
def map_page(request: ActorRequest) -> HttpResponse:
    """Show the whole room."""
    return render(request, "floor/page.html", {"on": "floor"})


def render_map(*, room_id: int) -> str:
    """Return the fragment of the floor's map."""
    on_map = floor_map(room_id)
    return render_to_string("floor/map.html", {"map": on_map, "room": on_map.room})
