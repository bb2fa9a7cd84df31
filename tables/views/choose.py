"""The tables one by one: how somebody at a desktop comes to a table's screen."""

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino.commands.methods import require_safe
from casino.people.http import ActorRequest, actor_of, page
from casino.rooms.models import Place
from tables.selectors.running import tables_of


@page("page.dealer")
@never_cache
@require_safe
def choose_table(request: ActorRequest) -> HttpResponse:
    """Show the room's tables to choose from; a table's own tablet is led to its own."""
    actor = actor_of(request)
    if actor.place is not None and actor.place[0] == Place.Kind.TABLE:
        return HttpResponseRedirect(reverse("dealer", args=[actor.place[1]]))
    return render(request, "tables/choose.html", {"tables": tables_of(actor.room_id)})
