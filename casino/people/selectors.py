"""Questions about people, devices and what they may do."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast
from urllib.parse import urlencode

from django.db.models import Q

from casino.audit.models import Event
from casino.commands.carrying_out import DONE, Actor
from casino.people.models import ApiToken, Device, EnrolmentCode, Player, Staff
from casino.people.permissions import NEVER_BY_TOKEN, ROLES_AT, SHIFT_ROLES, Role, may_of, may_until_changed
from casino.people.secrets import code_digest, digest
from casino.rooms.models import Place, Room
from casino.rooms.selectors import night_began_after
from casino.rows import read_joined, relate
from casino.text import tidy


@dataclass(frozen=True)
class PersonToSignIn:
    """One name on the door of a tablet."""

    id: int
    display_name: str
    is_locked: bool
    is_here: bool


# Asked of each request: a text that is made once costs a tenth of one that the ORM makes anew.
_ENROLLED = """FROM people_device JOIN rooms_place ON rooms_place.id = people_device.place_id
    JOIN rooms_room ON rooms_room.id = people_device.room_id
    LEFT JOIN people_staff ON people_staff.id = people_device.signed_in_id
    WHERE people_device.token_hash = %s AND people_device.revoked_at IS NULL"""
_LIVING = """FROM people_apitoken JOIN rooms_room ON rooms_room.id = people_apitoken.room_id
    LEFT JOIN people_device ON people_device.id = people_apitoken.device_id
    LEFT JOIN rooms_place ON rooms_place.id = people_device.place_id
    LEFT JOIN people_staff ON people_staff.id = COALESCE(people_apitoken.staff_id, people_device.signed_in_id)
    WHERE people_apitoken.token_hash = %s AND people_apitoken.ends_at > %s AND people_apitoken.revoked_at IS NULL
    AND people_device.revoked_at IS NULL AND (people_apitoken.staff_id IS NOT NULL OR people_apitoken.made_by_id IN
        (SELECT manager.id FROM people_staff AS manager WHERE manager.is_active AND manager.roles @> %s::varchar[]))"""
_WORKS_HERE = """FROM people_staff JOIN rooms_room ON rooms_room.id = people_staff.room_id
    WHERE people_staff.id = %s AND people_staff.is_active"""


def the_room(slug: str = "") -> Room | None:
    """Return the room of that name, or the house's first one: who comes along without a sign-in names none."""
    rooms = Room.objects.order_by("id")
    return (rooms.filter(slug=slug) if slug else rooms).first()


def naming_room(url: str, room: Room | None) -> str:
    """Return an address of ours that anybody opens, which names the room unless it is the house's first. One query."""
    if room is None or room == the_room():
        return url
    return f"{url}?{urlencode({'room': room.slug})}"


def device_by_token(token: str) -> Device | None:
    """Return the enrolled device that holds this token, with place, room and who is signed in. One query."""
    for device, place, room, staff in read_joined((Device, Place, Room, Staff), _ENROLLED, digest(token)):
        relate(device, place=place, room=room, signed_in=staff)
        return cast(Device, device)
    return None


def api_token(token: str, *, at: datetime) -> ApiToken | None:
    """
    Return the living API token, with its room, its person, its device and who is signed in there. One query.

    A device's own lives as long as who made it is a manager here: nobody else answers for what it does.
    """
    shapes, values = (ApiToken, Room, Device, Place, Staff), (digest(token), at, [Role.MANAGER.value])
    for living, room, device, place, staff in read_joined(shapes, _LIVING, *values):
        if device is not None:
            relate(device, room=room, place=place)
            if living.staff_id is None:
                relate(device, signed_in=staff)
        relate(living, room=room, device=device, staff=staff if living.staff_id else None)
        return cast(ApiToken, living)
    return None


def person_of_session(staff_id: int) -> Staff | None:
    """Return who signed in at a desktop, with the room; who left or was sent away is nobody. One query."""
    for staff, room in read_joined((Staff, Room), _WORKS_HERE, staff_id):
        relate(staff, room=room)
        return cast(Staff, staff)
    return None


def anyone_in(room: Room) -> Actor:
    """Return the actor for somebody who is not signed in."""
    return Actor(room_id=room.pk, staff_id=None, may=may_of(()))


def actor_at_desktop(staff: Staff) -> Actor:
    """Return the actor for a person who signed in with a password; one that another set opens only its change."""
    may = may_until_changed() if staff.is_password_to_be_changed else may_of(staff.roles)
    return Actor(room_id=staff.room_id, staff_id=staff.pk, may=may)


def actor_on_device(device: Device, *, staff: Staff | None, roles: Iterable[str] | None = None) -> Actor:
    """
    Return the actor for a device and who is signed in on it (`staff`; None: the device by itself).

    `device` comes with its place. `roles` narrows the person's own (an API token's).
    """
    held = set(staff.roles) if staff and staff.is_active else set()
    if roles is not None:
        held &= set(roles)
    return Actor(
        room_id=device.room_id,
        staff_id=staff.pk if staff and staff.is_active else None,
        device_id=device.pk,
        may=may_of(held, device.place.kind),
        place=(device.place.kind, device.place.number),
    )


