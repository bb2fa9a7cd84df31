"""The bar over REST."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.people.api_auth import carried_out
from casino.people.inputs import arguments_of_call
from casino.rest import Api, Body, Whole
from tests.made_up.services import pour

api = Api("bar")


class PourBody(Body):
    """For a player at which table."""

    table_number = Whole(min_value=1, max_value=10**6)


class Pour(APIView):
    """One more glass."""

    needs = "bar.pour"

    @api.command("bar.pour", "Pour a glass", body=PourBody)
    def post(self, request: Request) -> Response:
        return carried_out(request, pour, **arguments_of_call(request))
