"""The people who work here: joining, roles, PINs, shifts, leaving."""

import uuid
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q

from casino.audit.models import Event
from casino.commands.carrying_out import DONE, Command, Outcome, service
from casino.errors import Busy, Malformed
from casino.live.notices import revoke
from casino.people.errors import (
    ComplianceByTwo,
    HoldsCompliance,
    LastManager,
    ManagerUnlocks,
    NameOnShift,
    NeedsSecondSignature,
    OwnLock,
    OwnRoles,
    PasswordTooSimple,
    PinTooSimple,
    SecondMayNot,
    SecretPublished,
    UnlockedTooOften,
    UsernameTaken,
)
from casino.people.models import Device, Staff
from casino.people.news import LOCKED, SHIFTS
from casino.people.permissions import STAFF_ROLES, Role
from casino.people.published import is_published
from casino.people.secrets import is_pin, pin_hash
from casino.people.services.locks import lock_staff
from casino.people.services.signatures import check_signed
from casino.people.services.signing_in import is_role_at, leave_devices, screens_around
from casino.people.services.tokens import end_tokens_of
from casino.people.standing import leading
from casino.rooms.selectors import lock_open_day

# What the second person must be allowed to do where compliance is given or taken.
NEEDS_FOR_COMPLIANCE = "people.approve_compliance"
# Who leaves with the shift that they were added for.
_LEAVE_WITH_SHIFT = Q(for_day__isnull=False) & ~Q(roles__overlap=[Role.MANAGER.value, Role.COMPLIANCE.value])
# What a change of a secret writes: the secret, and an end to the wrong tries at the old one.
PIN_FIELDS = ["pin", "pin_set_by", "wrong_pins", "locked_at"]
PASSWORD_FIELDS = ["password", "password_set_by", "wrong_passwords", "password_not_before_at"]
# With the tries before each, twenty of ten thousand PINs; `UnlockedTooOften` says how many in words.
UNLOCKS_MAX, UNLOCKS_WITHIN = 3, timedelta(days=1)


@service("people.add_staff", private=["username", "display_name"], secret=["pin", "password"])
def add_staff(
    command: Command, *, username: str, display_name: str, roles: Sequence[str], pin: str = "", password: str = ""
) -> Outcome:
    """
    Add a person who works here. Without a PIN they open no tablet, without a password no desktop.

    :raises ComplianceByTwo: nobody is given compliance by one.
    :raises UsernameTaken: somebody of this room has that name, upper or lower case.
    :raises PinTooSimple: not four to eight digits.
    :raises PasswordTooSimple: what the house's validators say.
    """
    if Role.COMPLIANCE in roles:
        raise ComplianceByTwo
    staff = Staff(
        room_id=command.room_id,
        username=username,
        display_name=display_name,
        roles=_checked(roles),
        created_at=command.at,
    )
    give_pin(staff, pin)
    give_password(staff, password)
    try:
        with transaction.atomic():
            staff.save()
    except IntegrityError as problem:
        if "staff_username_once_per_room" not in str(problem):
            raise
        raise UsernameTaken from None
    return _about(staff, roles=staff.roles)


@service("people.add_shift_dealer", private=["display_name"], secret=["pin"])
def add_shift_dealer(command: Command, *, display_name: str, pin: str) -> Outcome:
    """
    Let somebody from the pit deal today: on shift at once, with a PIN and no other role.

    Their doors close with the shift, or with the gaming day.

    :raises NoOpenDay: no gaming day is open.
    :raises NameOnShift: somebody on shift is shown by that name, and a door would have it twice.
    :raises PinTooSimple: not four to eight digits.
    """
    day = lock_open_day(command.room_id)
    if not pin:
        raise PinTooSimple
    on_shift = Staff.objects.filter(room_id=command.room_id, is_on_shift=True)
    if on_shift.filter(display_name__iexact=display_name).exists():
        raise NameOnShift
    staff = Staff(
        room_id=command.room_id,
        # Nobody signs in with it: there is no password.
        username=f"shift-{uuid.uuid4().hex[:12]}",
        display_name=display_name,
        roles=[Role.DEALER.value],
        is_on_shift=True,
        for_day=day,
        created_at=command.at,
    )
    give_pin(staff, pin)
    give_password(staff, "")
    staff.save()
    return _about(staff, roles=staff.roles, day_id=day.pk, audiences=SHIFTS)


def roles_signs(*, staff_id: int, roles: Sequence[str]) -> str:
    """Return what a second person signs under somebody's roles."""
    return f"roles.{staff_id}.{'.'.join(sorted(roles))}"


