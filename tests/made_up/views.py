"""The bar's page, and the tap on it."""

from django.http import HttpResponse
from django.shortcuts import render

from casino.commands.methods import require_POST, require_safe
from casino.people.http import ActorRequest, command_for, done, page
from casino.people.inputs import arguments_of_form
from tests.made_up.api import Pour
from tests.made_up.push import glasses
from tests.made_up.services import pour


@page("page.bar")
@require_safe
def bar_page(request: ActorRequest) -> HttpResponse:
    """Show what was poured."""
    return render(request, "bar/bar.html", {"glasses": len(glasses)})


@page("bar.pour")
@require_POST
def pour_tap(request: ActorRequest) -> HttpResponse:
    """Pour one more."""
    pour(command_for(request), **arguments_of_form(request, Pour))
    return done(request, to="/bar/")
