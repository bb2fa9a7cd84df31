"""The lobby's television."""

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache

from casino.commands.methods import require_safe
from casino.errors import NotFound
from casino.lobby.selectors import wall
from casino.people.http import ActorRequest, page
from casino.waiting.views.passes import phone_address, qr_of, short_address


@page("page.lobby")
@never_cache
@require_safe
def lobby_page(request: ActorRequest) -> HttpResponse:
    """
    Show which games run and where seats are free. Public: everybody who passes reads it.

    :raises NotFound: there is no room yet.
    """
    if request.room is None:
        raise NotFound(what="room")
    address = phone_address()
    context = {"phone_qr": qr_of(address), "phone_address": short_address(address)} if address else {}
    return render(request, "lobby/page.html", context)


def render_lobby(*, room_id: int) -> str:
    """Return the fragment of the lobby."""
    return render_to_string("lobby/wall.html", {"wall": wall(room_id)})
