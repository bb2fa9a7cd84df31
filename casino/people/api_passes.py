"""Players' passes over REST, and how screens show a player."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.people.api_auth import carried_out
from casino.people.inputs import arguments_of_call
from casino.people.services import give_pass, revoke_pass, show_as_number
from casino.rest import Api, Body

api = Api("passes")


class ShownBody(Body):
    """Whether public screens show the player's number instead of the nickname."""

    is_number = serializers.BooleanField()


class GivePass(APIView):
    """Give a player a pass for the evening; the one before ends."""

    needs = "people.give_pass"

    @api.command(
        "people.give_pass", "Give a player a pass", answer={"player_id": 17, "pass": 4, "token": "…", "code": "…"}
    )
    def post(self, request: Request, player_id: int) -> Response:
        return carried_out(request, give_pass, player_id=player_id)


class RevokePass(APIView):
    """End a player's pass at once."""

    needs = "people.revoke_pass"

    @api.command("people.revoke_pass", "End a player's pass", answer={"player_id": 17})
    def post(self, request: Request, player_id: int) -> Response:
        return carried_out(request, revoke_pass, player_id=player_id)


class ShowAsNumber(APIView):
    """Show a player by a number, or by the nickname again."""

    needs = "people.show_as_number"

    @api.command(
        "people.show_as_number",
        "Show a player as a number",
        body=ShownBody,
        example={"is_number": True},
        answer={"player_id": 17, "number": 3, "is_number": True},
    )
    def post(self, request: Request, player_id: int) -> Response:
        return carried_out(request, show_as_number, player_id=player_id, **arguments_of_call(request))
