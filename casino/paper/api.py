"""Playing on by paper over REST: the numbers of the sheets. What stands on them is for paper, on the page."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.paper.services import print_sheets
from casino.people.api_auth import carried_out
from casino.people.inputs import told
from casino.rest import Api

api = Api("paper")


class PrintSheets(APIView):
    """Number a sheet for the lists and one for each open table; `printing` names the page that has them."""

    needs = "paper.print_sheets"

    @api.command(
        "paper.print_sheets",
        "Print what it takes to play on by paper",
        answer={
            "printing": 5,
            "first_sheet": 17,
            "last_sheet": 18,
            "sheets": [{"number": 17, "table": None}, {"number": 18, "table": 4}],
        },
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, print_sheets, **told(request))
