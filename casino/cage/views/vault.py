"""A drawer filled from the vault, and what is too much brought back: signed by a second person on the same screen."""

from django.http import HttpResponse

from casino.cage.api.drawers import Fills, credit_by_two, fill_by_two
from casino.cage.models import Slip
from casino.cage.views.slips import drawer_id_of, panel
from casino.commands.methods import require_POST
from casino.people.http import ActorRequest, command_for, done, page
from casino.people.inputs import arguments_of_form, form_choice

_WORK = {Slip.Kind.FILL.value: fill_by_two, Slip.Kind.CREDIT.value: credit_by_two}


@page("page.cage")
@require_POST
def move(request: ActorRequest, number: int) -> HttpResponse:
    """Fill the drawer from the vault, or bring back to it what is too much."""
    kind = form_choice(request, "direction", _WORK)
    arguments, drawer_id = arguments_of_form(request, Fills), drawer_id_of(request, number)
    answer = _WORK[kind](command_for(request), drawer_id=drawer_id, **arguments)
    return done(request, audience=f"cage.{number}", content=panel(request, answer.data["slip_id"], is_new=True))
