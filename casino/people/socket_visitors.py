"""Who opens a socket: the same people and devices as those of pages and calls."""

from dataclasses import replace
from importlib import import_module

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.utils.crypto import constant_time_compare

from casino.commands.carrying_out import Actor
from casino.live.audiences import Scope, Visitor, cookies_of
from casino.people.middleware import DEVICE_COOKIE
from casino.people.models import PlayerPass, Staff
from casino.people.passes import PASS_COOKIE, pass_by_key
from casino.people.selectors import actor_at_desktop, actor_on_device, anyone_in, device_by_token, the_room


def visitor_of(scope: Scope) -> Visitor | None:
    """
    Return who stands behind a socket, by the device's cookie or else by the session's; else anyone. Sync.

    Whoever holds a player's pass hears that one's page too.
    """
    cookies = cookies_of(scope)
    held = pass_by_key(cookies.get(PASS_COOKIE, ""))
    visitor = _visitor_by(cookies, held)
    if visitor is None or held is None or held.room_id != visitor.room_id:
        return visitor
    return replace(visitor, own=frozenset({held.audience}))


def _visitor_by(cookies: dict[str, str], held: PlayerPass | None) -> Visitor | None:
    token = cookies.get(DEVICE_COOKIE)
    device = device_by_token(token) if token else None
    if device is not None:
        return _visitor(actor_on_device(device, staff=device.signed_in))
    staff = _staff_of_session(cookies.get(settings.SESSION_COOKIE_NAME))
    if staff is not None:
        return _visitor(actor_at_desktop(staff))
    room = held.room if held else the_room()
    return _visitor(anyone_in(room)) if room else None


def _visitor(actor: Actor) -> Visitor:
    return Visitor(
        room_id=actor.room_id,
        may=actor.may,
        place=actor.place,
        device_id=actor.device_id,
        staff_id=actor.staff_id,
    )


def _staff_of_session(session_key: str | None) -> Staff | None:
    # No text of PostgreSQL's holds a NUL: asked for one it would answer with an error.
    if not session_key or "\0" in session_key:
        return None
    session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    staff_id = session.get(SESSION_KEY)
    staff = Staff.objects.filter(pk=staff_id, is_active=True).first() if staff_id else None
    # A changed password and the end of a shift end every session, as Django's own middleware has it.
    if staff is None or not constant_time_compare(session.get(HASH_SESSION_KEY, ""), staff.get_session_auth_hash()):
        return None
    return staff
