"""Tokens for the REST interface."""

from collections.abc import Sequence

from casino.commands.frame import Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.people.models import ApiToken
from casino.people.permissions import STAFF_ROLES
from casino.people.secrets import digest, new_token
from casino.people.services.locks import lock_device, lock_staff


@service("people.issue_api_token", private=["name"])
def issue_api_token(
    command: Command, *, name: str, roles: Sequence[str], staff_id: int | None = None, device_id: int | None = None
) -> Outcome:
    """
    Issue a token that may use these roles, as far as its person holds them. The answer's data hold `token` once.

    With `staff_id` it speaks for that person; with only `device_id` for whoever is signed in on the device.
    """
    if not set(roles) <= set(STAFF_ROLES) or not roles:
        raise Malformed(field="roles")
    if staff_id is None and device_id is None:
        raise Malformed(field="staff_id")
    device = lock_device(command, device_id) if device_id is not None else None
    staff = lock_staff(command, staff_id) if staff_id is not None else None
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
    )
    data = {"api_token_id": made.pk, "roles": made.roles, "staff_id": staff_id, "device_id": device_id}
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
