"""How long deposits have lain."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino import clock
from casino.cage.api.answers import AgedDepositAnswer
from casino.cage.api.common import api
from casino.cage.selectors.deposits import deposits_by_age
from casino.people.api_auth import api_actor
from casino.rest import Page, read_query
from casino.rooms.selectors import room_of


class Deposits(APIView):
    """Players' deposits, the one that has lain longest first."""

    needs = "read.deposits"

    @api.reading("deposits.list", "Deposits by age", query=Page, answer=AgedDepositAnswer(many=True))
    def get(self, request: Request) -> Response:
        query = read_query(Page, request)
        deposits = deposits_by_age(room_of(api_actor(request).room_id), at=clock.now())
        page = deposits[query["offset"] :][: query["limit"]]
        return Response(AgedDepositAnswer(page, many=True).data)
