"""Whose document was seen, over REST."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.people.api_auth import carried_out
from casino.people.inputs import arguments_of_call
from casino.people.models import IdentityCheck
from casino.people.services import check_identity
from casino.rest import Api, Body, CalendarDay, Text

api = Api("people")


class IdentityBody(Body):
    """Whose document it is, which and its number, and its last day if it has one. What is private is never answered."""

    full_name = Text(max_length=120)
    document = serializers.ChoiceField(IdentityCheck.Document.choices)
    number = Text(max_length=30)
    valid_until = CalendarDay(allow_null=True, default=None)


class CheckIdentity(APIView):
    """Note that a player's document was seen."""

    needs = "people.check_identity"

    @api.command(
        "people.check_identity",
        "Check a player's identity",
        body=IdentityBody,
        example={
            "full_name": "Riku Laine",
            "document": "passport",
            "number": "XP1234567",
            "valid_until": "2031-05-31",
        },
        answer={"player_id": 17, "document": "passport", "valid_until": "2031-05-31", "also_of_id": None},
    )
    def post(self, request: Request, player_id: int) -> Response:
        return carried_out(request, check_identity, player_id=player_id, **arguments_of_call(request))
