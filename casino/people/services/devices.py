"""Tablets, desktops and televisions: enrolled once with a code, bound to a place, revoked at once."""

from datetime import timedelta
from typing import Any

from casino.commands.carrying_out import Answer, Command, Outcome, service
from casino.errors import Malformed
from casino.people.errors import CodeUnknown
from casino.people.models import Device, EnrolmentCode
from casino.people.secrets import code_digest, digest, new_code, new_token
from casino.people.selectors import code_is_open
from casino.people.services.addresses import code_tried
from casino.people.services.locks import lock_device
from casino.people.services.signing_in import leave_devices, screens_around
from casino.people.services.tokens import end_tokens_at
from casino.rooms.models import Place
from casino.rooms.services import place

CODE_MINUTES = 15


@service("people.make_enrolment_code", private=["device_name"])
def make_enrolment_code(command: Command, *, kind: str, number: int, device_name: str) -> Outcome:
    """
    Make a code with which one device can be enrolled at a place ("table", 4) within fifteen minutes.

    The answer's data hold it once, as `code`; what is kept is a keyed hash.
    """
    if kind not in Place.Kind.values or number < 1:
        raise Malformed(field="place")
    code = new_code()
    made = EnrolmentCode.objects.create(
        room_id=command.room_id,
        place=place(room_id=command.room_id, kind=kind, number=number),
        device_name=device_name,
        code_hash=code_digest(code),
        made_by_id=command.staff_id,
        made_at=command.at,
        expires_at=command.at + timedelta(minutes=CODE_MINUTES),
    )
    data = {"enrolment_code_id": made.pk, "kind": kind, "number": number, "expires_at": made.expires_at.isoformat()}
    return Outcome(chain=f"staff.{command.by.staff_id}", data=data, reveal={"code": code})


def enrol_with_code(command: Command, *, code: str, address: str) -> Answer:
    """
    Enrol the device on which a manager's code was typed; see `enrol_device`, the command itself.

    `address` is where it was typed, as the network tells: wrong codes are counted there.

    The answer's data always hold the device's `token`, for its cookie.

    :raises CodeUnknown: wrong, used or too old; or used by this very command, whose answer was lost: the token is
        shown once.
    :raises TooSoon: after wrong codes the next one waits.
    """
    # Guesses are turned away before there is a command: strangers must not be able to fill the log.
    with code_tried("enrolment", address=address, at=command.at):
        if not code_is_open(command.room_id, code, at=command.at):
            raise CodeUnknown
    answer = enrol_device(command, code=code)
    if "token" not in answer.data:
        raise CodeUnknown
    return answer


def _try_code(command: Command, *, code: str) -> Outcome | None:
    if not code_is_open(command.room_id, code, at=command.at):
        raise CodeUnknown
    return None


@service("people.enrol_device", secret=["code"], proof=_try_code)
def enrol_device(command: Command, *, code: str) -> Outcome:
    """
    Enrol the device on which a manager's code was typed. The answer's data hold its `token` once, for the cookie.

    :raises CodeUnknown: wrong, used or too old; it is not said which.
    """
    # Locked, for a code opens once: typed on two devices at once it would enrol both.
    codes = EnrolmentCode.objects.select_for_update(no_key=True).prefetch_related("place")
    enrolment = codes.filter(room_id=command.room_id, code_hash=code_digest(code), used_at=None).first()
    if enrolment is None or enrolment.expires_at < command.at:
        raise CodeUnknown
    ended = {}
    if command.by.device_id is not None:
        # The same tablet goes to another place: its old self would stand on the list for ever.
        ended = _shut_out(lock_device(command, command.by.device_id), command)
    token = new_token()
    device = Device.objects.create(
        room_id=command.room_id,
        place=enrolment.place,
        name=enrolment.device_name,
        token_hash=digest(token),
        enrolled_by_id=enrolment.made_by_id,
        enrolled_at=command.at,
    )
    enrolment.used_at, enrolment.device = command.at, device
    enrolment.save(update_fields=["used_at", "device"])
    data = {"device_id": device.pk, "enrolment_code_id": enrolment.pk, "enrolled_by_id": enrolment.made_by_id, **ended}
    return Outcome(chain=f"device.{device.pk}", data=data, reveal={"token": token})


@service("people.revoke_device")
def revoke_device(command: Command, *, device_id: int) -> Outcome:
    """Shut a device out at once: its cookie, its tokens and its open sockets. A lost tablet is shut out like this."""
    device = lock_device(command, device_id)
    ended = _shut_out(device, command)
    data = {"device_id": device.pk, **ended}
    return Outcome(chain=f"device.{device.pk}", data=data, audiences=screens_around(device))


def _shut_out(device: Device, command: Command) -> dict[str, Any]:
    leave_devices([device], command)
    device.revoked_at = command.at
    device.save(update_fields=["revoked_at"])
    return end_tokens_at(device, at=command.at)
