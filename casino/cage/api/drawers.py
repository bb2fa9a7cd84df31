"""The drawers, each named by its number."""

from functools import partial
from typing import Any, cast

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.cage.api.answers import DrawerAnswer, DrawerCountAnswer
from casino.cage.api.bodies import (
    CashierBuyInBody,
    CashOutBody,
    CountBody,
    DepositBody,
    DrawerBody,
    FloatBody,
    VaultSlipBody,
    WithdrawalBody,
)
from casino.cage.api.common import PAID, api, drawer_id_of, named_voucher
from casino.cage.models import Drawer, DrawerSession
from casino.cage.selectors.counts import last_counts
from casino.cage.services import (
    add_drawer,
    buy_in,
    cash_out,
    close_drawer,
    deposit,
    fill_drawer,
    open_drawer,
    recount_drawer,
    return_to_vault,
    withdraw,
)
from casino.cage.services.counting import NEEDS as NEEDS_TO_COUNT
from casino.cage.services.counting import Lies, count_signs, recount_signs
from casino.cage.services.fills import NEEDS as NEEDS_TO_FILL
from casino.cage.services.fills import signs_for
from casino.cage.services.opening import float_signs
from casino.cage.services.paying import NEEDS as NEEDS_TO_PAY
from casino.cage.services.paying import payout_signs
from casino.errors import NotFound
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import REQUIRED, Page, read_query, versioned

_COUNT_EXAMPLE = {
    "cash": [{"value_cents": 50_00, "count": 100}, {"value_cents": 20_00, "count": 10}],
    "chips": [{"value_cents": 100_00, "count": 198}],
    "card_slips_cents": 0,
    "second": {"username": "frans", "pin": "2468"},
}
_COUNTED = {
    "drawer_id": 1,
    "session_id": 4,
    "count_id": 7,
    "counted_by_id": 3,
    "counted_with_id": 2,
    "money_difference_cents": 0,
    "chips_difference_cents": 0,
}
_VAULT_EXAMPLE = {"amount_cents": 2_000_00, "what": "cash", "second": {"username": "frans", "pin": "2468"}}
_FILLED = {**PAID, "kind": "fill", "amount_cents": 2_000_00}


def _payout(*, drawer_id: int, amount_cents: int, player_id: int | None = None, **_beside: Any) -> str:
    return payout_signs(drawer_id=drawer_id, player_id=player_id, amount_cents=amount_cents)


cash_out_by_two = by_two(cash_out, needs=NEEDS_TO_PAY, signs=_payout)
withdraw_by_two = by_two(withdraw, needs=NEEDS_TO_PAY, signs=_payout)
# Whoever counts with the first signs the same sums, on the same screen.
close_by_two = by_two(
    close_drawer,
    needs=NEEDS_TO_COUNT,
    signs=lambda *, drawer_id, **counted: count_signs(drawer_id, Lies.by(**counted)),
)
fill_by_two = by_two(fill_drawer, needs=NEEDS_TO_FILL, signs=partial(signs_for, "fill"))
credit_by_two = by_two(return_to_vault, needs=NEEDS_TO_FILL, signs=partial(signs_for, "credit"))
open_by_two = by_two(
    open_drawer,
    needs=NEEDS_TO_COUNT,
    signs=lambda *, drawer_id, cash, chips, version: float_signs(drawer_id, cash=cash, chips=chips),
)
recount_by_two = by_two(
    recount_drawer,
    needs=NEEDS_TO_COUNT,
    signs=lambda *, session_id, version, **counted: recount_signs(session_id, version, Lies.by(**counted)),
)


def _drawers(request: Request) -> list[Drawer]:
    """Return the drawers by number, each with its open `session` or None. Two queries."""
    drawers = list(Drawer.objects.filter(room_id=api_actor(request).room_id, place_kind="").order_by("number"))
    sessions = DrawerSession.objects.filter(drawer__in=drawers, closed_at=None)
    open_ones = {session.drawer_id: session for session in sessions}
    for drawer in drawers:
        cast(Any, drawer).session = open_ones.get(drawer.pk)
    return drawers


class Drawers(APIView):
    """The room's drawers."""

    needs = {"GET": "read.cage", "POST": "cage.add_drawer"}

    @api.reading("drawers.list", "The drawers", answer=DrawerAnswer(many=True))
    def get(self, request: Request) -> Response:
        return Response(DrawerAnswer(_drawers(request), many=True).data)

    @api.command("cage.add_drawer", "Add a drawer", body=DrawerBody, example={"number": 2, "name": "Cage 2"})
    def post(self, request: Request) -> Response:
        return carried_out(request, add_drawer, **arguments_of_call(request))


class OneDrawer(APIView):
    """One drawer."""

    needs = "read.cage"

    @api.reading("drawers.get", "One drawer", answer=DrawerAnswer, is_one=True)
    def get(self, request: Request, number: int) -> Response:
        named = next((drawer for drawer in _drawers(request) if drawer.number == number), None)
        if named is None:
            raise NotFound(what="drawer")
        return versioned(DrawerAnswer(named).data, named.version)