@service("people.change_roles")
def change_roles(
    command: Command, *, staff_id: int, roles: Sequence[str], approved_by_id: int | None = None
) -> Outcome:
    """
    Give a person exactly these roles, from the next tap on. A role that is taken away ends their sessions at desktops,
    the tokens that hold it, and their sign-in on a tablet where no role of theirs counts any more.

    `approved_by_id` is the second person, who has signed `roles_signs`: where compliance is given or taken.

    :raises OwnRoles: they are whoever asks, or whoever signs.
    :raises NeedsSecondSignature: compliance is given or taken, and nobody signed it, or not this.
    :raises SecondMayNot: somebody of the floor did, and there is another manager or officer who could, or was tonight.
    :raises LastManager: nobody would be left who can add one.
    :raises Busy: they signed in on a tablet at this very moment; the same tap is to be tried again.
    """
    if staff_id in (command.by.staff_id, approved_by_id):
        raise OwnRoles
    devices = lock_devices_of(command, staff_id)
    managers = _lock_managers(command)
    staff = _lock_signed_in(command, staff_id, devices)
    before, staff.roles = staff.roles, _checked(roles)
    signed: dict[str, Any] = {}
    if Role.COMPLIANCE in {*before} ^ {*staff.roles}:
        signer = _compliance_signed_by(command, approved_by_id, staff_id=staff_id, roles=roles)
        signed = {"is_signed": True, "approved_by_id": signer}
    if Role.MANAGER not in staff.roles:
        _keep_a_manager(managers, without=staff_id)
    taken = set(before) - set(staff.roles)
    staff.sessions_ended += bool(taken)
    staff.save(update_fields=["roles", "sessions_ended"])
    audiences, left = _leave(command, [device for device in devices if not is_role_at(device, staff)])
    ended = end_tokens_of(staff, at=command.at, holding=taken)
    ask_screens_again(staff)
    return _about(staff, roles=staff.roles, roles_before=before, audiences=audiences, **signed, **left, **ended)


def _compliance_signed_by(command: Command, approved_by_id: int | None, *, staff_id: int, roles: Sequence[str]) -> int:
    """Return who signed that somebody holds compliance, or no more. Three queries."""
    if approved_by_id is None:
        raise NeedsSecondSignature
    check_signed(command, approved_by_id, needs=NEEDS_FOR_COMPLIANCE, signs=roles_signs(staff_id=staff_id, roles=roles))
    if not leading(command.room_id).takes(approved_by_id, without=[command.by.staff_id, staff_id]):
        raise SecondMayNot
    return approved_by_id


@service("people.set_pin", secret=["pin"])
def set_pin(command: Command, *, staff_id: int, pin: str) -> Outcome:
    """
    Give a person a new PIN, which also unlocks them, ends their sign-ins on tablets and their tokens, and opens only
    the change of it by them.

    :raises PinTooSimple: not four to eight digits.
    :raises HoldsCompliance: they do; their own change of it is theirs.
    """
    if not pin:
        raise PinTooSimple
    staff, audiences, left = lock_out(command, staff_id, lock_devices_of(command, staff_id))
    _check_no_officer(staff)
    give_pin(staff, pin)
    staff.save(update_fields=PIN_FIELDS)
    return _about(staff, audiences=(*LOCKED, *audiences), **left, **end_tokens_of(staff, at=command.at))


@service("people.set_password", secret=["password"])
def set_password(command: Command, *, staff_id: int, password: str) -> Outcome:
    """
    Give a person a new password, which ends their desktop sessions and their tokens, and opens only the change of it by
    them.

    :raises PasswordTooSimple: what the house's validators say.
    :raises HoldsCompliance: they do; their own change of it is theirs.
    """
    staff = lock_staff(command, staff_id)
    _check_no_officer(staff)
    if not password:
        raise PasswordTooSimple
    give_password(staff, password)
    staff.save(update_fields=PASSWORD_FIELDS)
    ask_screens_again(staff)
    return _about(staff, **end_tokens_of(staff, at=command.at))


@service("people.start_shift")
def start_shift(command: Command, *, staff_id: int) -> Outcome:
    """Put a person on shift: their name appears on the doors of the tablets where their roles count."""
    staff = lock_staff(command, staff_id)
    staff.is_on_shift = True
    staff.save(update_fields=["is_on_shift"])
    return _about(staff, audiences=SHIFTS)


