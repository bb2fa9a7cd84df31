"""What every template knows about who is signed in, and where."""

from typing import Any, cast

from django.http import HttpRequest

from casino.people.desks import Desk, desk_here, desks_of, public_desk
from casino.people.http import ActorRequest, sign_in_of
from casino.people.looks import THEMES, theme_at, theme_of
from casino.people.words import place_name


def signed_in(request: HttpRequest) -> dict[str, Any]:
    """
    Add who is where: `room`, `staff`, `device`, `place`, `place_name`,
    `sign_in_id`, `may` (names that the person may use), `desks` (each with whether this page is one of its),
    `public_desk` (where the way back leads whoever has no desk),
    `theme` that the device has chosen ("" for none), `theme_here` that pages have then, and the `themes` there are.

    For pages only: a live fragment holds nothing of its viewer.
    """
    actor = getattr(request, "actor", None)
    device = getattr(request, "device", None)

    def desks() -> list[tuple[Desk, bool]]:
        own = desks_of(actor)
        here = desk_here(request.path, own)
        return [(desk, desk.path == here) for desk in own]

    return {
        "room": getattr(request, "room", None),
        "staff": getattr(request, "staff", None),
        "device": device,
        "place": device.place if device else None,
        "place_name": place_name(device.place) if device else "",
        "sign_in_id": sign_in_of(cast(ActorRequest, request)) if hasattr(request, "device") else "",
        "may": actor.may if actor else frozenset(),
        "theme": theme_of(request.COOKIES),
        "theme_here": theme_at(device.place if device else None),
        "themes": THEMES.items(),
        # A callable: only pages that show the way to other desks look them up.
        "desks": desks,
        "public_desk": public_desk,
    }
