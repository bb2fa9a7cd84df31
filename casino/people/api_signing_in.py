"""
Signing in over REST: enrolment of a device, sign-in on it by PIN, sign-in at a desktop by password.

Secrets only come in. Who signed in is known afterwards by a cookie that no script can read and no answer holds.
"""

from typing import Any

from django.contrib.auth import logout
from django.middleware.csrf import get_token
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.errors import NotFound, NotPermitted
from casino.people.api import PlaceAnswer
from casino.people.api_auth import anonymous_command, answer_of, carried_out, device_of
from casino.people.http import address_of
from casino.people.keys import begin_session, set_device_cookie
from casino.people.models import Staff
from casino.people.secrets import is_proof
from casino.people.selectors import people_to_sign_in
from casino.people.services import (
    change_own_password,
    change_own_pin,
    change_pin_at_door,
    enrol_with_code,
    sign_in_at_desktop,
    sign_in_with_pin,
    sign_out,
    sign_out_of_device,
)
from casino.people.services.addresses import password_tried
from casino.rest import Api, Body, Id, Password, Pin, Text, TextAlone, answered, read

api = Api("doors")


class CodeTypedBody(Body):
    """The code that a manager was shown."""

    code = Text(max_length=20, write_only=True)


class PinTypedBody(Body):
    """Who signs in on this device, and the PIN."""

    staff_id = Id()
    pin = Pin()
    proof = TextAlone(
        default="",
        help_text="SHA-256, in hex, of a secret that stays on the device: what X-Tap-Proof shows after this sign-in.",
    )

    def validate_proof(self, value: str) -> str:
        if value and not is_proof(value):
            raise serializers.ValidationError(code="invalid")
        return value


class PasswordTypedBody(Body):
    """Who signs in at this desktop, and the password."""

    username = Text(max_length=40)
    password = Password()


class PinChangedBody(Body):
    """Whose PIN, the old one, and the new one."""

    staff_id = Id()
    pin = Pin()
    new_pin = Pin()


class OwnPinBody(Body):
    """One's password, and the PIN that one takes."""

    password = Password()
    new_pin = Pin()


class OwnPasswordBody(Body):
    """One's old password, and the new one of at least ten characters."""

    password = Password()
    new_password = Password()


class PersonAtDoorAnswer(serializers.Serializer[Any]):
    """A name on the door of a device."""

    id = serializers.IntegerField()
    display_name = serializers.CharField()
    is_locked = serializers.BooleanField(help_text="Too many wrong PINs; the floor unlocks.")
    is_here = serializers.BooleanField(help_text="Signed in on this device.")


class DoorAnswer(serializers.Serializer[Any]):
    """The door of a device: where it stands, who is signed in, and who may sign in there now."""

    device_id = serializers.IntegerField()
    place = PlaceAnswer()
    signed_in_id = serializers.IntegerField(allow_null=True)
    sign_in_id = serializers.UUIDField(allow_null=True, help_text="What X-Sign-In names.")
    people = PersonAtDoorAnswer(many=True)


class Enrol(APIView):
    """
    Enrol the device that asks, with a manager's code.

    Its token comes as the cookie `brush_device`, with a `csrftoken` beside it, and stands in no body. Whoever was
    signed in here at a desktop is no longer.
    """

    needs = "people.enrol_device"

    @api.command(
        "people.enrol_device",
        "Enrol this device",
        body=CodeTypedBody,
        example={"code": "RW4K-9XTD"},
        answer={"device_id": 9, "enrolment_code_id": 5, "enrolled_by_id": 1},
        is_waited=True,
        is_open=True,
    )
    def post(self, request: Request) -> Response:
        body = read(CodeTypedBody, request.data)
        answer = enrol_with_code(anonymous_command(request), **body, address=address_of(request._request))
        token = answer.data["token"]
        data = {name: value for name, value in answer.data.items() if name != "token"}
        logout(request._request)
        get_token(request._request)
        response = answered(data=data, version=answer.version, is_replay=answer.is_replay)
        set_device_cookie(response, token)
        return response