@service("people.end_shift")
def end_shift(command: Command, *, staff_id: int) -> Outcome:
    """
    Take a person off shift: the tablets where they are signed in ask for the next PIN at once, and a hand in progress
    waits for it. Their sessions at desktops end too. Who was there for this shift alone leaves with it, as nobody does
    who manages or holds compliance meanwhile: an officer does not leave by one, nor the last manager.
    """
    if Staff.objects.filter(_LEAVE_WITH_SHIFT, pk=staff_id, room_id=command.room_id).exists():
        staff, audiences, ended = _close_doors(command, staff_id, lock_devices_of(command, staff_id))
        return _about(staff, audiences=audiences, **ended)
    staff, audiences, left = lock_out(command, staff_id, lock_devices_of(command, staff_id))
    staff.is_on_shift = False
    staff.sessions_ended += 1
    staff.save(update_fields=["is_on_shift", "sessions_ended"])
    ask_screens_again(staff)
    return _about(staff, audiences=(*SHIFTS, *audiences), **left)


def end_shift_dealers(command: Command, *, day_id: int) -> dict[str, Any]:
    """
    Close the doors to who was there for this day alone, as `end_shift` does: a step of closing it.

    Return what it adds to the command's data: `shift_dealers`, `left_devices` and `api_tokens_ended`, ids, where there
    are any.
    """
    here = Staff.objects.filter(_LEAVE_WITH_SHIFT, room_id=command.room_id, for_day_id=day_id, is_active=True)
    gone = list(here.order_by("id").values_list("id", flat=True))
    ended: dict[str, list[int]] = {"shift_dealers": gone} if gone else {}
    for staff_id in gone:
        _staff, _audiences, with_it = _close_doors(command, staff_id, lock_devices_of(command, staff_id))
        for key, ids in with_it.items():
            ended.setdefault(key, []).extend(ids)
    return ended


@service("people.unlock_person")
def unlock_person(command: Command, *, staff_id: int) -> Outcome:
    """
    Let a person try their PIN again.

    The last manager's way back is the password at a desktop, which no wrong try locks: it lifts the lock, and where
    that was done too often, it gives a new PIN.

    :raises ManagerUnlocks: it is a manager's, and who asks is none.
    :raises OwnLock: it is one's own, on a tablet where somebody else may have tried.
    :raises UnlockedTooOften: `UNLOCKS_MAX` times within a day, by whomever; a new PIN unlocks.
    """
    staff = lock_staff(command, staff_id)
    if Role.MANAGER in staff.roles and "people.unlock_manager" not in command.by.may:
        raise ManagerUnlocks
    if staff.pk == command.by.staff_id and command.by.device_id is not None:
        raise OwnLock
    _check_unlocks(command, staff)
    staff.wrong_pins, staff.locked_at = 0, None
    staff.save(update_fields=["wrong_pins", "locked_at"])
    return _about(staff, audiences=LOCKED)


def _check_unlocks(command: Command, staff: Staff) -> None:
    # Whoever unlocks, and whoever tries: they may be one, or agree.
    unlocks = Event.objects.filter(
        room_id=command.room_id, chain=f"staff.{staff.pk}", name="people.unlock_person", result=DONE
    )
    if unlocks.filter(at__gt=command.at - UNLOCKS_WITHIN).count() >= UNLOCKS_MAX:
        raise UnlockedTooOften


@service("people.deactivate_staff")
def deactivate_staff(command: Command, *, staff_id: int) -> Outcome:
    """
    Close every door to a person who no longer works here; what they did stays theirs.

    :raises LastManager: nobody would be left who can add one.
    :raises HoldsCompliance: they do.
    """
    devices = lock_devices_of(command, staff_id)
    _keep_a_manager(_lock_managers(command), without=staff_id)
    staff, audiences, ended = _close_doors(command, staff_id, devices)
    return _about(staff, audiences=audiences, **ended)


def lock_devices_of(command: Command, staff_id: int) -> list[Device]:
    """
    Lock the devices where a person is signed in and the command's own: devices before people, as at signing in.

    Return those where the person is signed in.
    """
    devices = Device.objects.select_for_update(no_key=True).prefetch_related("place")
    held = devices.filter(Q(signed_in_id=staff_id) | Q(pk=command.by.device_id or 0), room_id=command.room_id)
    return [device for device in held.order_by("id") if device.signed_in_id == staff_id]


def lock_out(
    command: Command, staff_id: int, devices: Sequence[Device]
) -> tuple[Staff, tuple[str, ...], dict[str, list[int]]]:
    """
    Lock a person and end their sign-ins on these devices, locked before.

    A step of whatever takes the right to a sign-in away. Return the screens that show it too, and what it adds to the
    data of the command: `left_devices`, ids, where there are any.

    :raises Busy: they signed in somewhere else at this very moment; the same tap is to be tried again.
    """
    staff = _lock_signed_in(command, staff_id, devices)
    return staff, *_leave(command, devices)


