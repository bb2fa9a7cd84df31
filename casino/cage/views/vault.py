"""A drawer filled from the vault, and what is too much brought back: signed by a second person on the same screen."""

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from casino.cage import rules, services
from casino.cage.models import Slip
from casino.cage.services.fills import NEEDS, signs_for
from casino.cage.views.slips import panel
from casino.people.http import DoorRequest, command_for, done, form_cents, form_choice, form_int, form_text, page
from casino.people.services import second_person

_WORK = {Slip.Kind.FILL.value: services.fill_drawer, Slip.Kind.CREDIT.value: services.return_to_vault}


@page("page.cage")
@require_POST
def move(request: DoorRequest, number: int) -> HttpResponse:
    """Fill the drawer from the vault, or bring back to it what is too much."""
    command = command_for(request)
    kind = form_choice(request, "direction", _WORK)
    what = form_choice(request, "what", rules.VAULT_GIVES)
    drawer_id, amount_cents = form_int(request, "drawer_id"), form_cents(request, "amount")
    approved_by_id = second_person(
        command,
        username=form_text(request, "username", longest=40),
        pin=form_text(request, "pin", longest=8),
        needs=NEEDS,
        signs=signs_for(kind, drawer_id=drawer_id, what=what, amount_cents=amount_cents),
    )
    answer = _WORK[kind](
        command, drawer_id=drawer_id, amount_cents=amount_cents, what=what, approved_by_id=approved_by_id
    )
    return done(request, audience=f"cage.{number}", content=panel(request, answer.data["slip_id"], is_new=True))