class Door(APIView):
    """The door of the device that asks."""

    needs = "read.door"

    @api.reading("door.get", "Who may sign in on this device", answer=DoorAnswer, is_one=True)
    def get(self, request: Request) -> Response:
        device = device_of(request)
        if device is None:
            raise NotFound(what="device")
        fields = {
            "device_id": device.pk,
            "place": device.place,
            "signed_in_id": device.signed_in_id,
            "sign_in_id": device.sign_in_id,
            "people": people_to_sign_in(device),
        }
        return Response(DoorAnswer(fields).data)


class SignInOnDevice(APIView):
    """Sign a person in on the device that asks, over whoever is signed in there: that is the hand-over."""

    needs = "people.sign_in_on_device"

    @api.command(
        "people.sign_in_on_device",
        "Sign in on this device",
        body=PinTypedBody,
        example={"staff_id": 3, "pin": "2468"},
        answer={
            "accepted": True,
            "staff_id": 3,
            "before_id": None,
            "sign_in_id": "5b0f0c1e-9f0e-4f6e-8a53-0d4b1f2f8a55",
        },
        is_waited=True,
    )
    def post(self, request: Request) -> Response:
        body = read(PinTypedBody, request.data)
        return answer_of(sign_in_with_pin(anonymous_command(request), **body))


class SignOutOfDevice(APIView):
    """Leave the device that asks to nobody; its place goes on."""

    needs = "people.sign_out_of_device"

    @api.command("people.sign_out_of_device", "Sign out of this device", answer={"staff_id": 3})
    def post(self, request: Request) -> Response:
        return answer_of(sign_out_of_device(anonymous_command(request)))


class SignIn(APIView):
    """
    Sign in at a desktop; the session comes as a cookie. A device has its own door.

    Wrong passwords lock nobody out, and make the next try wait.
    """

    needs = "people.sign_in"

    @api.command(
        "people.sign_in",
        "Sign in at a desktop",
        body=PasswordTypedBody,
        example={"username": "mari", "password": "nine tables tonight"},
        answer={"accepted": True, "staff_id": 1},
        is_waited=True,
        is_open=True,
    )
    def post(self, request: Request) -> Response:
        body = read(PasswordTypedBody, request.data)
        if device_of(request) is not None:
            raise NotPermitted
        with password_tried(address_of(request._request)):
            answer = sign_in_at_desktop(anonymous_command(request), **body)
        begin_session(request._request, Staff.objects.get(pk=answer.data["staff_id"]))
        return answer_of(answer)


class SignOut(APIView):
    """Sign out at a desktop."""

    needs = "people.sign_out"

    @api.command("people.sign_out", "Sign out at a desktop", answer={"staff_id": 1})
    def post(self, request: Request) -> Response:
        response = carried_out(request, sign_out)
        logout(request._request)
        return response


class ChangePinAtDoor(APIView):
    """Change one's own PIN on the device that asks, by the old one. It signs nobody in."""

    needs = "people.change_pin_on_device"

    @api.command(
        "people.change_pin_on_device",
        "Change one's own PIN on this device",
        body=PinChangedBody,
        example={"staff_id": 3, "pin": "2468", "new_pin": "8642"},
        answer={"accepted": True, "staff_id": 3},
        is_waited=True,
    )
    def post(self, request: Request) -> Response:
        body = read(PinChangedBody, request.data)
        return answer_of(change_pin_at_door(anonymous_command(request), **body))


class ChangeOwnPin(APIView):
    """Give oneself a PIN by one's password."""

    needs = "people.change_own_pin"

    @api.command(
        "people.change_own_pin",
        "Change one's own PIN",
        body=OwnPinBody,
        example={"password": "nine tables tonight", "new_pin": "8642"},
        answer={"accepted": True, "staff_id": 3},
        is_waited=True,
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, change_own_pin, **read(OwnPinBody, request.data))


class ChangeOwnPassword(APIView):
    """Change one's own password by the old one. It ends all one's sessions at desktops, this one too."""

    needs = "people.change_own_password"

    @api.command(
        "people.change_own_password",
        "Change one's own password",
        body=OwnPasswordBody,
        example={"password": "nine tables tonight", "new_password": "ten tables tomorrow"},
        answer={"accepted": True, "staff_id": 3},
        is_waited=True,
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, change_own_password, **read(OwnPasswordBody, request.data))
