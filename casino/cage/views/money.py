"""Who has the money of requests, and their chips: a page for a table's tablet and whoever passes by, and the taps."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.cage.api.slips import ChipsOfRequest, MoneyOfRequest, note_chips_by_two, note_money_by_two
from casino.cage.models import RequestMoney, Slip
from casino.cage.selectors.carriers import open_banks, sellers
from casino.cage.selectors.chips import came_lately, on_way_named
from casino.cage.selectors.money import for_seats, money_of, owed_back, words
from casino.cage.services.money import NEEDS_TO_CARRY, may_give_back
from casino.commands.carrying_out import Actor
from casino.commands.methods import require_POST, require_safe
from casino.errors import NotPermitted
from casino.people.http import ActorRequest, actor_of, command_for, done, done_there, page
from casino.people.inputs import arguments_of_form
from casino.people.standing import may_sign
from casino.rooms.models import Place


@page("cage.note_money")
@require_safe
@never_cache
def money_page(request: ActorRequest, number: int) -> HttpResponse:
    """
    What one table's seats have asked the cage for, and what is to go back, with who has the money; and what was paid
    and is on its way, with who has the chips.

    :raises NotPermitted: another table's.
    """
    actor = actor_of(request)
    if actor.place is not None and actor.place[0] == Place.Kind.TABLE and actor.place[1] != number:
        raise NotPermitted
    slips = [*for_seats(actor.room_id), *owed_back(actor.room_id)]
    banks = open_banks(actor.room_id)
    # Money of a request that is over may lie at the table which its player has left.
    waiting = [slip for slip in slips if _is_at(slip, number) or _has_left(slip, number)]
    may_take_back = "cage.give_back_money" in actor.may
    came = [slip for slip in came_lately(actor.room_id, at=clock.now()) if _is_at(slip, number)]
    context = {
        "number": number,
        "on_way": [each for each in on_way_named(actor.room_id) if _is_at(each[0], number)],
        "came": [(slip, may_take_back or slip.chips.delivered_by_id == actor.staff_id) for slip in came],
        "waiting": [(*_row(slip, actor), sellers(money_of(slip), banks, shown_to=actor.staff_id)) for slip in waiting],
        "is_at_table": actor.place in {None, (Place.Kind.TABLE, number)},
        "is_at_cage": actor.place is not None and actor.place[0] == Place.Kind.CAGE,
        "runners": may_sign(actor.room_id, needs=NEEDS_TO_CARRY, without={actor.staff_id}),
    }
    return render(request, "cage/money.html", context)


def _is_at(slip: Slip, number: int) -> bool:
    return slip.seat is not None and slip.seat.table_number == number


def _has_left(slip: Slip, number: int) -> bool:
    return slip.left_seat is not None and slip.left_seat.table_number == number


def _row(slip: Slip, actor: Actor) -> tuple[Slip, RequestMoney | None, str, bool, bool]:
    """Return a request, who has its money, in words too, whether that is who looks, and whether they give it back."""
    money = money_of(slip)
    is_own = money is not None and money.money_with == RequestMoney.With.DEALER and money.staff_id == actor.staff_id
    return slip, money, words(money), is_own, money is not None and money.is_held and may_give_back(actor, money)


@page("cage.note_money")
@require_POST
def money(request: ActorRequest, slip_id: int) -> HttpResponse:
    """Note that the money of a request has changed hands; at the table that page again, else the screen of the tap."""
    note_money_by_two(command_for(request), slip_id=slip_id, **arguments_of_form(request, MoneyOfRequest))
    return done_at(request)


@page("cage.note_chips")
@require_POST
def chips(request: ActorRequest, slip_id: int) -> HttpResponse:
    """Note where paid chips of a seat are; at the table that page again, else the screen of the tap."""
    note_chips_by_two(command_for(request), slip_id=slip_id, **arguments_of_form(request, ChipsOfRequest))
    return done_at(request)


def done_at(request: ActorRequest) -> HttpResponse:
    """Answer a tap with the table's page that it names in `at`, else with the screen of the tap."""
    at = request.POST.get("at", "")
    if at.isdecimal() and len(at) <= 9:
        return done(request, to=reverse("cage_money_at", args=[int(at)]))
    return done_there(request)