def actor_of_token(token: ApiToken) -> Actor:
    """
    Return the actor for an API token: never more than its roles, its person and its device's place allow.

    Off shift a person's dealer's and cashier's roles rest, as their password then opens no desktop.
    """
    staff = token.staff or (token.device.signed_in if token.device else None)
    roles = set(token.roles)
    if staff is not None and not staff.is_on_shift:
        roles -= SHIFT_ROLES
    if token.device:
        actor = actor_on_device(token.device, staff=staff, roles=roles)
    else:
        assert staff is not None, "a token belongs to a person or a device"
        held = set(staff.roles) & roles if staff.is_active else set()
        actor = Actor(room_id=token.room_id, staff_id=staff.pk, may=may_of(held))
    return replace(actor, may=actor.may - NEVER_BY_TOKEN, token_id=token.pk)


def people_to_sign_in(device: Device) -> list[PersonToSignIn]:
    """Return who may sign in on this device now: on shift, with a PIN and a role that counts there. By name."""
    counts = [role.value for role in ROLES_AT[device.place.kind]]
    on_shift = Staff.objects.filter(room_id=device.room_id, is_on_shift=True, is_active=True, roles__overlap=counts)
    with_pin = on_shift.exclude(pin="").order_by("display_name", "id")
    return [
        PersonToSignIn(staff.pk, staff.display_name, staff.locked_at is not None, staff.pk == device.signed_in_id)
        for staff in with_pin
    ]


_by_number: ContextVar[bool] = ContextVar("by_number", default=False)


@contextmanager
def people_by_number() -> Iterator[None]:
    """
    Have everybody be called by their number, for as long as what outlives a name is written.

    Whoever calls people by what `staff_names` and `nicknames` return need not know that it is so.
    """
    token = _by_number.set(True)
    try:
        yield
    finally:
        _by_number.reset(token)


def staff_names(ids: Iterable[int], **of: int) -> dict[int, str]:
    """Return display names by staff id; with `room_id` those of one room alone. One query."""
    if _by_number.get():
        return {each: str(each) for each in ids}
    return dict(Staff.objects.filter(id__in=set(ids), **of).values_list("id", "display_name"))


# The commands that sign under another's. Apps whose second person signs by a command of their own add it.
SIGNATURES = {"people.sign_second"}


def prepared_signatures(room_id: int) -> int:
    """Return how many of the night's signatures stand although one person could be both who signed."""
    tonight = Event.objects.filter(room_id=room_id, id__gt=night_began_after(room_id))
    signed = tonight.filter(name__in=SIGNATURES, result=DONE)
    return signed.filter(text__contains='"prepared":true').count()


def token_names(ids: Iterable[int], *, room_id: int) -> dict[int, str]:
    """Return the names of a room's tokens by id, ended ones too. One query."""
    return dict(ApiToken.objects.filter(id__in=set(ids), room_id=room_id).values_list("id", "name"))


def device_names(ids: Iterable[int], **of: int) -> dict[int, str]:
    """Return devices' names by id; with `room_id` those of one room alone. One query."""
    return dict(Device.objects.filter(id__in=set(ids), **of).values_list("id", "name"))


def nicknames(ids: Iterable[int], **of: int) -> dict[int, str]:
    """Return nicknames by player id; with `room_id` those of one room alone. One query."""
    if _by_number.get():
        return {each: str(each) for each in ids}
    return dict(Player.objects.filter(id__in=set(ids), **of).values_list("id", "nickname"))


def staff_of(room_id: int) -> list[Staff]:
    """Return everybody who works here, by name, those who left last; who was erased is nobody any more."""
    return list(Staff.objects.filter(room_id=room_id, erased_at=None).order_by("-is_active", "display_name", "id"))


def find_players(room_id: int, text: str, *, by_full_name: bool = False, limit: int = 12) -> list[Player]:
    """
    Return players whose nickname holds `text`, by nickname.

    `by_full_name`: or whose full name does. For those alone who may read full names: finding tells one.
    """
    players = Player.objects.filter(room_id=room_id, erased_at=None, merged_into=None)
    text = tidy(text)
    if text:
        matches = Q(nickname__icontains=text)
        players = players.filter(matches | Q(full_name__icontains=text) if by_full_name else matches)
    return list(players.order_by("nickname", "id")[:limit])


def devices_of(room_id: int) -> list[Device]:
    """Return the enrolled devices with place and who is signed in, by place."""
    devices = Device.objects.select_related("place", "signed_in").filter(room_id=room_id, revoked_at=None)
    return list(devices.order_by("place__kind", "place__number", "name", "id"))


def open_codes(room_id: int, *, at: datetime) -> list[EnrolmentCode]:
    """Return codes that still enrol a device."""
    codes = EnrolmentCode.objects.select_related("place").filter(room_id=room_id, used_at=None, expires_at__gt=at)
    return list(codes.order_by("expires_at", "id"))


def code_is_open(room_id: int, code: str, *, at: datetime) -> bool:
    """Tell whether a typed code would enrol a device now."""
    codes = EnrolmentCode.objects.filter(room_id=room_id, code_hash=code_digest(code), used_at=None)
    return codes.filter(expires_at__gt=at).exists()


def api_tokens_of(room_id: int, *, at: datetime) -> list[ApiToken]:
    """Return the living API tokens with their person and device, by name."""
    tokens = ApiToken.objects.select_related("staff", "device").filter(room_id=room_id, revoked_at=None)
    return list(tokens.filter(ends_at__gt=at).order_by("name", "id"))
