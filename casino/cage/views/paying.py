"""Taps at a window: each is one command, read by what the API's call takes."""

from collections.abc import Callable

from django.http import HttpResponse
from django.shortcuts import render

from casino.cage import services
from casino.cage.api.doors import named_voucher
from casino.cage.api.drawers import BuyIns, CashOuts, Deposits, Withdrawals
from casino.cage.api.slips import CancelSlip, RefuseRequest, TakeMoney
from casino.cage.labels import REFUSED_FOR
from casino.cage.selectors import slip_of
from casino.cage.services.paying import NEEDS, payout_signs
from casino.cage.views.slips import drawer_id_of, panel
from casino.commands.carrying_out import Answer, Command
from casino.commands.methods import require_http_methods, require_POST
from casino.errors import NotFound
from casino.people.http import DoorRequest, actor_of, command_for, done, page
from casino.people.inputs import form_int, told_by_form
from casino.people.services import second_person


def window_tap(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view one of a window's taps."""
    return page("page.cage")(require_POST(view))


@window_tap
def take_money(request: DoorRequest, number: int) -> HttpResponse:
    """Take the money for a waiting slip. :raises NotFound: no such slip."""
    told = named_voucher(actor_of(request), told_by_form(request, TakeMoney, drawer_number=number))
    command, drawer_id = command_for(request), drawer_id_of(request, told.pop("drawer_number"))
    slip = slip_of(actor_of(request).room_id, form_int(request, "slip_id", most=2**63 - 1))
    if slip is None:
        raise NotFound(what="slip")
    second = _second(command, told.pop("second"), drawer_id, slip.player_id, slip.amount_cents)
    answer = services.take_money(command, slip_id=slip.pk, drawer_id=drawer_id, approved_by_id=second, **told)
    return _paid(request, number, answer)


@window_tap
def buy_in(request: DoorRequest, number: int) -> HttpResponse:
    """Sell chips at the desk."""
    told = named_voucher(actor_of(request), told_by_form(request, BuyIns))
    drawer_id = drawer_id_of(request, number)
    return _paid(request, number, services.buy_in(command_for(request), drawer_id=drawer_id, **told))


@window_tap
def cash_out(request: DoorRequest, number: int) -> HttpResponse:
    """Buy chips back."""
    told, drawer_id, command = told_by_form(request, CashOuts), drawer_id_of(request, number), command_for(request)
    second = _second(command, told.pop("second"), drawer_id, told["player_id"], told["amount_cents"])
    return _paid(request, number, services.cash_out(command, drawer_id=drawer_id, approved_by_id=second, **told))


@window_tap
def deposit(request: DoorRequest, number: int) -> HttpResponse:
    """Take money into safe keeping."""
    told, drawer_id = told_by_form(request, Deposits), drawer_id_of(request, number)
    return _paid(request, number, services.deposit(command_for(request), drawer_id=drawer_id, **told))


@window_tap
def withdraw(request: DoorRequest, number: int) -> HttpResponse:
    """Pay a deposit out."""
    told, drawer_id, command = told_by_form(request, Withdrawals), drawer_id_of(request, number), command_for(request)
    second = _second(command, told.pop("second"), drawer_id, told["player_id"], told["amount_cents"])
    return _paid(request, number, services.withdraw(command, drawer_id=drawer_id, approved_by_id=second, **told))


@window_tap
def cancel(request: DoorRequest, slip_id: int) -> HttpResponse:
    """Take a waiting slip away, before any money was taken."""
    services.cancel_slip(command_for(request), slip_id=slip_id, **told_by_form(request, CancelSlip))
    return done(request, audience="cage")


@page("page.cage")
@require_http_methods(["GET", "HEAD", "POST"])
def refuse(request: DoorRequest, slip_id: int) -> HttpResponse:
    """The sheet that asks why a request is refused; answered, it is. :raises NotFound: no such slip."""
    if request.method != "POST":
        slip = slip_of(actor_of(request).room_id, slip_id)
        if slip is None:
            raise NotFound(what="slip")
        return render(request, "cage/refuse.html", {"slip": slip, "reasons": REFUSED_FOR.items()})
    services.refuse_request(command_for(request), slip_id=slip_id, **told_by_form(request, RefuseRequest))
    return done(request, audience="cage")


def _second(
    command: Command, second: dict[str, str] | None, drawer_id: int, player_id: int | None, amount_cents: int
) -> int | None:
    """Return who signs a payout on the same screen, None where nobody was asked to."""
    if second is None:
        return None
    signs = payout_signs(drawer_id=drawer_id, player_id=player_id, amount_cents=amount_cents)
    return second_person(command, **second, needs=NEEDS, signs=signs)


def _paid(request: DoorRequest, number: int, answer: Answer) -> HttpResponse:
    return done(request, audience=f"cage.{number}", content=panel(request, answer.data["slip_id"], is_new=True))
