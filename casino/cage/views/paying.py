"""Taps at a window: each is one command, read by what the API's call takes."""

from collections.abc import Callable

from django.http import HttpResponse
from django.shortcuts import render

from casino.cage import services
from casino.cage.api.common import named_voucher
from casino.cage.api.drawers import BuyIns, CashOuts, Deposits, Withdrawals, cash_out_by_two, withdraw_by_two
from casino.cage.api.slips import CancelSlip, RefuseRequest, TakeMoney, take_money_by_two
from casino.cage.audiences import EVERY_WINDOW
from casino.cage.labels import REFUSED_FOR
from casino.cage.selectors.slips import slip_of
from casino.cage.views.slips import drawer_id_of, panel
from casino.commands.carrying_out import Answer
from casino.commands.methods import require_http_methods, require_POST
from casino.errors import NotFound
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form, form_int


def window_tap(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view one of a window's taps."""
    return page("page.cage")(require_POST(view))


@window_tap
def take_money(request: ActorRequest, number: int) -> HttpResponse:
    """Take the money for a waiting slip. :raises NotFound: no such slip."""
    arguments = named_voucher(actor_of(request), arguments_of_form(request, TakeMoney, drawer_number=number))
    command, drawer_id = command_for(request), drawer_id_of(request, arguments.pop("drawer_number"))
    slip_id = form_int(request, "slip_id", most=2**63 - 1)
    return _paid(request, number, take_money_by_two(command, slip_id=slip_id, drawer_id=drawer_id, **arguments))


@window_tap
def buy_in(request: ActorRequest, number: int) -> HttpResponse:
    """Sell chips at the desk."""
    arguments = named_voucher(actor_of(request), arguments_of_form(request, BuyIns))
    drawer_id = drawer_id_of(request, number)
    return _paid(request, number, services.buy_in(command_for(request), drawer_id=drawer_id, **arguments))


@window_tap
def cash_out(request: ActorRequest, number: int) -> HttpResponse:
    """Buy chips back."""
    arguments, drawer_id = arguments_of_form(request, CashOuts), drawer_id_of(request, number)
    return _paid(request, number, cash_out_by_two(command_for(request), drawer_id=drawer_id, **arguments))


@window_tap
def deposit(request: ActorRequest, number: int) -> HttpResponse:
    """Take money into safe keeping."""
    arguments, drawer_id = arguments_of_form(request, Deposits), drawer_id_of(request, number)
    return _paid(request, number, services.deposit(command_for(request), drawer_id=drawer_id, **arguments))


@window_tap
def withdraw(request: ActorRequest, number: int) -> HttpResponse:
    """Pay a deposit out."""
    arguments, drawer_id = arguments_of_form(request, Withdrawals), drawer_id_of(request, number)
    return _paid(request, number, withdraw_by_two(command_for(request), drawer_id=drawer_id, **arguments))


@window_tap
def cancel(request: ActorRequest, slip_id: int) -> HttpResponse:
    """Take a waiting slip away, before any money was taken."""
    services.cancel_slip(command_for(request), slip_id=slip_id, **arguments_of_form(request, CancelSlip))
    return done(request, audience=EVERY_WINDOW)


@page("page.cage")
@require_http_methods(["GET", "HEAD", "POST"])
def refuse(request: ActorRequest, slip_id: int) -> HttpResponse:
    """The sheet that asks why a request is refused; answered, it is. :raises NotFound: no such slip."""
    if request.method != "POST":
        slip = slip_of(actor_of(request).room_id, slip_id)
        if slip is None:
            raise NotFound(what="slip")
        return render(request, "cage/refuse.html", {"slip": slip, "reasons": REFUSED_FOR.items()})
    services.refuse_request(command_for(request), slip_id=slip_id, **arguments_of_form(request, RefuseRequest))
    return done(request, audience=EVERY_WINDOW)


def _paid(request: ActorRequest, number: int, answer: Answer) -> HttpResponse:
    return done(request, audience=f"cage.{number}", content=panel(request, answer.data["slip_id"], is_new=True))
