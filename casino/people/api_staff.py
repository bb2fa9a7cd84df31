"""Who works here, over REST: joining, roles, PINs and passwords, shifts, leaving. PINs and passwords only come in."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.people.api_auth import api_actor, carried_out
from casino.people.api_protection import SignatureBody
from casino.people.inputs import arguments_of_call
from casino.people.models import Staff
from casino.people.permissions import STAFF_ROLES
from casino.people.selectors import staff_of
from casino.people.services import (
    add_shift_dealer,
    add_staff,
    by_two,
    change_roles,
    deactivate_staff,
    end_shift,
    erase_staff,
    set_password,
    set_pin,
    start_shift,
    unlock_person,
)
from casino.people.services.staff import NEEDS_FOR_COMPLIANCE, roles_signs
from casino.rest import Api, Body, Password, Pin, Text

api = Api("people")

# What a second person signs on the same screen, where compliance is given or taken.
change_roles_by_two = by_two(change_roles, needs=NEEDS_FOR_COMPLIANCE, signs=roles_signs)


class Roles(serializers.ListField):
    """Roles of a person."""

    def __init__(self, *, allow_empty: bool = False) -> None:
        super().__init__(
            child=serializers.ChoiceField([role.value for role in STAFF_ROLES]),
            allow_empty=allow_empty,
            max_length=len(STAFF_ROLES),
        )


class StaffBody(Body):
    """Somebody who begins to work here. Without a PIN they open no tablet, without a password no desktop."""

    username = Text(max_length=40)
    display_name = Text(max_length=40)
    roles = Roles()
    pin = Pin(allow_blank=True, default="")
    password = Password(allow_blank=True, default="")


class RolesBody(Body):
    """
    All the roles that a person shall have; none leaves somebody who works here and may do nothing.

    `second` signs where compliance is given or taken.
    """

    roles = Roles(allow_empty=True)
    second = SignatureBody(allow_null=True, default=None)


class PinBody(Body):
    """A new PIN: four to eight digits, not all the same."""

    pin = Pin()


class PasswordBody(Body):
    """A new password of at least ten characters."""

    password = Password()


class StaffAnswer(serializers.ModelSerializer[Staff]):
    """Somebody who works here."""

    is_locked = serializers.SerializerMethodField()

    class Meta:
        model = Staff
        fields = ["id", "username", "display_name", "roles", "is_active", "is_on_shift", "is_locked"]

    def get_is_locked(self, staff: Staff) -> bool:
        """Return whether too many wrong PINs locked this person."""
        return staff.locked_at is not None


class StaffList(APIView):
    """Everybody who works here."""

    needs = {"GET": "read.staff", "POST": "people.add_staff"}

    @api.reading("staff.list", "Who works here", answer=StaffAnswer(many=True))
    def get(self, request: Request) -> Response:
        return Response(StaffAnswer(staff_of(api_actor(request).room_id), many=True).data)

    @api.command(
        "people.add_staff",
        "Add a person who works here",
        body=StaffBody,
        example={"username": "aino", "display_name": "Aino", "roles": ["dealer"], "pin": "2468"},
        answer={"staff_id": 7, "roles": ["dealer"]},
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, add_staff, **arguments_of_call(request))


class ChangeRoles(APIView):
    """Give a person exactly these roles, from the next tap on."""

    needs = "people.change_roles"
    steps = ("people.sign_second",)

    @api.command(
        "people.change_roles",
        "Change a person's roles",
        body=RolesBody,
        example={"roles": ["dealer", "compliance"], "second": {"username": "miro", "pin": "8642"}},
        answer={
            "staff_id": 3,
            "roles": ["dealer", "compliance"],
            "roles_before": ["dealer"],
            "is_signed": True,
            "approved_by_id": 7,
        },
    )
    def post(self, request: Request, staff_id: int) -> Response:
        return carried_out(request, change_roles_by_two, staff_id=staff_id, **arguments_of_call(request))


class SetPin(APIView):
    """Give a person a new PIN, which also unlocks them."""

    needs = "people.set_pin"

    @api.command(
        "people.set_pin", "Give a person a new PIN", body=PinBody, example={"pin": "2468"}, answer={"staff_id": 3}
    )
    def post(self, request: Request, staff_id: int) -> Response:
        return carried_out(request, set_pin, staff_id=staff_id, **arguments_of_call(request))


class SetPassword(APIView):
    """Give a person a new password, which ends their sessions at desktops."""

    needs = "people.set_password"

    @api.command(
        "people.set_password",
        "Give a person a new password",
        body=PasswordBody,
        example={"password": "nine tables tonight"},
        answer={"staff_id": 3},
    )
    def post(self, request: Request, staff_id: int) -> Response:
        return carried_out(request, set_password, staff_id=staff_id, **arguments_of_call(request))


class StartShift(APIView):
    """Put a person on shift."""

    needs = "people.start_shift"

    @api.command("people.start_shift", "Start a shift", answer={"staff_id": 3})
    def post(self, request: Request, staff_id: int) -> Response:
        return carried_out(request, start_shift, staff_id=staff_id)


class EndShift(APIView):
    """Take a person off shift."""

    needs = "people.end_shift"

    @api.command("people.end_shift", "End a shift", answer={"staff_id": 3})
    def post(self, request: Request, staff_id: int) -> Response:
        return carried_out(request, end_shift, staff_id=staff_id)


class Unlock(APIView):
    """Let a person try their PIN again."""

    needs = "people.unlock_person"

    @api.command("people.unlock_person", "Unlock a person", answer={"staff_id": 3})
    def post(self, request: Request, staff_id: int) -> Response:
        return carried_out(request, unlock_person, staff_id=staff_id)


class Deactivate(APIView):
    """Close every door to a person who no longer works here."""

    needs = "people.deactivate_staff"

    @api.command("people.deactivate_staff", "A person no longer works here", answer={"staff_id": 3})
    def post(self, request: Request, staff_id: int) -> Response:
        return carried_out(request, deactivate_staff, staff_id=staff_id)


class EraseStaff(APIView):
    """Forget who somebody was who worked here, as they asked; refused while something holds them. Not taken back."""

    needs = "people.erase_staff"

    @api.command("people.erase_staff", "Erase a person who left", answer={"staff_id": 3})
    def post(self, request: Request, staff_id: int) -> Response:
        return carried_out(request, erase_staff, staff_id=staff_id)


class ShiftDealerBody(Body):
    """Somebody from the pit who deals today."""

    display_name = Text(max_length=40)
    pin = Pin()


class AddShiftDealer(APIView):
    """Somebody from the pit deals today: on shift at once, until the shift or the day ends."""

    needs = "people.add_shift_dealer"

    @api.command(
        "people.add_shift_dealer",
        "Add a dealer for today",
        body=ShiftDealerBody,
        example={"display_name": "Pia", "pin": "5871"},
        answer={"staff_id": 9, "roles": ["dealer"], "day_id": 12},
    )
    def post(self, request: Request) -> Response:
        return carried_out(request, add_shift_dealer, **arguments_of_call(request))
