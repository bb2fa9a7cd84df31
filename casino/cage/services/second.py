"""The second person under a cage's command."""

import json
import uuid

from casino.audit.models import Event
from casino.cage.errors import NeedsAnotherApprover
from casino.commands.frame import Command


def signed_by(command: Command, staff_id: int, *, needs: str, signs: str) -> int:
    """
    Return the second person's id, if they really signed this command by their own sign-in.

    `casino.people.services.second_person` asked for the PIN before this command began, and the log
    holds it: an id alone, from whatever caller, is no signature.

    :raises NeedsAnotherApprover: nobody signed, it was another one, or they signed something else.
    """
    event = Event.objects.filter(
        room_id=command.room_id,
        command_id=uuid.uuid5(command.id, "second person"),
        name="people.sign_second",
        staff_id=command.by.staff_id,
    ).first()
    if event is None:
        raise NeedsAnotherApprover
    said = json.loads(event.text)
    args = said["args"]
    if not said["data"].get("accepted") or (args["staff_id"], args["needs"], args["signs"]) != (staff_id, needs, signs):
        raise NeedsAnotherApprover
    return staff_id
