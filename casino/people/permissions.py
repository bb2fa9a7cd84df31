"""
Who may do what: what HTML views, REST and sockets obey, gathered from what each app declares.

A name stands for a command ("people.add_staff", the service's own name), a page ("page.people"), a
socket's audience ("audience.cage") or a REST reading ("read.ledger"). Each app declares its own in
its `allows.py`. `tests/doors/test_matrix.py` walks every route, audience and service against every role and
fails on one that nobody declared.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache

from casino.rooms.models import Place


class Role(StrEnum):
    """What a person holds; below them, who stands at a door without being a person."""

    MANAGER = "manager"
    FLOOR = "floor"
    DEALER = "dealer"
    CASHIER = "cashier"
    AUDITOR = "auditor"
    # Who sees what stands out, by person: nobody else does.
    COMPLIANCE = "compliance"

    # An enrolled tablet of a table, whoever is signed in on it or nobody: its state stays readable.
    TABLE = "table"
    # A television: nobody ever signs in there.
    DISPLAY = "display"
    # Any enrolled device, and whoever comes along without a sign-in.
    DEVICE = "device"
    ANYONE = "anyone"
    # A guest's phone, by the pass that the floor gave: it acts for that guest alone.
    GUEST = "guest"
    # Nobody at all: what is due by itself.
    TIME = "time"


STAFF_ROLES = (Role.MANAGER, Role.FLOOR, Role.DEALER, Role.CASHIER, Role.AUDITOR, Role.COMPLIANCE)

# Whose work is their shift. The floor comes before it, to start it.
SHIFT_ROLES = frozenset({Role.DEALER, Role.CASHIER})

# What apps declare with.
MANAGER = frozenset({Role.MANAGER})
FLOOR = frozenset({Role.FLOOR, Role.MANAGER})
DEALER = frozenset({Role.DEALER, Role.FLOOR, Role.MANAGER})
CASHIER = frozenset({Role.CASHIER, Role.MANAGER})
BOOKS = frozenset({Role.MANAGER, Role.AUDITOR})
COMPLIANCE = frozenset({Role.COMPLIANCE})
STAFF = frozenset(STAFF_ROLES)
DEVICE = frozenset({Role.DEVICE})
GUEST = frozenset({Role.GUEST})
TIME = frozenset({Role.TIME})
PUBLIC = frozenset({Role.ANYONE})

MAY: dict[str, frozenset[Role]] = {}
# What a table's tablet queues while it has no connection: facts of its own table, and so the only taps that may come
# under a sign-in that has ended (`casino.people.earlier`).
QUEUED: set[str] = set()
# What takes a person at a screen: no program signs, makes tokens of other programs, or opens a door to anybody. A
# person, a role, a PIN or a device that it gave would outlive the token's own end.
NEVER_BY_TOKEN: set[str] = set()
# What a table's tablet may show, whoever is signed in on it: players read it from 60 cm away.
_SHOWN_AT_TABLES: set[str] = set()


def allow(
    may: Mapping[str, frozenset[Role]],
    *,
    queued: Iterable[str] = (),
    never_by_token: Iterable[str] = (),
    shown_at_tables: Iterable[str] = (),
) -> None:
    """
    Declare who may do what; each app does so in its own `allows.py`, which is found by its name.

    `queued`: also as a tap that waited on a table's tablet. `never_by_token`: only a person at a screen.
    `shown_at_tables`: what a table's tablet may show.
    """
    assert not may.keys() & MAY.keys(), f"declared twice: {sorted(may.keys() & MAY.keys())}"
    MAY.update(may)
    QUEUED.update(queued)
    NEVER_BY_TOKEN.update(never_by_token)
    _SHOWN_AT_TABLES.update(shown_at_tables)
    # Whatever was asked before this app declared would else be refused for good.
    _may_of.cache_clear()


# What a password that somebody else set opens: the change of it.
_TO_CHANGE_IT = frozenset({"page.my_sign_in", "page.sign_out", "people.sign_out", "people.change_own_password"})

# Which of a person's roles count on a device at such a place: a manager who wants to rule at a table
# holds the floor's role too, and nobody opens the books on a tablet that players can read.
ROLES_AT: dict[str, frozenset[Role]] = {
    Place.Kind.TABLE: frozenset({Role.DEALER, Role.FLOOR}),
    Place.Kind.FLOOR: frozenset({Role.FLOOR, Role.MANAGER}),
    Place.Kind.CAGE: frozenset({Role.CASHIER, Role.MANAGER}),
    Place.Kind.DISPLAY: frozenset(),
}
_DEVICE_ROLES: dict[str, frozenset[Role]] = {
    Place.Kind.TABLE: frozenset({Role.TABLE, Role.DEVICE}),
    Place.Kind.FLOOR: DEVICE,
    Place.Kind.CAGE: DEVICE,
    Place.Kind.DISPLAY: frozenset({Role.DISPLAY, Role.DEVICE}),
}


def may_of(roles: Iterable[str], device_kind: str | None = None) -> frozenset[str]:
    """
    Return every name that somebody with these roles may use, at a desktop or on a device at such a place.

    `device_kind` is a `Place.Kind`, or None at a desktop. No roles: what anyone may, or the device by itself.
    """
    return _may_of(frozenset(roles), device_kind)


# A few sets of roles, for each tap.
@lru_cache(maxsize=256)
def _may_of(roles: frozenset[str], device_kind: str | None) -> frozenset[str]:
    held = {Role(role) for role in roles}
    if device_kind is not None:
        held = (held & ROLES_AT[device_kind]) | _DEVICE_ROLES[device_kind]
    held.add(Role.ANYONE)
    names = frozenset(name for name, allowed in MAY.items() if allowed & held)
    if device_kind == Place.Kind.TABLE:
        shows = {name for name in names if name.startswith(("page.", "audience.", "read."))}
        names -= shows - _SHOWN_AT_TABLES
    return names


def may_until_changed() -> frozenset[str]:
    """Return every name that somebody may use whose password was set by somebody else."""
    return may_of(()) | _TO_CHANGE_IT


def must_change_password(may: frozenset[str]) -> bool:
    """Tell whether this is somebody who may do nothing here before they have a password of their own."""
    return "people.change_own_password" in may and "people.change_own_pin" not in may
