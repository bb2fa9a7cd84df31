"""Drawers opened, and the manager's page of the gaming day."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.audit.selectors import printed_seal
from casino.cage import open_items, services
from casino.cage.api.drawers import CloseDay, Drawers, OpenDrawer, open_by_two
from casino.cage.day_ends import warnings_before
from casino.cage.days import close_day, closed_today, open_day
from casino.cage.selectors import approvers, closed_sessions, drawers
from casino.cage.views.slips import drawer_id_of
from casino.commands.methods import require_POST, require_safe
from casino.ledger.api import Vault, stock_by_two
from casino.ledger.selectors import house_figures, is_vault_new
from casino.ledger.services import NEEDS as NEEDS_TO_STOCK
from casino.live.areas import BESIDE_DAY
from casino.people.http import DoorRequest, actor_of, command_for, done, page
from casino.people.inputs import told_by_form
from casino.people.selectors import prepared_signatures
from casino.rooms.selectors import open_day as day_that_is_open


@page("page.cage")
@require_POST
def open_drawer(request: DoorRequest, number: int) -> HttpResponse:
    """Open a drawer with its float, counted by two on the same screen."""
    told, drawer_id = told_by_form(request, OpenDrawer), drawer_id_of(request, number)
    open_by_two(command_for(request), drawer_id=drawer_id, **told)
    return done(request, to=reverse("cage_window", args=[number]))


@page("page.day")
@require_safe
@never_cache
def day_page(request: DoorRequest) -> HttpResponse:
    """The gaming day: open it, stock the vault, close it."""
    by = actor_of(request)
    room_id, is_new = by.room_id, is_vault_new(by.room_id)
    day = day_that_is_open(room_id)
    context = {
        "day": day,
        "stocks_alone": is_new,
        "approvers": () if is_new else approvers(room_id, needs=NEEDS_TO_STOCK, without={by.staff_id}),
        "drawers": drawers(room_id),
        "closed": closed_sessions(room_id),
        "still_open": [open_items.label(kind, number) for kind, number in open_items.still_open(room_id)],
        "may_be_left": [(open_items.word(*item), open_items.label(*item)) for item in open_items.left_by_word(room_id)],
        "ends": warnings_before(room_id),
        "has_been": None if day else closed_today(room_id, at=clock.now()),
        "house": house_figures(room_id),
        "prepared_signatures": prepared_signatures(room_id),
        "seal": printed_seal(room_id),
        "beside": BESIDE_DAY.gather(room_id=room_id),
    }
    return render(request, "cage/day.html", context)


@page("page.day")
@require_POST
def day_open(request: DoorRequest) -> HttpResponse:
    """Open the gaming day."""
    open_day(command_for(request))
    return done(request, to=reverse("cage_day"))


@page("page.day")
@require_POST
def day_close(request: DoorRequest) -> HttpResponse:
    """Close the gaming day."""
    close_day(command_for(request), **told_by_form(request, CloseDay))
    return done(request, to=reverse("cage_day"))


@page("page.day")
@require_POST
def vault_stock(request: DoorRequest) -> HttpResponse:
    """Put cash and newly issued chips into the vault."""
    stock_by_two(command_for(request), **told_by_form(request, Vault))
    return done(request, to=reverse("cage_day"))


@page("page.day")
@require_POST
def drawer_add(request: DoorRequest) -> HttpResponse:
    """Give the room one more drawer."""
    services.add_drawer(command_for(request), **told_by_form(request, Drawers))
    return done(request, to=reverse("cage_day"))