class OpenDrawer(APIView):
    """Open a drawer with its float out of the vault, counted by two."""

    needs = "cage.open_drawer"
    steps = ("people.sign_second",)

    @api.command(
        "cage.open_drawer",
        "Open a drawer",
        body=FloatBody,
        if_match=REQUIRED,
        example={name: value for name, value in _COUNT_EXAMPLE.items() if name != "card_slips_cents"},
        answer={"drawer_id": 1, "session_id": 4, "cash_cents": 5_200_00, "chips_cents": 19_800_00},
    )
    def post(self, request: Request, number: int) -> Response:
        return carried_out(request, open_by_two, drawer_id=drawer_id_of(request, number), **arguments_of_call(request))


class CloseDrawer(APIView):
    """Count a drawer, blind, and close it. A fact."""

    needs = "cage.close_drawer"
    steps = ("people.sign_second",)

    @api.command(
        "cage.close_drawer",
        "Count and close a drawer",
        body=CountBody,
        example=_COUNT_EXAMPLE,
        answer=_COUNTED,
    )
    def post(self, request: Request, number: int) -> Response:
        return carried_out(request, close_by_two, drawer_id=drawer_id_of(request, number), **arguments_of_call(request))


class RecountDrawer(APIView):
    """Count what was in a closed drawer once more, blind and by others; If-Match is the number of its newest count."""

    needs = "cage.recount_drawer"
    steps = ("people.sign_second",)

    @api.command(
        "cage.recount_drawer",
        "Count a closed drawer again",
        body=CountBody,
        if_match=REQUIRED,
        example=_COUNT_EXAMPLE,
        answer={**_COUNTED, "number": 2},
    )
    def post(self, request: Request, session_id: int) -> Response:
        return carried_out(request, recount_by_two, session_id=session_id, **arguments_of_call(request))


class Counts(APIView):
    """What was counted in drawers that were closed, the newest first."""

    needs = "read.cage"

    @api.reading("counts.list", "Counts of drawers", query=Page, answer=DrawerCountAnswer(many=True))
    def get(self, request: Request) -> Response:
        query = read_query(Page, request)
        counts = last_counts(api_actor(request).room_id, offset=query["offset"], most=query["limit"])
        return Response(DrawerCountAnswer(counts, many=True).data)


class BuyIns(APIView):
    """Sell chips over the counter, asked and paid in one go."""

    needs = "cage.buy_in"

    @api.command(
        "cage.buy_in",
        "Sell chips",
        body=CashierBuyInBody,
        example={"amount_cents": 200_00, "method": "cash", "player_id": 17},
        answer=PAID,
    )
    def post(self, request: Request, number: int) -> Response:
        body = named_voucher(api_actor(request), arguments_of_call(request))
        return carried_out(request, buy_in, drawer_id=drawer_id_of(request, number), **body)


class CashOuts(APIView):
    """Buy chips back."""

    needs = "cage.cash_out"
    steps = ("people.sign_second",)

    @api.command(
        "cage.cash_out",
        "Cash a player out",
        body=CashOutBody,
        example={"amount_cents": 340_00, "method": "cash", "player_id": 17},
        answer={**PAID, "amount_cents": 340_00},
    )
    def post(self, request: Request, number: int) -> Response:
        body, drawer_id = arguments_of_call(request), drawer_id_of(request, number)
        return carried_out(request, cash_out_by_two, drawer_id=drawer_id, **body)


class Deposits(APIView):
    """Take money into safe keeping."""

    needs = "cage.deposit"

    @api.command(
        "cage.deposit",
        "Take a deposit",
        body=DepositBody,
        example={"amount_cents": 1_000_00, "method": "cash", "player_id": 17},
        answer={**PAID, "amount_cents": 1_000_00},
    )
    def post(self, request: Request, number: int) -> Response:
        return carried_out(request, deposit, drawer_id=drawer_id_of(request, number), **arguments_of_call(request))


class Withdrawals(APIView):
    """Pay a deposit out."""

    needs = "cage.withdraw"
    steps = ("people.sign_second",)

    @api.command(
        "cage.withdraw",
        "Pay a deposit out",
        body=WithdrawalBody,
        example={"amount_cents": 500_00, "player_id": 17},
        answer={**PAID, "amount_cents": 500_00},
    )
    def post(self, request: Request, number: int) -> Response:
        return carried_out(
            request, withdraw_by_two, drawer_id=drawer_id_of(request, number), **arguments_of_call(request)
        )


class Fills(APIView):
    """Bring cash or chips from the vault into a drawer, signed by two."""

    needs = "cage.fill_drawer"
    steps = ("people.sign_second",)

    @api.command(
        "cage.fill_drawer", "Fill a drawer from the vault", body=VaultSlipBody, example=_VAULT_EXAMPLE, answer=_FILLED
    )
    def post(self, request: Request, number: int) -> Response:
        return carried_out(request, fill_by_two, drawer_id=drawer_id_of(request, number), **arguments_of_call(request))


class Credits(APIView):
    """Bring what is too much in a drawer back to the vault, signed by two."""

    needs = "cage.return_to_vault"
    steps = ("people.sign_second",)

    @api.command(
        "cage.return_to_vault",
        "Bring cash or chips back to the vault",
        body=VaultSlipBody,
        example=_VAULT_EXAMPLE,
        answer={**_FILLED, "kind": "credit"},
    )
    def post(self, request: Request, number: int) -> Response:
        return carried_out(
            request, credit_by_two, drawer_id=drawer_id_of(request, number), **arguments_of_call(request)
        )
