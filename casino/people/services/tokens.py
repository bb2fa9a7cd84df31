"""Tokens for the REST interface."""

import logging
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError
from django.db.models import Q

from casino.commands.carrying_out import Answer, Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.people.errors import RolesTooWide
from casino.people.models import ApiToken, Device, Staff
from casino.people.news import LOCKED
from casino.people.permissions import STAFF_ROLES, Role
from casino.people.secrets import digest, new_token
from casino.people.services.locks import lock_device, lock_staff
from casino.people.services.secrets_tried import not_accepted, or_refusal, pin_refusal

DAYS_MAX = 366
_USE_NOTED_EVERY = timedelta(minutes=1)

logger = logging.getLogger(__name__)


def issue_token(
    command: Command,
    *,
    name: str,
    roles: Sequence[str],
    days: int,
    pin: str,
    staff_id: int | None = None,
    device_id: int | None = None,
) -> Answer:
    """
    Issue a token that may use these roles for so many days, as far as its person holds them; `token` comes once.

    With `staff_id` it speaks for that person, who types their own PIN; with only `device_id` for whoever is signed in
    on the device, and the PIN is that of who issues it.

    :raises WrongPin: it is not that person's PIN; counted like every other.
    :raises PinLocked: five wrong ones.
    :raises TooSoon: the tablet still waits.
    :raises RolesTooWide: the person does not hold all of the roles.
    :raises Malformed: unknown roles or none, for nobody, or for no time within `DAYS_MAX`.
    """
    return or_refusal(
        issue_api_token(command, name=name, roles=roles, days=days, pin=pin, staff_id=staff_id, device_id=device_id)
    )


def _try_pin(command: Command, *, pin: str, staff_id: int | None, device_id: int | None, **_: object) -> Outcome | None:
    ids = {each for each in (command.by.device_id, device_id) if each is not None}
    # By id, as whoever locks several.
    devices = {each: lock_device(command, each) for each in sorted(ids)}
    owner = lock_staff(command, command.staff_id if staff_id is None else staff_id)
    here = None if command.by.device_id is None else devices[command.by.device_id]
    why = pin_refusal(owner, here, pin, command.at)
    if why is not None:
        return not_accepted(why, chain=f"staff.{owner.pk}", staff_id=owner.pk, audiences=LOCKED)
    return None


@service("people.issue_api_token", private=["name"], secret=["pin"], proof=_try_pin)
def issue_api_token(
    command: Command,
    *,
    name: str,
    roles: Sequence[str],
    days: int,
    pin: str,
    staff_id: int | None,
    device_id: int | None,
) -> Outcome:
    """Issue a token; see `issue_token`, which turns a wrong PIN into its refusal."""
    if not set(roles) <= set(STAFF_ROLES) or not roles:
        raise Malformed(field="roles")
    if not 1 <= days <= DAYS_MAX:
        raise Malformed(field="days")
    if staff_id is None and device_id is None:
        raise Malformed(field="staff_id")
    device = lock_device(command, device_id) if device_id is not None else None
    staff = lock_staff(command, staff_id) if staff_id is not None else None
    # A device's token never may more than whoever is signed in there when it is used.
    if staff is not None and not set(roles) <= set(staff.roles):
        raise RolesTooWide
    token = new_token()
    made = ApiToken.objects.create(
        room_id=command.room_id,
        name=name,
        roles=[role.value for role in STAFF_ROLES if role in roles],
        token_hash=digest(token),
        staff=staff,
        device=device,
        made_by_id=command.staff_id,
        made_at=command.at,
        ends_at=command.at + timedelta(days=days),
    )
    data = {
        "accepted": True,
        "api_token_id": made.pk,
        "roles": made.roles,
        "staff_id": staff_id,
        "device_id": device_id,
        "ends_at": made.ends_at.isoformat(),
    }
    return Outcome(chain=f"staff.{command.by.staff_id}", data=data, reveal={"token": token})


@service("people.revoke_api_token")
def revoke_api_token(command: Command, *, api_token_id: int) -> Outcome:
    """End a token at once."""
    tokens = ApiToken.objects.select_for_update(no_key=True)
    token = tokens.filter(pk=api_token_id, room_id=command.room_id, revoked_at=None).first()
    if token is None:
        raise NotFound(what="token")
    token.revoked_at = command.at
    token.save(update_fields=["revoked_at"])
    return Outcome(chain=f"staff.{command.by.staff_id}", data={"api_token_id": token.pk})


def end_tokens_of(staff: Staff, *, at: datetime, holding: Collection[str] = STAFF_ROLES) -> dict[str, Any]:
    """
    End the tokens that hold one of these roles of a locked person, and with a manager's what they made for devices.

    A step of whatever takes away what they were issued by. Return what it adds to the data of the command.
    """
    are_theirs = Q(staff=staff, roles__overlap=list(holding))
    if Role.MANAGER in holding:
        # A device's is answered for by the manager who made it, whatever its roles.
        are_theirs |= Q(staff=None, made_by_id=staff.pk)
    return _end(are_theirs, room_id=staff.room_id, at=at)


def end_tokens_at(device: Device, *, at: datetime) -> dict[str, Any]:
    """End the tokens of a locked device, whoever they speak for there. Return what it adds to the command's data."""
    return _end(Q(device=device), room_id=device.room_id, at=at)


def _end(which: Q, *, room_id: int, at: datetime) -> dict[str, Any]:
    tokens = ApiToken.objects.select_for_update(no_key=True).filter(which, room_id=room_id, revoked_at=None)
    # Locked by id first: an UPDATE by itself locks in whatever order it finds them.
    ended = [token.pk for token in tokens.order_by("id")]
    ApiToken.objects.filter(pk__in=ended).update(revoked_at=at)
    return {"api_tokens_ended": ended} if ended else {}


def note_use(token: ApiToken, *, at: datetime) -> None:
    """
    Keep when a token was used: one write a minute, however often it is.

    No command, for reading with a token is none; and a database that takes nothing more may still be read.
    """
    if token.last_used_at is not None and abs(at - token.last_used_at) < _USE_NOTED_EVERY:
        return
    # Asked again in the statement, for calls that came at once; far ahead of now lies what a wrong clock wrote.
    far = Q(last_used_at__lte=at - _USE_NOTED_EVERY) | Q(last_used_at__gte=at + _USE_NOTED_EVERY)
    is_old = Q(last_used_at=None) | far
    try:
        ApiToken.objects.filter(is_old, pk=token.pk).update(last_used_at=at)
    except DatabaseError:
        logger.warning("the last use of a token was not kept", exc_info=True)
