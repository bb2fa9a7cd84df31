"""Runners' banks, and who carries what. A bank is named by its drawer's number."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.cage.api.bodies import DrawerBody, FloatBody, SecondPerson
from casino.cage.api.common import PAID, api, drawer_id_of
from casino.cage.selectors.carriers import BANK, FILL, MONEY, carriers
from casino.cage.services import add_bank, open_bank, sell_from_bank
from casino.cage.services.banks import NEEDS_TO_HOLD, bank_signs, sale_signs
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import REQUIRED, Body

_RUNNER = {"second": {"username": "dan", "pin": "3434"}}

# The runner signs for the float on the cashier's screen, and for a sale on the table's tablet.
open_bank_by_two = by_two(
    open_bank,
    needs=NEEDS_TO_HOLD,
    signs=lambda *, drawer_id, cash, chips, version: bank_signs(drawer_id, cash=cash, chips=chips),
)
sell_by_two = by_two(sell_from_bank, needs=NEEDS_TO_HOLD, signs=lambda *, slip_id, version: sale_signs(slip_id))


class BankFloatBody(FloatBody):
    """How many there are of each value in a bank's float; `second` is the runner, who counted them too and signs."""


class SellFromBankBody(Body):
    """`second` is the runner who sells, where somebody else is signed in; nobody where whoever asks sells."""

    second = SecondPerson(allow_null=True, default=None)


class CarriedNowAnswer(serializers.Serializer[Any]):
    """
    One thing that somebody carries, by the number of its fill slip, request or bank.

    `late_from` is when it begins to take too long; null of a bank. What is expected in a bank is null for whoever may
    not read the ledger, holds it or moved something in it.
    """

    kind = serializers.ChoiceField([FILL, MONEY, BANK])
    number = serializers.IntegerField()
    since = serializers.DateTimeField()
    late_from = serializers.DateTimeField(allow_null=True)
    cents = serializers.IntegerField(allow_null=True, help_text="The money of a request.")
    expected_cash_cents = serializers.IntegerField(allow_null=True)
    expected_chips_cents = serializers.IntegerField(allow_null=True)


class CarrierAnswer(serializers.Serializer[Any]):
    """A runner, and what they carry now."""

    staff_id = serializers.IntegerField()
    carries = CarriedNowAnswer(many=True)


class Carriers(APIView):
    """Who carries what: fills on their way, the money of requests, runners' banks."""

    needs = "read.cage"

    @api.reading("carriers.list", "Who carries what", answer=CarrierAnswer(many=True))
    def get(self, request: Request) -> Response:
        by = api_actor(request)
        return Response(CarrierAnswer(carriers(by.room_id, may=by.may, shown_to=by.staff_id), many=True).data)


class Banks(APIView):
    """The room's banks. (They are listed among its drawers.)"""

    needs = "cage.add_bank"

    @api.command("cage.add_bank", "Add a runner's bank", body=DrawerBody, example={"number": 11, "name": "Bank 11"})
    def post(self, request: Request) -> Response:
        return carried_out(request, add_bank, **arguments_of_call(request))


class OpenBank(APIView):
    """Open a runner's bank with its float out of the vault, counted by its runner and whoever asks."""

    needs = "cage.open_bank"
    steps = ("people.sign_second",)

    @api.command(
        "cage.open_bank",
        "Open a runner's bank",
        body=BankFloatBody,
        if_match=REQUIRED,
        example={
            "cash": [{"value_cents": 50_00, "count": 0}],
            "chips": [{"value_cents": 100_00, "count": 50}],
            **_RUNNER,
        },
        answer={"drawer_id": 4, "session_id": 9, "cash_cents": 0, "chips_cents": 5_000_00, "holder_id": 6},
    )
    def post(self, request: Request, number: int) -> Response:
        return carried_out(
            request, open_bank_by_two, drawer_id=drawer_id_of(request, number), **arguments_of_call(request)
        )


class SellFromBank(APIView):
    """Sell a seat the chips that it asked for out of a runner's bank, for cash; they are there at once."""

    needs = "cage.sell_from_bank"
    steps = ("people.sign_second",)

    @api.command(
        "cage.sell_from_bank",
        "Sell chips out of a runner's bank",
        body=SellFromBankBody,
        if_match=REQUIRED,
        example=_RUNNER,
        answer={**PAID, "drawer_id": 4, "holder_id": 6},
    )
    def post(self, request: Request, slip_id: int) -> Response:
        return carried_out(request, sell_by_two, slip_id=slip_id, **arguments_of_call(request))
