"""A player of a closing table who finds no seat waits before the list."""

from django.http import HttpResponse

from casino.people.http import ActorRequest, command_for
from casino.people.inputs import arguments_of_form
from casino.waiting.api.closing import WaitWithRight
from casino.waiting.services.closing import wait_with_right
from tables.views.floor import table_for
from tables.views.floor_taps import floor_tap
from tables.views.moves import closing_again


@floor_tap
def wait_tap(request: ActorRequest, number: int, seating_id: int) -> HttpResponse:
    """Let a player of a closing table wait before the list; answer with the table's sheet as it is now."""
    table, arguments = table_for(request, number), arguments_of_form(request, WaitWithRight)
    wait_with_right(command_for(request), table_id=table.pk, seating_id=seating_id, **arguments)
    return closing_again(request, number)