def _lock_signed_in(command: Command, staff_id: int, devices: Sequence[Device]) -> Staff:
    staff = lock_staff(command, staff_id)
    if Device.objects.filter(signed_in=staff).exclude(pk__in=[device.pk for device in devices]).exists():
        raise Busy
    return staff


def _leave(command: Command, devices: Sequence[Device]) -> tuple[tuple[str, ...], dict[str, list[int]]]:
    # After the person: their down ends with it, which a push at that moment would hold, waiting for the person.
    leave_devices(devices, command)
    audiences = tuple(screen for device in devices for screen in screens_around(device))
    return audiences, {"left_devices": [device.pk for device in devices]} if devices else {}


def _close_doors(
    command: Command, staff_id: int, devices: Sequence[Device]
) -> tuple[Staff, tuple[str, ...], dict[str, Any]]:
    staff, audiences, left = lock_out(command, staff_id, devices)
    # Now under the lock: whoever ends a shift looked before.
    _check_no_officer(staff)
    staff.is_active = staff.is_on_shift = False
    staff.left_at = command.at
    give_pin(staff, "")
    give_password(staff, "")
    staff.save(update_fields=["is_active", "is_on_shift", "left_at", *PIN_FIELDS, *PASSWORD_FIELDS])
    ask_screens_again(staff)
    return staff, (*SHIFTS, *audiences), left | end_tokens_of(staff, at=command.at)


def ask_screens_again(staff: Staff) -> None:
    """Have this person's open screens ask at the door again, which may not let them in any more."""
    # Not before: a socket that asked at once would still find what is only being taken away.
    transaction.on_commit(partial(revoke, staff_id=staff.pk), robust=True)


def _about(staff: Staff, *, audiences: Sequence[str] = (), **data: object) -> Outcome:
    screens = tuple(dict.fromkeys(audiences))
    return Outcome(chain=f"staff.{staff.pk}", data={"staff_id": staff.pk, **data}, audiences=screens)


def _checked(roles: Sequence[str]) -> list[str]:
    """Return roles in the order of all. :raises Malformed: one is no role of a person."""
    if not set(roles) <= set(STAFF_ROLES):
        raise Malformed(field="roles")
    return [role.value for role in STAFF_ROLES if role in roles]


def give_pin(staff: Staff, pin: str, *, is_own: bool = False) -> None:
    """
    Give a person a PIN, or with "" none: every change of a PIN goes through here. The caller saves `PIN_FIELDS`.

    `is_own`: they chose it themselves, by the old one; any other opens only the change of it.

    :raises PinTooSimple: not four to eight digits.
    :raises SecretPublished: it is theirs in the README, in a house that others reach.
    """
    if pin and not is_pin(pin):
        raise PinTooSimple
    _check_not_published(staff, pin)
    staff.pin = pin_hash(pin) if pin else ""
    staff.pin_set_by = _set_by(pin, is_own=is_own)
    staff.wrong_pins, staff.locked_at = 0, None


def give_password(staff: Staff, password: str, *, is_own: bool = False) -> None:
    """
    Give a person a password, or with "" none: every change goes through here. The caller saves `PASSWORD_FIELDS`.

    :raises PasswordTooSimple: what the house's validators say.
    :raises SecretPublished: it is theirs in the README, in a house that others reach.
    """
    _check_not_published(staff, password)
    staff.wrong_passwords, staff.password_not_before_at = 0, None
    staff.password_set_by = _set_by(password, is_own=is_own)
    if not password:
        staff.set_unusable_password()
        return
    try:
        validate_password(password, staff)
    except ValidationError:
        raise PasswordTooSimple from None
    staff.set_password(password)


def _check_not_published(staff: Staff, secret: str) -> None:
    if settings.OPEN_BY and is_published(staff.username, secret):
        raise SecretPublished


def _set_by(secret: str, *, is_own: bool) -> str:
    return Staff.SetBy.OWNER if is_own or not secret else Staff.SetBy.ANOTHER


def _check_no_officer(staff: Staff) -> None:
    if Role.COMPLIANCE in staff.roles:
        raise HoldsCompliance


def _lock_managers(command: Command) -> list[int]:
    """Lock all managers, by id: two who take each other's role at the same moment must not both succeed."""
    rows = Staff.objects.select_for_update(no_key=True).filter(room_id=command.room_id, is_active=True)
    managers = rows.filter(roles__contains=[Role.MANAGER.value]).order_by("id")
    return list(managers.values_list("id", flat=True))


def _keep_a_manager(managers: list[int], *, without: int) -> None:
    if without in managers and len(managers) == 1:
        raise LastManager
