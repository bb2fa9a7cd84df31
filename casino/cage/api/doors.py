"""What calls to the cage begin with: which drawer."""

from rest_framework.request import Request

from casino.cage.models import Drawer
from casino.errors import NotFound
from casino.people.api_auth import api_actor
from casino.rest import Desk

desk = Desk("cage")
PAID = {"slip_id": 31, "number": 214, "status": "paid", "drawer_id": 1, "amount_cents": 200_00, "method": "cash"}


def drawer_id_of(request: Request, number: int) -> int:
    """Return the id of the room's drawer of this number. One query. :raises NotFound: there is none."""
    drawers = Drawer.objects.filter(room_id=api_actor(request).room_id, number=number)
    found = drawers.values_list("id", flat=True).first()
    if found is None:
        raise NotFound(what="drawer")
    return found
