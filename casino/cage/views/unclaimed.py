"""The page of what was found, the paper of each, and its three taps by two."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.cage.api.bodies import DRAWER_NUMBER_MAX
from casino.cage.api.unclaimed import (
    GiveUnclaimed,
    KeepUnclaimed,
    TakeInFound,
    give_by_two,
    keep_by_two,
    take_in_by_two,
)
from casino.cage.labels import FOUND_WHERE, METHODS, UNCLAIMED_STATES
from casino.cage.selectors.drawers import windows
from casino.cage.selectors.unclaimed import may_be_kept_from, unclaimed_by_id, unclaimed_of
from casino.cage.services.unclaimed import NEEDS, NEEDS_TO_KEEP
from casino.cage.views.slips import drawer_id_of
from casino.commands.methods import require_POST, require_safe
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form, form_int
from casino.people.selectors import find_players
from casino.people.standing import may_sign
from casino.rooms.selectors import open_day, rule_book_in_force


@page("page.unclaimed")
@require_safe
@never_cache
def unclaimed_page(request: ActorRequest) -> HttpResponse:
    """What lies unclaimed, what became of the rest, and the form for what is found now."""
    by = actor_of(request)
    context = {
        "rows": [(each, METHODS[each.what], UNCLAIMED_STATES[each.ended_as]) for each in unclaimed_of(by.room_id)],
        "day": open_day(by.room_id),
        "drawers": windows(by.room_id),
        "places": FOUND_WHERE.items(),
        "approvers": may_sign(by.room_id, needs=NEEDS, without={by.staff_id}),
        **_players(request),
    }
    return render(request, "cage/unclaimed.html", context)


@page("page.unclaimed_one")
@require_safe
@never_cache
def one_page(request: ActorRequest, unclaimed_id: int) -> HttpResponse:
    """One of them: its paper, and what can be done with it."""
    by = actor_of(request)
    unclaimed = unclaimed_by_id(by.room_id, unclaimed_id)
    if unclaimed is None:
        raise Http404
    book = rule_book_in_force(by.room_id, at=clock.now())[1]
    from_at = may_be_kept_from(unclaimed, book)
    context = {
        "found": unclaimed,
        "printed_at": clock.now(),
        "what": METHODS[unclaimed.what],
        "where": FOUND_WHERE[unclaimed.where],
        "state": UNCLAIMED_STATES[unclaimed.ended_as],
        "kept_from": from_at,
        "may_be_kept": clock.now() >= from_at,
        "drawers": windows(by.room_id),
        "approvers": may_sign(by.room_id, needs=NEEDS, without={by.staff_id}),
        "managers": may_sign(by.room_id, needs=NEEDS_TO_KEEP, without={by.staff_id}),
        **_players(request),
    }
    return render(request, "cage/unclaimed_one.html", context)


def _players(request: ActorRequest) -> dict[str, object]:
    """Return whose names hold what was searched for."""
    text = request.GET.get("q", "").strip()[:60]
    room_id = actor_of(request).room_id
    return {"text": text, "players": find_players(room_id, text, by_full_name=True, limit=6) if text else []}


@page("page.unclaimed")
@require_POST
def take_in(request: ActorRequest) -> HttpResponse:
    """Take in what was found, by two."""
    arguments = arguments_of_form(request, TakeInFound)
    drawer_id = drawer_id_of(request, form_int(request, "drawer_number", least=1, most=DRAWER_NUMBER_MAX))
    answer = take_in_by_two(command_for(request), drawer_id=drawer_id, **arguments)
    return done(request, to=reverse("cage_unclaimed_one", args=[answer.data["unclaimed_id"]]))


@page("page.unclaimed")
@require_POST
def give(request: ActorRequest, unclaimed_id: int) -> HttpResponse:
    """Give it to its owner, by two."""
    arguments = arguments_of_form(request, GiveUnclaimed)
    drawer_id = drawer_id_of(request, arguments.pop("drawer_number"))
    give_by_two(command_for(request), unclaimed_id=unclaimed_id, drawer_id=drawer_id, **arguments)
    return done(request, to=reverse("cage_unclaimed_one", args=[unclaimed_id]))


@page("page.unclaimed")
@require_POST
def keep(request: ActorRequest, unclaimed_id: int) -> HttpResponse:
    """Have the house keep it, by two managers."""
    keep_by_two(command_for(request), unclaimed_id=unclaimed_id, **arguments_of_form(request, KeepUnclaimed))
    return done(request, to=reverse("cage_unclaimed_one", args=[unclaimed_id]))
