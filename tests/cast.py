"""
One small cast for all tests: the people of the demo room.

Mari manages (and may work the floor), Frans is the floor, Anna and Dan deal, Carla is the cashier,
Olavi reads the books. Lee, Kai, Timo, Mika, Pekka, Jo and Sara play.

    cast = make_cast()
    seat_player(command(cast.frans), table_id=..., player_id=cast.players["Lee"].pk, ...)
"""

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from casino.commands.carrying_out import Actor, Command
from casino.people import demo
from casino.people.demo import DemoPeople
from casino.people.models import Device, Player, Staff
from casino.people.published import STAFF, DemoPerson
from casino.people.secrets import digest, pin_hash
from casino.people.selectors import actor_at_desktop, actor_on_device
from casino.rooms.demo import seed_room
from casino.rooms.models import Room
from casino.rooms.services import place
from tests.support.kept import kept

TONIGHT = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
"""When tests begin: a Friday, 20:00 in Helsinki."""
LATER_THAN_ANY_TEST = datetime(2099, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Cast:
    """The room and everybody in it; `cast.anna` is short for `cast.staff["anna"]`."""

    room: Room
    staff: dict[str, Staff]
    players: dict[str, Player]

    @property
    def mari(self) -> Staff:
        return self.staff["mari"]

    @property
    def frans(self) -> Staff:
        return self.staff["frans"]

    @property
    def anna(self) -> Staff:
        return self.staff["anna"]

    @property
    def dan(self) -> Staff:
        return self.staff["dan"]

    @property
    def carla(self) -> Staff:
        return self.staff["carla"]

    @property
    def olavi(self) -> Staff:
        return self.staff["olavi"]


@kept
def make_cast(
    *, at: datetime = TONIGHT, slug: str = "demo", with_secrets: bool = False, book: str = "helsinki"
) -> Cast:
    """Make the room with its rule book, staff and players. `with_secrets`: PINs and passwords work too."""
    room = seed_room(at=at, slug=slug, book=book)
    people: DemoPeople = demo.seed_people(room, at=at, with_secrets=False)
    if with_secrets:
        for person in STAFF:
            pin, password = _hashes(person)
            Staff.objects.filter(pk=people.staff[person.username].pk).update(pin=pin, password=password)
        people = demo.demo_people(room)
    return Cast(room=room, staff=people.staff, players=people.players)


@cache
def _hashes(person: DemoPerson) -> tuple[str, str]:
    # Argon2 is meant to be slow: each hash is made once per test process.
    return pin_hash(person.pin), pin_hash(person.password)


def demo_person(username: str) -> DemoPerson:
    """Return a person's PIN and password."""
    return next(person for person in STAFF if person.username == username)


def owned(staff_id: int) -> Staff:
    """Return a person, whose PIN and password count from now on as chosen by themselves."""
    owner = Staff.SetBy.OWNER
    Staff.objects.filter(pk=staff_id).update(pin_set_by=owner, password_set_by=owner)
    return Staff.objects.get(pk=staff_id)


def actor(staff: Staff, *, device: Device | None = None) -> Actor:
    """Return the person as actor, at a desktop or signed in on a device."""
    return actor_on_device(device, staff=staff) if device else actor_at_desktop(staff)


def command(
    by: Staff | Actor,
    *,
    device: Device | None = None,
    id: uuid.UUID | None = None,
    at: datetime = TONIGHT,
    tapped_at: datetime | None = None,
) -> Command:
    """Return a command of this person, with an id of its own unless one is given."""
    who = by if isinstance(by, Actor) else actor(by, device=device)
    return Command(id=id or uuid.uuid4(), by=who, tapped_at=tapped_at or at, at=at)


def enrolled(room: Room, kind: str, number: int = 1, *, token: str = "", at: datetime = TONIGHT) -> Device:
    """Return a device enrolled at a place; its cookie holds `token` ("token-table-4" unless given)."""
    return Device.objects.create(
        room=room,
        place=place(room_id=room.pk, kind=kind, number=number),
        name=f"{kind} {number}",
        token_hash=digest(token or f"token-{kind}-{number}"),
        enrolled_by_id=Staff.objects.filter(room=room).order_by("id")[0].pk,
        enrolled_at=at,
    )
