"""What every template knows about the door."""

from typing import Any

from django.http import HttpRequest


def door(request: HttpRequest) -> dict[str, Any]:
    """
    Add who is where: `room`, `staff`, `device`, `place`, `sign_in_id`, and `may` (names that the person may use).

    For pages only: a live fragment holds nothing of its viewer.
    """
    actor = getattr(request, "actor", None)
    device = getattr(request, "device", None)
    return {
        "room": getattr(request, "room", None),
        "staff": getattr(request, "staff", None),
        "device": device,
        "place": device.place if device else None,
        "sign_in_id": device.sign_in_id if device else None,
        "may": actor.may if actor else frozenset(),
    }
