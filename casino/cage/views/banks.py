"""Runners' banks: which there are and who holds them, the forms that open and close one, and the sale at a table."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.cage.api.banks import Banks, OpenBank, SellFromBank, open_bank_by_two, sell_by_two
from casino.cage.models import Drawer
from casino.cage.selectors.carriers import open_banks
from casino.cage.selectors.counts import counted_today
from casino.cage.selectors.drawers import values_counted
from casino.cage.services import add_bank
from casino.cage.services.banks import NEEDS_TO_HOLD
from casino.cage.services.counting import NEEDS as NEEDS_TO_COUNT
from casino.cage.views.money import done_at
from casino.cage.views.slips import drawer_id_of
from casino.commands.methods import require_POST, require_safe
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.people.standing import may_sign
from casino.rooms.selectors import open_day


@page("page.cage")
@require_safe
@never_cache
def banks_page(request: ActorRequest) -> HttpResponse:
    """The room's banks, and who holds which."""
    room_id = actor_of(request).room_id
    held = {each.drawer_id: each for each in open_banks(room_id)}
    banks = Drawer.objects.filter(room_id=room_id, is_bank=True).order_by("number")
    return render(request, "cage/banks.html", {"banks": [(bank, held.get(bank.pk)) for bank in banks]})


@page("page.cage")
@require_safe
@never_cache
def bank_page(request: ActorRequest, number: int) -> HttpResponse:
    """One bank: the form that opens it for a runner, or the one that counts and closes it. Never what is expected."""
    by = actor_of(request)
    bank = Drawer.objects.filter(room_id=by.room_id, number=number, is_bank=True).first()
    if bank is None:
        raise Http404
    session = next((each for each in open_banks(by.room_id) if each.drawer_id == bank.pk), None)
    values = values_counted(by.room_id, at=clock.now())
    without = {by.staff_id} if session is None else {by.staff_id, session.holder_id}
    context = {
        "bank": bank,
        "session": session,
        "day": open_day(by.room_id),
        "counted": [] if session else counted_today(bank),
        "note_values": values.cash,
        "chip_values": values.chips,
        "counters": may_sign(by.room_id, needs=NEEDS_TO_COUNT if session else NEEDS_TO_HOLD, without=without),
    }
    return render(request, "cage/bank.html", context)


@page("cage.add_bank")
@require_POST
def bank_add(request: ActorRequest) -> HttpResponse:
    """Give the room one more bank."""
    add_bank(command_for(request), **arguments_of_form(request, Banks))
    return done(request, to=reverse("cage_day"))


@page("page.cage")
@require_POST
def bank_open(request: ActorRequest, number: int) -> HttpResponse:
    """Open a bank with its float, counted by its runner on the same screen."""
    arguments, drawer_id = arguments_of_form(request, OpenBank), drawer_id_of(request, number)
    open_bank_by_two(command_for(request), drawer_id=drawer_id, **arguments)
    return done(request, to=reverse("cage_bank", args=[number]))


@page("cage.sell_from_bank")
@require_POST
def bank_sale(request: ActorRequest, slip_id: int) -> HttpResponse:
    """Sell a request out of a bank; at the table its page again, else the screen of the tap."""
    sell_by_two(command_for(request), slip_id=slip_id, **arguments_of_form(request, SellFromBank))
    return done_at(request)
