"""The page of the rates at which foreign notes are taken."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino.cage.api.foreign import NoteRates
from casino.cage.models import NoteRate
from casino.cage.notes import foreign_currencies
from casino.cage.selectors.foreign import rate_shown, rates_of
from casino.cage.services.foreign import record_rate
from casino.commands.methods import require_POST, require_safe
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form

# As many of what was recorded are shown; the API has all of it.
_SHOWN = 100


@page("page.rates")
@require_safe
@never_cache
def rates_page(request: ActorRequest) -> HttpResponse:
    """What is taken now, the form for another rate, and all that was recorded, newest first."""
    assert request.room is not None
    room_id = actor_of(request).room_id
    recorded = NoteRate.objects.filter(room_id=room_id).select_related("recorded_by").order_by("-id")[:_SHOWN]
    context = {
        "now": [
            (each, rate_shown(each.rate_millionths, request.room)) for each in rates_of(room_id) if each.rate_millionths
        ],
        "recorded": [(each, rate_shown(each.rate_millionths, request.room)) for each in recorded],
        "currencies": foreign_currencies(request.room.currency),
    }
    return render(request, "cage/rates.html", context)


@page("page.rates")
@require_POST
def record(request: ActorRequest) -> HttpResponse:
    """Record a rate, or that notes of a currency are no longer taken."""
    record_rate(command_for(request), **arguments_of_form(request, NoteRates))
    return done(request, to=reverse("cage_rates"))
