"""What calls to the cage begin with: which drawer, and which voucher."""

from typing import Any

from rest_framework.request import Request

from casino import clock
from casino.cage.selectors.drawers import drawer_id
from casino.cage.services.vouchers import voucher_of_paper
from casino.commands.carrying_out import Actor
from casino.people.api_auth import api_actor
from casino.rest import Api

api = Api("cage")
PAID = {"slip_id": 31, "number": 214, "status": "paid", "drawer_id": 1, "amount_cents": 200_00, "method": "cash"}


def drawer_id_of(request: Request, number: int) -> int:
    """Return the id of the room's drawer of this number. One query. :raises NotFound: there is none."""
    return drawer_id(api_actor(request).room_id, number)


def named_voucher(by: Actor, arguments: dict[str, Any]) -> dict[str, Any]:
    """
    Return what a command is told, with the `voucher_id` of the paper it names.

    :raises VoucherUnknown, TooSoon: as `voucher_of_paper`.
    """
    text = arguments.pop("voucher")
    return {**arguments, "voucher_id": voucher_of_paper(by, text, at=clock.now()).pk} if text else arguments
