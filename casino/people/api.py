"""People over REST: players, devices and the codes that enrol them, tokens."""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino import clock
from casino.people.api_auth import api_actor, carried_out
from casino.people.inputs import arguments_of_call
from casino.people.models import ApiToken, Device, EnrolmentCode, Player
from casino.people.permissions import STAFF_ROLES
from casino.people.selectors import api_tokens_of, devices_of, find_players, open_codes
from casino.people.services import (
    add_player,
    erase_player,
    issue_token,
    make_enrolment_code,
    rename_player,
    revoke_api_token,
    revoke_device,
)
from casino.people.services.tokens import DAYS_MAX
from casino.rest import Api, Body, Id, Pin, Text, Whole, read_query
from casino.rooms.models import Place

api = Api("people")


class PlayerBody(Body):
    """A guest: the nickname that all may read, and the name that is the cage's."""

    nickname = Text(max_length=30)
    full_name = Text(max_length=120, allow_blank=True, default="")


class RenameBody(Body):
    """A guest's new nickname; the full name stays where it is null, and is the cage's to change."""

    nickname = Text(max_length=30)
    full_name = Text(max_length=120, allow_blank=True, allow_null=True, default=None)

    @classmethod
    def of_form(cls, form: QueryDict) -> dict[str, Any]:
        """Return it as `Body` does, but for a full name that is shown and was emptied: that is taken away."""
        return (
            {"full_name": form["full_name"], **super().of_form(form)} if "full_name" in form else super().of_form(form)
        )


class PlayersPage(Body):
    """Whom to look for: part of a nickname, or of a full name where the asker may read those."""

    search = Text(max_length=60, allow_blank=True, default="")
    limit = serializers.IntegerField(min_value=1, max_value=100, default=12)


class CodeBody(Body):
    """Which device is to be enrolled, and where it stands."""

    kind = serializers.ChoiceField(Place.Kind.choices)
    number = Whole(min_value=1, max_value=2**31 - 1)
    device_name = Text(max_length=40)


class TokenBody(Body):
    """
    A token's roles, how long it holds, and whom it speaks for: a person, or whoever is signed in on a device.

    `pin` is that person's own; for a device's token that of who issues it.
    """

    name = Text(max_length=40)
    roles = serializers.ListField(
        child=serializers.ChoiceField([role.value for role in STAFF_ROLES]),
        allow_empty=False,
        max_length=len(STAFF_ROLES),
    )
    days = Whole(min_value=1, max_value=DAYS_MAX)
    pin = Pin()
    staff_id = Id(allow_null=True, default=None)
    device_id = Id(allow_null=True, default=None)


class GuestAnswer(serializers.ModelSerializer[Player]):
    """A guest. `full_name` is for the cage alone, and empty for everybody else."""

    class Meta:
        model = Player
        fields = ["id", "nickname", "full_name"]


class PlaceAnswer(serializers.ModelSerializer[Place]):
    """Where a device stands."""

    class Meta:
        model = Place
        fields = ["kind", "number"]


class DeviceAnswer(serializers.ModelSerializer[Device]):
    """An enrolled device, and who is signed in on it."""

    place = PlaceAnswer()

    class Meta:
        model = Device
        fields = ["id", "name", "place", "enrolled_by_id", "enrolled_at", "signed_in_id", "signed_in_at"]


class CodeAnswer(serializers.ModelSerializer[EnrolmentCode]):
    """A code that still enrols a device; the code itself was shown once."""

    place = PlaceAnswer()

    class Meta:
        model = EnrolmentCode
        fields = ["id", "device_name", "place", "made_by_id", "made_at", "expires_at"]


class TokenAnswer(serializers.ModelSerializer[ApiToken]):
    """A living token; the token itself was shown once."""

    class Meta:
        model = ApiToken
        fields = [
            "id",
            "name",
            "roles",
            "staff_id",
            "device_id",
            "made_by_id",
            "made_at",
            "ends_at",
            "last_used_at",
        ]


