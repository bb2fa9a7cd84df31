"""Taps of the till: each is one command."""

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from casino.cage import services
from casino.cage.services.paying import NEEDS, payout_signs
from casino.cage.views.asked import Asked, asked
from casino.cage.views.slips import panel
from casino.commands.frame import Answer, Command
from casino.errors import Malformed
from casino.people.http import DoorRequest, actor_of, command_for, done, form_int, form_int_or_none, form_text, page
from casino.people.services import second_person


@page("page.cage")
@require_POST
def take_money(request: DoorRequest, number: int) -> HttpResponse:
    """Take the money for a waiting slip."""
    what, command = asked(request.POST, actor_of(request).room_id), command_for(request)
    if what.slip is None:
        raise Malformed(field="slip_id")
    answer = services.take_money(
        command,
        slip_id=what.slip.pk,
        drawer_id=form_int(request, "drawer_id"),
        method=what.method,
        approved_by_id=_second(request, command, what),
        version=what.version,
    )
    return _paid(request, number, answer)


@page("page.cage")
@require_POST
def buy_in(request: DoorRequest, number: int) -> HttpResponse:
    """Sell chips at the desk."""
    what = asked(request.POST, actor_of(request).room_id)
    answer = services.buy_in(
        command_for(request),
        drawer_id=form_int(request, "drawer_id"),
        amount_cents=what.amount_cents,
        method=what.method,
        player_id=what.player_id,
        again=bool(request.POST.get("again")),
    )
    return _paid(request, number, answer)


@page("page.cage")
@require_POST
def cash_out(request: DoorRequest, number: int) -> HttpResponse:
    """Buy chips back."""
    what, command = asked(request.POST, actor_of(request).room_id), command_for(request)
    answer = services.cash_out(
        command,
        drawer_id=form_int(request, "drawer_id"),
        amount_cents=what.amount_cents,
        method=what.method,
        player_id=what.player_id,
        approved_by_id=_second(request, command, what),
    )
    return _paid(request, number, answer)


@page("page.cage")
@require_POST
def deposit(request: DoorRequest, number: int) -> HttpResponse:
    """Take money into safe keeping."""
    what = asked(request.POST, actor_of(request).room_id)
    answer = services.deposit(
        command_for(request),
        drawer_id=form_int(request, "drawer_id"),
        amount_cents=what.amount_cents,
        method=what.method,
        player_id=form_int(request, "player_id"),
    )
    return _paid(request, number, answer)


@page("page.cage")
@require_POST
def withdraw(request: DoorRequest, number: int) -> HttpResponse:
    """Pay a deposit out."""
    what, command = asked(request.POST, actor_of(request).room_id), command_for(request)
    answer = services.withdraw(
        command,
        drawer_id=form_int(request, "drawer_id"),
        amount_cents=what.amount_cents,
        player_id=form_int(request, "player_id"),
        approved_by_id=_second(request, command, what),
    )
    return _paid(request, number, answer)


@page("page.cage")
@require_POST
def cancel(request: DoorRequest, slip_id: int) -> HttpResponse:
    """Take a waiting slip away, before any money was taken."""
    services.cancel_slip(command_for(request), slip_id=slip_id, version=form_int_or_none(request, "version"))
    return done(request, audience="cage")


def _second(request: DoorRequest, command: Command, what: Asked) -> int | None:
    """Return who signs a payout on the same screen, None where nobody was asked to."""
    username = form_text(request, "username", longest=40, empty=True)
    if not username:
        return None
    drawer_id = form_int(request, "drawer_id")
    return second_person(
        command,
        username=username,
        pin=form_text(request, "pin", longest=8),
        needs=NEEDS,
        signs=payout_signs(drawer_id=drawer_id, player_id=what.player_id, amount_cents=what.amount_cents),
    )


def _paid(request: DoorRequest, number: int, answer: Answer) -> HttpResponse:
    return done(request, audience=f"cage.{number}", content=panel(request, answer.data["slip_id"], is_new=True))
