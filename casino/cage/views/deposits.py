"""The page of deposits by age."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from casino import clock
from casino.cage.selectors.deposits import deposits_by_age
from casino.commands.methods import require_safe
from casino.people.http import ActorRequest, page


@page("page.deposits")
@require_safe
@never_cache
def deposits_page(request: ActorRequest) -> HttpResponse:
    """Every deposit with how long its money has lain, the oldest first."""
    assert request.room is not None
    deposits = deposits_by_age(request.room, at=clock.now())
    return render(request, "cage/deposits.html", {"deposits": deposits, "cents": sum(each.cents for each in deposits)})
