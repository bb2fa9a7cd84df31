"""What calls to the cage begin with: which drawer, and who signs a payout."""

from collections.abc import Callable
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from casino import clock
from casino.cage.selectors import drawer_id
from casino.cage.services.paying import NEEDS, payout_signs
from casino.cage.vouchers import voucher_of_paper
from casino.commands.carrying_out import Actor, Answer
from casino.people.api_auth import answer_of, api_actor, api_command
from casino.people.services import second_person
from casino.rest import Api

api = Api("cage")
PAID = {"slip_id": 31, "number": 214, "status": "paid", "drawer_id": 1, "amount_cents": 200_00, "method": "cash"}


def drawer_id_of(request: Request, number: int) -> int:
    """Return the id of the room's drawer of this number. One query. :raises NotFound: there is none."""
    return drawer_id(api_actor(request).room_id, number)


def named_voucher(by: Actor, told: dict[str, Any]) -> dict[str, Any]:
    """
    Return what a command is told, with the `voucher_id` of the paper it names.

    :raises VoucherUnknown, TooSoon: as `voucher_of_paper`.
    """
    text = told.pop("voucher")
    return {**told, "voucher_id": voucher_of_paper(by, text, at=clock.now()).pk} if text else told


def paid_out(
    request: Request,
    work: Callable[..., Answer],
    *,
    drawer_id: int,
    second: dict[str, str] | None,
    signed: dict[str, Any] | None = None,
    **args: Any,
) -> Response:
    """
    Carry a payout out, signed by whoever `second` names, where it names somebody.

    `signed` holds the `player_id` and the `amount_cents` that are signed, where `args` do not.
    """
    command, approved_by_id = api_command(request), None
    if second is not None:
        payout = signed or args
        signs = payout_signs(
            drawer_id=drawer_id, player_id=payout.get("player_id"), amount_cents=payout.get("amount_cents", 0)
        )
        approved_by_id = second_person(command, **second, needs=NEEDS, signs=signs)
    return answer_of(work(command, drawer_id=drawer_id, **args, approved_by_id=approved_by_id))
