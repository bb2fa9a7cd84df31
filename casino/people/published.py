"""
Secrets that everybody may read: the demo people's stand in the README.

They are for trying Brush on one's own machine: a house that others reach is not served while one of them opens a door.
"""

from dataclasses import dataclass
from functools import lru_cache

from casino.people.models import Staff
from casino.people.permissions import Role
from casino.people.secrets import password_agrees, pin_agrees


@dataclass(frozen=True)
class DemoPerson:
    """Somebody who works in the demo room, with the secrets that everybody may know."""

    username: str
    display_name: str
    roles: tuple[Role, ...]
    pin: str

    @property
    def password(self) -> str:
        """Return the password for the desktop: "mari-at-brush"."""
        return f"{self.username}-at-brush"


STAFF = (
    DemoPerson("mari", "Mari", (Role.MANAGER, Role.FLOOR), "1357"),
    DemoPerson("frans", "Frans", (Role.FLOOR,), "2468"),
    DemoPerson("anna", "Anna", (Role.DEALER,), "1212"),
    DemoPerson("dan", "Dan", (Role.DEALER,), "3434"),
    DemoPerson("carla", "Carla", (Role.CASHIER,), "5656"),
    DemoPerson("olavi", "Olavi", (Role.AUDITOR,), "7878"),
)


def why_not_to_open() -> str:
    """Return who can still be signed in as by whoever read the README, and what to do, in a sentence; "" for nobody."""
    names = who_has_published_secrets()
    if not names:
        return ""
    return (
        f"The README publishes the passwords and PINs of {', '.join(names)}, and they still open doors here: give "
        "everybody others at /people/ while only this machine reaches the house (make run, without BRUSH_HTTPS, "
        "BRUSH_HOST and BRUSH_ALLOWED_HOSTS), or begin with an empty house (BRUSH_DATA_DIR=/a/new/folder, "
        "or a new database) and manage.py open_room."
    )


def is_published(username: str, secret: str) -> bool:
    """Tell whether the README has this PIN or password for that name."""
    return any(secret in (person.pin, person.password) for person in STAFF if person.username == username)


def who_has_published_secrets() -> list[str]:
    """Return the user names, in any room, of the demo's people whose password or PIN is still the published one."""
    published = {person.username: person for person in STAFF}
    here = Staff.objects.filter(username__in=published, is_active=True).order_by("username", "id")
    return list(
        dict.fromkeys(
            staff.username
            for staff in here
            if _opens_password(published[staff.username].password, staff.password)
            or _opens_pin(published[staff.username].pin, staff.pin)
        )
    )


# Asked again and again by a house that is open to others: what has not changed is not hashed again.


@lru_cache(maxsize=256)
def _opens_password(password: str, kept: str) -> bool:
    return password_agrees(password, kept)


@lru_cache(maxsize=256)
def _opens_pin(pin: str, kept: str) -> bool:
    return bool(kept) and pin_agrees(pin, kept)
