"""Signing in and out: by PIN on a tablet, by password at a desktop."""

import uuid
from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.db.models.functions import Greatest

from casino.commands.carrying_out import Answer, Command, Outcome, service
from casino.errors import NotPermitted
from casino.live.notices import revoke
from casino.people.errors import NotOnShift, NotSignedIn
from casino.people.handovers import handed_over
from casino.people.hashing import among_passwords
from casino.people.models import Device, SignIn, Staff
from casino.people.news import AT_PLACE, LOCKED
from casino.people.permissions import ROLES_AT
from casino.people.services.locks import lock_device, lock_staff
from casino.people.services.secrets_tried import (
    FREE_PASSWORD_TRIES,
    ask_to_wait,
    not_accepted,
    or_refusal,
    password_refusal,
    pin_refusal,
)
from casino.people.services.strangers import turn_away


def sign_in_with_pin(command: Command, *, staff_id: int, pin: str, proof: str = "") -> Answer:
    """
    Sign a person in on the command's device, over whoever is signed in there: that is the hand-over.

    `proof` is the SHA-256, in hex, of a secret that the device made and keeps: with it a tap that arrives after the end
    of this sign-in shows that it was made under it. The answer's data: `staff_id`, `sign_in_id`. Wrong PINs are counted
    and stay counted.

    :raises WrongPin: with the tries left, and the seconds that this tablet now waits.
    :raises PinLocked: five wrong ones; the floor unlocks the person.
    :raises TooSoon: the tablet still waits.
    :raises SecretToBeChanged: somebody else set it; `change_pin_at_door` comes first.
    :raises NotOnShift: the person is not working now.
    :raises NotPermitted: none of the person's roles counts at this place.
    """
    return or_refusal(sign_in_on_device(command, staff_id=staff_id, pin=pin, proof=proof))


def _try_pin(command: Command, *, staff_id: int, pin: str, **_proof: str) -> Outcome | None:
    device = lock_device(command, command.by.device_id)
    staff = lock_staff(command, staff_id)
    check_may_sign_in(staff, device)
    why = pin_refusal(staff, device, pin, command.at)
    if why is not None:
        return not_accepted(why, chain=f"device.{device.pk}", staff_id=staff.pk, audiences=LOCKED)
    return None


@service("people.sign_in_on_device", private=["proof"], secret=["pin"], proof=_try_pin)
def sign_in_on_device(command: Command, *, staff_id: int, pin: str, proof: str = "") -> Outcome:
    """Sign a person in on the command's device; see `sign_in_with_pin`, which turns a wrong PIN into its refusal."""
    device, staff = lock_device(command, command.by.device_id), lock_staff(command, staff_id)
    before_id = device.signed_in_id
    _end_sign_in(device, command)
    sign_in = SignIn.objects.create(id=uuid.uuid4(), device=device, staff=staff, began_at=command.at, proof_hash=proof)
    device.signed_in, device.signed_in_at, device.sign_in_id = staff, command.at, sign_in.pk
    device.save(update_fields=["signed_in", "signed_in_at", "sign_in_id"])
    audiences = handed_over(command, [device], before_id=before_id)
    data = {"accepted": True, "staff_id": staff.pk, "before_id": before_id, "sign_in_id": str(sign_in.pk)}
    return Outcome(chain=f"device.{device.pk}", data=data, audiences=(*screens_around(device), *audiences))


def check_may_sign_in(staff: Staff, device: Device) -> None:
    """:raises NotOnShift, NotPermitted: this device's door does not show the person."""
    if not staff.is_on_shift:
        raise NotOnShift
    if not is_role_at(device, staff):
        raise NotPermitted


def is_role_at(device: Device, staff: Staff) -> bool:
    """Tell whether one of the person's roles counts where this device stands."""
    return bool(ROLES_AT[device.place.kind] & set(staff.roles))


@service("people.sign_out_of_device")
def sign_out_of_device(command: Command) -> Outcome:
    """Sign out whoever is signed in on the command's device; with nobody there it is done already."""
    device = lock_device(command, command.by.device_id)
    data = {"staff_id": device.signed_in_id}
    leave_devices([device], command)
    return Outcome(chain=f"device.{device.pk}", data=data, audiences=screens_around(device))


def leave_devices(devices: Sequence[Device], command: Command) -> None:
    """
    Leave locked devices to nobody, and have their sockets ask at the door again. A step of other services.

    Of several it is the same person who was signed in on them.
    """
    if not devices:
        return
    before_id = devices[0].signed_in_id
    for device in devices:
        _end_sign_in(device, command)
        device.signed_in = device.signed_in_at = device.sign_in_id = None
        device.save(update_fields=["signed_in", "signed_in_at", "sign_in_id"])
        # Not before: a socket that asked at once would still find the sign-in.
        transaction.on_commit(partial(revoke, device_id=device.pk), robust=True)
    handed_over(command, devices, before_id=before_id)


def _end_sign_in(device: Device, command: Command) -> None:
    # Not before it began, though the clock was set back since.
    SignIn.objects.filter(device=device, ended_at=None).update(ended_at=Greatest("began_at", command.at))


def screens_around(device: Device) -> tuple[str, ...]:
    """Return the news that somebody else is signed in on a device."""
    return (AT_PLACE.format(kind=device.place.kind, number=device.place.number),)


def sign_in_at_desktop(command: Command, *, username: str, password: str) -> Answer:
    """
    Check a name and a password at a desktop; the caller starts the session. The answer's data: `staff_id`.

    :raises WrongPassword: they do not go together, or there is no such person.
    :raises TooSoon: after wrong tries at this name, whoever's it is, the next one waits.
    :raises NotOnShift: it was right, and a dealer's or cashier's, who is not working now.
    :raises Busy: too many try passwords at this moment.
    """
    # Known or not, all wait for the one place: no wait tells who works here, and none keeps a tablet's tap waiting.
    with among_passwords():
        staff = Staff.objects.filter(room_id=command.room_id, username__iexact=username, is_active=True).first()
        if staff is None:
            turn_away(
                room_id=command.room_id,
                username=username,
                password=password,
                free_tries=FREE_PASSWORD_TRIES,
                at=command.at,
            )
        ask_to_wait(staff.password_not_before_at, command.at)
        return or_refusal(sign_in_with_password(command, staff_id=staff.pk, password=password))


def _try_password(command: Command, *, staff_id: int, password: str) -> Outcome | None:
    staff = lock_staff(command, staff_id)
    why = password_refusal(staff, password, command.at)
    return not_accepted(why, chain=f"staff.{staff.pk}", staff_id=staff.pk) if why is not None else None


@service("people.sign_in", secret=["password"], proof=_try_password)
def sign_in_with_password(command: Command, *, staff_id: int, password: str) -> Outcome:
    """Record that a person's password was right; see `sign_in_at_desktop`, which turns a wrong one into its refusal."""
    chain = f"staff.{staff_id}"
    if not lock_staff(command, staff_id).is_desktop_open:
        return not_accepted(NotOnShift(), chain=chain, staff_id=staff_id)
    return Outcome(chain=chain, data={"accepted": True, "staff_id": staff_id})


@service("people.sign_out")
def sign_out(command: Command) -> Outcome:
    """Record that a person signs out at a desktop; the caller ends the session."""
    if command.by.staff_id is None:
        raise NotSignedIn
    # Not before: a socket that asked at once would still be let in.
    transaction.on_commit(partial(revoke, staff_id=command.by.staff_id), robust=True)
    return Outcome(chain=f"staff.{command.by.staff_id}", data={"staff_id": command.by.staff_id})
