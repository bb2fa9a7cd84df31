"""Foreign notes out of the vault: exchanged and taken back by two, and read."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.cage.api.answers import ExchangeAnswer, VaultNotesAnswer
from casino.cage.api.bodies import ExchangeBody, ReverseExchangeBody
from casino.cage.api.common import api
from casino.cage.selectors.exchanges import exchanges_of, vault_notes
from casino.cage.services.exchanges import NEEDS, exchange_notes, exchange_signs, reversal_signs, reverse_exchange
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import by_two
from casino.rest import Page, read_query

exchange_by_two = by_two(exchange_notes, needs=NEEDS, signs=exchange_signs)
reverse_by_two = by_two(reverse_exchange, needs=NEEDS, signs=reversal_signs)
_SECOND = {"username": "frans", "pin": "2468"}
_ANSWER = {
    "exchange_id": 3, "exchange_number": 3, "face": "2500 SEK", "worth_cents": 217_75, "got_cents": 215_00,
    "difference_cents": -2_75,
}  # fmt: skip


class Exchanges(APIView):
    """What left the vault to be exchanged."""

    needs = "read.exchanges"

    @api.reading("exchanges.list", "Exchanges, newest first", query=Page, answer=ExchangeAnswer(many=True))
    def get(self, request: Request) -> Response:
        query = read_query(Page, request)
        exchanges = exchanges_of(api_actor(request).room_id, offset=query["offset"], most=query["limit"])
        return Response(ExchangeAnswer(exchanges, many=True).data)


class ExchangeNotes(APIView):
    """Take foreign notes out of the vault to be exchanged, signed by two."""

    needs = "cage.exchange_notes"
    steps = ("people.sign_second",)

    @api.command(
        "cage.exchange_notes",
        "Exchange foreign notes of the vault",
        body=ExchangeBody,
        example={
            "currency": "SEK", "pieces": [{"value_cents": 500_00, "count": 5}], "got_cents": 215_00, "second": _SECOND,
        },
        answer=_ANSWER,
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        return carried_out(request, exchange_by_two, **arguments_of_call(request))


class ReverseExchange(APIView):
    """Take an exchange back, signed by two."""

    needs = "cage.reverse_exchange"
    steps = ("people.sign_second",)

    @api.command(
        "cage.reverse_exchange",
        "Take an exchange back",
        body=ReverseExchangeBody,
        example={"reason": "not_taken", "second": _SECOND},
        answer={**_ANSWER, "reason": "not_taken"},
    )
    def post(self, request: Request, exchange_id: int) -> Response:
        return carried_out(request, reverse_by_two, exchange_id=exchange_id, **arguments_of_call(request))


class NotesOfVault(APIView):
    """The foreign notes in the vault."""

    needs = "read.exchanges"

    @api.reading("exchanges.vault", "Foreign notes in the vault", answer=VaultNotesAnswer(many=True))
    def get(self, request: Request) -> Response:
        in_vault = vault_notes(api_actor(request).room_id)
        notes = [
            {
                "currency": each.currency,
                "pieces": [[value, count] for value, count in each.pieces.items()],
                "face_cents": each.face_cents,
                "cents": each.cents,
            }
            for each in in_vault
        ]
        return Response(VaultNotesAnswer(notes, many=True).data)
