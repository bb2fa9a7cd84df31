"""A drawer filled from the vault, and what is too much brought back: signed by a second person on the same screen."""

from django.http import HttpResponse

from casino.cage import services
from casino.cage.api.drawers import Fills
from casino.cage.models import Slip
from casino.cage.services.fills import NEEDS, signs_for
from casino.cage.views.slips import drawer_id_of, panel
from casino.commands.methods import require_POST
from casino.people.http import DoorRequest, command_for, done, page
from casino.people.inputs import form_choice, told_by_form
from casino.people.services import second_person

_WORK = {Slip.Kind.FILL.value: services.fill_drawer, Slip.Kind.CREDIT.value: services.return_to_vault}


@page("page.cage")
@require_POST
def move(request: DoorRequest, number: int) -> HttpResponse:
    """Fill the drawer from the vault, or bring back to it what is too much."""
    kind = form_choice(request, "direction", _WORK)
    told, drawer_id, command = told_by_form(request, Fills), drawer_id_of(request, number), command_for(request)
    second, signs = told.pop("second"), signs_for(kind, drawer_id=drawer_id, **told)
    approved_by_id = second_person(command, **second, needs=NEEDS, signs=signs)
    answer = _WORK[kind](command, drawer_id=drawer_id, approved_by_id=approved_by_id, **told)
    return done(request, audience=f"cage.{number}", content=panel(request, answer.data["slip_id"], is_new=True))
