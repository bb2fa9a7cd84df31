"""Everybody's own PIN and password: changed by who knows the old one, which is counted like any try."""

from typing import Any

from casino.commands.carrying_out import Answer, Command, Outcome, service, was_done
from casino.people.errors import PinTooSimple, SameSecret
from casino.people.hashing import among_passwords
from casino.people.models import Staff
from casino.people.news import LOCKED
from casino.people.secrets import is_pin
from casino.people.services.locks import lock_device, lock_staff
from casino.people.services.secrets_tried import not_accepted, or_refusal, password_refusal, pin_refusal
from casino.people.services.signing_in import check_may_sign_in
from casino.people.services.staff import (
    PASSWORD_FIELDS,
    PIN_FIELDS,
    ask_screens_again,
    give_password,
    give_pin,
    lock_devices_of,
    lock_out,
)
from casino.people.services.tokens import end_tokens_of


def change_pin_at_door(command: Command, *, staff_id: int, pin: str, new_pin: str) -> Answer:
    """
    Change a person's own PIN on the command's device, by the old one. It signs nobody in, and ends their sign-ins.

    :raises PinTooSimple, SameSecret: the new one; nothing is tried.
    :raises NotOnShift, NotPermitted, WrongPin, PinLocked, TooSoon: as at signing in there.
    """
    return or_refusal(change_pin_on_device(command, staff_id=staff_id, pin=pin, new_pin=new_pin))


def _try_pin(command: Command, *, staff_id: int, pin: str, new_pin: str) -> Outcome | None:
    _check_new_pin(new_pin)
    if new_pin == pin:
        raise SameSecret
    # All of them already now: the try locks the person, whom devices come before, and the change leaves each device.
    lock_devices_of(command, staff_id)
    device = lock_device(command, command.by.device_id)
    staff = lock_staff(command, staff_id)
    check_may_sign_in(staff, device)
    why = pin_refusal(staff, device, _standing(command, pin, new_pin), command.at, changes_it=True)
    if why is not None:
        return not_accepted(why, chain=f"device.{device.pk}", staff_id=staff.pk, audiences=LOCKED)
    return None


@service("people.change_pin_on_device", secret=["pin", "new_pin"], proof=_try_pin)
def change_pin_on_device(command: Command, *, staff_id: int, pin: str, new_pin: str) -> Outcome:
    """Give the new PIN; see `change_pin_at_door`, which turns a wrong old one into its refusal."""
    staff, audiences, ended = _take_pin(command, staff_id, new_pin)
    data = {"accepted": True, "staff_id": staff.pk, **ended}
    return Outcome(chain=f"device.{command.by.device_id}", data=data, audiences=audiences)


def change_own_pin(command: Command, *, password: str, new_pin: str) -> Answer:
    """
    Give oneself a PIN at a desktop, by one's password: the first one, or another, which ends one's sign-ins on
    tablets and one's tokens.

    :raises PinTooSimple: not four to eight digits; nothing is tried.
    :raises WrongPassword, TooSoon, Busy: as at signing in.
    """
    # Before any row is locked, as at signing in.
    with among_passwords():
        return or_refusal(take_own_pin(command, password=password, new_pin=new_pin))


def _try_password_for_pin(command: Command, *, password: str, new_pin: str) -> Outcome | None:
    _check_new_pin(new_pin)
    lock_devices_of(command, command.staff_id)
    return _try_password(command, password)


@service("people.change_own_pin", secret=["password", "new_pin"], proof=_try_password_for_pin)
def take_own_pin(command: Command, *, password: str, new_pin: str) -> Outcome:
    """Give the PIN; see `change_own_pin`, which turns a wrong password into its refusal."""
    return _about_own(*_take_pin(command, command.staff_id, new_pin))


def change_own_password(command: Command, *, password: str, new_password: str) -> Answer:
    """
    Change one's own password by the old one, which ends one's sessions at desktops and one's tokens; the caller keeps
    its own.

    :raises SameSecret: it is the old one; nothing is tried.
    :raises PasswordTooSimple: what the house's validators say.
    :raises WrongPassword, TooSoon, Busy: as at signing in.
    """
    with among_passwords():
        return or_refusal(take_own_password(command, password=password, new_password=new_password))


def _try_old_password(command: Command, *, password: str, new_password: str) -> Outcome | None:
    if new_password == password:
        raise SameSecret
    return _try_password(command, _standing(command, password, new_password))


@service("people.change_own_password", secret=["password", "new_password"], proof=_try_old_password)
def take_own_password(command: Command, *, password: str, new_password: str) -> Outcome:
    """Give the new password; see `change_own_password`, which turns a wrong old one into its refusal."""
    staff = lock_staff(command, command.staff_id)
    give_password(staff, new_password, is_own=True)
    staff.save(update_fields=PASSWORD_FIELDS)
    ask_screens_again(staff)
    return _about_own(staff, (), end_tokens_of(staff, at=command.at))


def _check_new_pin(pin: str) -> None:
    # Before the old one is tried: a form that is wrong in itself is no try.
    if not is_pin(pin):
        raise PinTooSimple


def _standing(command: Command, old: str, new: str) -> str:
    """Return which secret stands: after a change whose answer was lost, and which is sent again, the new one."""
    return new if was_done(command) else old


def _try_password(command: Command, password: str) -> Outcome | None:
    staff = lock_staff(command, command.staff_id)
    why = password_refusal(staff, password, command.at)
    return not_accepted(why, chain=f"staff.{staff.pk}", staff_id=staff.pk) if why is not None else None


def _take_pin(command: Command, staff_id: int, pin: str) -> tuple[Staff, tuple[str, ...], dict[str, Any]]:
    staff, audiences, left = lock_out(command, staff_id, lock_devices_of(command, staff_id))
    give_pin(staff, pin, is_own=True)
    staff.save(update_fields=PIN_FIELDS)
    return staff, audiences, left | end_tokens_of(staff, at=command.at)


def _about_own(staff: Staff, audiences: tuple[str, ...], ended: dict[str, Any]) -> Outcome:
    data = {"accepted": True, "staff_id": staff.pk, **ended}
    return Outcome(chain=f"staff.{staff.pk}", data=data, audiences=audiences)
