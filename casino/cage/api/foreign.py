"""Foreign notes: at which rates they are taken. They pay by whoever sells chips for them."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.cage.api.answers import NoteRateAnswer
from casino.cage.api.bodies import RateBody
from casino.cage.api.common import api
from casino.cage.models import NoteRate
from casino.cage.selectors.foreign import rates_of
from casino.cage.services.foreign import record_rate
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.rest import Page, read_query


class NoteRates(APIView):
    """The rates at which foreign notes are taken: one for each currency of which one was ever recorded."""

    needs = {"GET": "read.rates", "POST": "cage.record_rate"}

    @api.reading("rates.list", "The rates of foreign notes", answer=NoteRateAnswer(many=True))
    def get(self, request: Request) -> Response:
        return Response(NoteRateAnswer(rates_of(api_actor(request).room_id), many=True).data)

    @api.command(
        "cage.record_rate",
        "Record a rate of foreign notes",
        body=RateBody,
        example={"currency": "SEK", "rate_millionths": 87_100},
        answer={"rate_id": 3, "currency": "SEK", "rate_millionths": 87_100, "rate": "0.0871"},
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, record_rate, **arguments_of_call(request))


class EarlierRates(APIView):
    """All that was ever recorded of rates."""

    needs = "read.rates"

    @api.reading("rates.earlier", "Rates recorded so far, newest first", query=Page, answer=NoteRateAnswer(many=True))
    def get(self, request: Request) -> Response:
        query = read_query(Page, request)
        rows = NoteRate.objects.filter(room_id=api_actor(request).room_id).order_by("-id")
        return Response(NoteRateAnswer(rows[query["offset"] :][: query["limit"]], many=True).data)
