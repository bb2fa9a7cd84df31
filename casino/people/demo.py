"""The people of the demo room. Tests and `manage.py demo` share them; their PINs are in the README."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from casino.commands.carrying_out import Actor, Answer, Command
from casino.people.models import Player, Staff
from casino.people.permissions import MAY
from casino.people.published import STAFF
from casino.people.services import add_player, add_staff, start_shift
from casino.rooms.models import Room

NICKNAMES = ("Lee", "Kai", "Timo", "Mika", "Pekka", "Jo", "Sara", "Riku", "Aino", "Ville", "Noora", "Otto")


@dataclass(frozen=True)
class DemoPeople:
    """Who is in the demo room, by username and by nickname."""

    staff: dict[str, Staff]
    players: dict[str, Player]


def house_actor(room_id: int) -> Actor:
    """Return the actor of first steps in a new room, when there is nobody yet who could take them."""
    return Actor(room_id=room_id, staff_id=None, may=frozenset(MAY))


def seed_people(room: Room, *, at: datetime, with_secrets: bool = True) -> DemoPeople:
    """
    Add the demo room's staff, all on shift, and its players. Asked again, it changes nothing.

    Without secrets nobody gets a PIN or a password (tests give them hashes that they made before).
    """
    for person in STAFF:
        secrets = {"pin": person.pin, "password": person.password} if with_secrets else {}
        added = _once(
            room,
            f"staff/{person.username}",
            add_staff,
            at,
            username=person.username,
            display_name=person.display_name,
            roles=[role.value for role in person.roles],
            **secrets,
        )
        if not added.is_replay and with_secrets:
            published = Staff.SetBy.PUBLISHED
            Staff.objects.filter(pk=added.data["staff_id"]).update(pin_set_by=published, password_set_by=published)
        _once(room, f"shift/{person.username}", start_shift, at, staff_id=added.data["staff_id"])
    for nickname in NICKNAMES:
        _once(room, f"player/{nickname}", add_player, at, nickname=nickname)
    return demo_people(room)


def demo_people(room: Room) -> DemoPeople:
    """Return the demo room's people as they are now."""
    return DemoPeople(
        staff={staff.username: staff for staff in Staff.objects.filter(room=room)},
        players={player.nickname: player for player in Player.objects.filter(room=room, erased_at=None)},
    )


def _once(room: Room, step: str, service: Callable[..., Answer], at: datetime, **args: Any) -> Answer:
    """Give a command whose id follows from its step: the second time it is a replay."""
    command_id = uuid.uuid5(uuid.NAMESPACE_URL, f"brush/{room.slug}/{room.pk}/{step}")
    command = Command(id=command_id, by=house_actor(room.pk), tapped_at=at, at=at)
    return service(command, **args)