class Players(APIView):
    """The room's guests."""

    needs = {"GET": "read.people", "POST": "people.add_player"}

    @api.reading("players.list", "Look for players", answer=GuestAnswer(many=True), query=PlayersPage)
    def get(self, request: Request) -> Response:
        query, actor = read_query(PlayersPage, request), api_actor(request)
        reads_full_names = "read.full_names" in actor.may
        players = find_players(actor.room_id, query["search"], by_full_name=reads_full_names, limit=query["limit"])
        if not reads_full_names:
            for player in players:
                player.full_name = ""
        return Response(GuestAnswer(players, many=True).data)

    @api.command(
        "people.add_player", "Add a player", body=PlayerBody, example={"nickname": "Riku"}, answer={"player_id": 17}
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, add_player, **arguments_of_call(request))


class RenamePlayer(APIView):
    """Change a guest's nickname."""

    needs = "people.rename_player"

    @api.command(
        "people.rename_player",
        "Rename a player",
        body=RenameBody,
        example={"nickname": "Riku L."},
        answer={"player_id": 17},
    )
    def post(self, request: Request, player_id: int) -> Response:
        return carried_out(request, rename_player, player_id=player_id, **arguments_of_call(request))


class ErasePlayer(APIView):
    """Forget who a player is, as the player asked; refused while something holds them. It is not taken back."""

    needs = "people.erase_player"

    @api.command("people.erase_player", "Erase a player", answer={"player_id": 17, "records": 1, "identity_kept": True})
    def post(self, request: Request, player_id: int) -> Response:
        return carried_out(request, erase_player, player_id=player_id)


class Devices(APIView):
    """The enrolled devices."""

    needs = "read.devices"

    @api.reading("devices.list", "Enrolled devices", answer=DeviceAnswer(many=True))
    def get(self, request: Request) -> Response:
        return Response(DeviceAnswer(devices_of(api_actor(request).room_id), many=True).data)


class RevokeDevice(APIView):
    """Shut a device out at once."""

    needs = "people.revoke_device"

    @api.command("people.revoke_device", "Revoke a device", answer={"device_id": 9})
    def post(self, request: Request, device_id: int) -> Response:
        return carried_out(request, revoke_device, device_id=device_id)


class EnrolmentCodes(APIView):
    """Codes with which devices are enrolled."""

    needs = {"GET": "read.devices", "POST": "people.make_enrolment_code"}

    @api.reading("enrolment_codes.list", "Codes that still enrol a device", answer=CodeAnswer(many=True))
    def get(self, request: Request) -> Response:
        return Response(CodeAnswer(open_codes(api_actor(request).room_id, at=clock.now()), many=True).data)

    @api.command(
        "people.make_enrolment_code",
        "Make an enrolment code",
        body=CodeBody,
        example={"kind": "table", "number": 4, "device_name": "Tablet 4"},
        answer={"enrolment_code_id": 5, "kind": "table", "number": 4, "code": "…"},
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, make_enrolment_code, **arguments_of_call(request))


class Tokens(APIView):
    """Tokens of this interface."""

    needs = {"GET": "read.tokens", "POST": "people.issue_api_token"}

    @api.reading("tokens.list", "Living tokens", answer=TokenAnswer(many=True))
    def get(self, request: Request) -> Response:
        return Response(TokenAnswer(api_tokens_of(api_actor(request).room_id, at=clock.now()), many=True).data)

    @api.command(
        "people.issue_api_token",
        "Issue a token",
        body=TokenBody,
        example={"name": "lobby board", "roles": ["floor"], "days": 90, "pin": "2468", "staff_id": 3},
        answer={
            "accepted": True,
            "api_token_id": 2,
            "roles": ["floor"],
            "staff_id": 3,
            "device_id": None,
            "ends_at": "2027-02-18T18:00:00+00:00",
            "token": "…",
        },
        is_waited=True,
    )
    def post(self, request: Request) -> Response:
        body: dict[str, Any] = arguments_of_call(request)
        return carried_out(request, issue_token, **body)


class RevokeToken(APIView):
    """End a token at once."""

    needs = "people.revoke_api_token"

    @api.command("people.revoke_api_token", "Revoke a token", answer={"api_token_id": 2})
    def post(self, request: Request, token_id: int) -> Response:
        return carried_out(request, revoke_api_token, api_token_id=token_id)
