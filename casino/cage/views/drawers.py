"""Drawers opened and added, and the vault stocked."""

from django.http import HttpResponse
from django.urls import reverse

from casino.cage import services
from casino.cage.api.drawers import Drawers, OpenDrawer, open_by_two
from casino.cage.views.slips import drawer_id_of
from casino.commands.methods import require_POST
from casino.ledger.api import Vault, stock_by_two
from casino.people.http import ActorRequest, command_for, done, page
from casino.people.inputs import arguments_of_form


@page("page.cage")
@require_POST
def open_drawer(request: ActorRequest, number: int) -> HttpResponse:
    """Open a drawer with its float, counted by two on the same screen."""
    arguments, drawer_id = arguments_of_form(request, OpenDrawer), drawer_id_of(request, number)
    open_by_two(command_for(request), drawer_id=drawer_id, **arguments)
    return done(request, to=reverse("cage_window", args=[number]))


@page("page.day")
@require_POST
def vault_stock(request: ActorRequest) -> HttpResponse:
    """Put cash and newly issued chips into the vault."""
    stock_by_two(command_for(request), **arguments_of_form(request, Vault))
    return done(request, to=reverse("cage_day"))


@page("page.day")
@require_POST
def drawer_add(request: ActorRequest) -> HttpResponse:
    """Give the room one more drawer."""
    services.add_drawer(command_for(request), **arguments_of_form(request, Drawers))
    return done(request, to=reverse("cage_day"))
