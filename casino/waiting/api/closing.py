"""A player of a closing table who finds no seat waits before the list."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.people.inputs import arguments_of_call
from casino.rest import Body, Cents
from casino.waiting.api.common import api
from casino.waiting.services.closing import wait_with_right
from tables.api.common import at_table


class WaitBody(Body):
    """The stack as counted."""

    stack_cents = Cents()


# Rules: H2.10, H2.11.
class WaitWithRight(APIView):
    """A player of a closing table finds no seat, and waits before the list."""

    needs = "waiting.wait_with_right"

    @api.command(
        "waiting.wait_with_right",
        "Wait before the list",
        body=WaitBody,
        example={"stack_cents": 340_00},
        answer={"table": 4, "seating": 91, "seat": 5, "player": 17, "stack_cents": 340_00, "waiting": 7},
    )
    def post(self, request: Request, number: int, seating_id: int) -> Response:
        return at_table(request, number, wait_with_right, seating_id=seating_id, **arguments_of_call(request))
