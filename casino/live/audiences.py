"""
Who may hear what: every audience that the house knows, and who tells its sockets' visitors.

An audience is who may see one fragment: "floor", "lobby", "table.4.dealer". Apps register theirs in
`push.py`; the app that knows people sets the authenticator. Joining is where permission is decided, so
a fragment is rendered once for everybody who hears it and says nothing about any one of them.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from casino.live.areas import Area

_PARAMETER = re.compile(r"\\\{(\w+)\\\}")


@dataclass(frozen=True)
class Audience:
    """
    A kind of audience, and how its fragment is made.

    `pattern` is the name within the room and may hold whole numbers: "table.{number}.dealer".
    `render(room_id=..., number=...)` returns the fragment's HTML in the active language. It reads rows
    and nothing else: moments stand in it as data attributes, never as elapsed time, and neither a
    token nor a viewer's name or permission. `page` is the address of a page that includes it (for
    people and tests, "/tables/{number}/"); empty when there is none of its own.

    `hears` are the news that change what it shows, told by apps below that do not know it: "people.players", or
    "doors.table.{number}" with numbers of its own name. It hears the news of the areas that it `shows`, too.

    `read_ahead(room_id=..., shown=[{"number": 4}, ...])` is called where several of this kind are rendered from one
    snapshot, before the first of them: it reads for all of them together, so that none asks for itself.

    To join, a visitor needs the permission "audience.<name>".
    """

    name: str
    pattern: str
    render: Callable[..., str]
    page: str = ""
    hears: tuple[str, ...] = ()
    shows: "tuple[Area[Any], ...]" = ()
    read_ahead: Callable[..., None] | None = None

    @property
    def permission(self) -> str:
        return f"audience.{self.name}"


@lru_cache
def _shape(pattern: str) -> re.Pattern[str]:
    # No zero in front and nine digits at most: one audience has one name, and its number fits the database's integers.
    return re.compile(_PARAMETER.sub(r"(?P<\1>[1-9][0-9]{0,8})", re.escape(pattern)))


def _numbers(pattern: str) -> set[str]:
    return {found[1] for found in _PARAMETER.finditer(re.escape(pattern))}


@dataclass(frozen=True)
class NamedAudience:
    """One audience by its full name: the kind it is of, and the numbers in its name."""

    audience: Audience
    params: Mapping[str, int]

    @property
    def place(self) -> tuple[str, int] | None:
        """Return the place this audience belongs to: ("table", 4) for "table.4.dealer", None for "floor"."""
        kind, _, rest = self.audience.pattern.partition(".")
        number = re.match(r"\{(\w+)\}", rest)
        return (kind, self.params[number[1]]) if number else None


@dataclass(frozen=True)
class Visitor:
    """
    Who opens a socket: a device by its cookie, or a person by the session.

    `may` holds permissions by name, as `Actor.may` does. A device that stands at a place hears, of the
    audiences that belong to that kind of place, only its own. `own` are audiences by their full names that
    this visitor hears whatever else they may (a player's pass). `language` is used when the page did not
    say in which language it was rendered.
    """

    room_id: int
    may: frozenset[str] = frozenset()
    place: tuple[str, int] | None = None
    language: str = ""
    device_id: int | None = None
    staff_id: int | None = None
    own: frozenset[str] = frozenset()


Scope = dict[str, Any]
Authenticator = Callable[[Scope], "Visitor | Awaitable[Visitor | None] | None"]

_audiences: dict[str, tuple[re.Pattern[str], Audience]] = {}
_authenticator: Authenticator | None = None


def register(audience: Audience) -> None:
    """
    Make an audience known; apps call this in their `push.py`.

    An error in the code is the same name twice, and news that do not say for which numbers of its name they are.
    """
    numbers = _numbers(audience.pattern)
    for news in (*audience.hears, *(news for area in audience.shows for news in area.news)):
        assert numbers <= _numbers(news), f"{news} does not say for which {audience.pattern}"
    known = _audiences.get(audience.name)
    assert known is None or known[1].pattern == audience.pattern, f"two audiences are named {audience.name}"
    _audiences[audience.name] = (_shape(audience.pattern), audience)
    # Whatever was asked before this audience was known would else never be heard by it.
    heard_by.cache_clear()


# Four times a tap, of a few names a table.
@lru_cache(maxsize=4096)
def heard_by(name: str) -> tuple[str, ...]:
    """
    Return the audiences, by their full names, that are to look again.

    `name` is an audience's own name, or news; any number of others hear it, and what nobody hears is nobody's.
    """
    heard = [name] if find(name) is not None else []
    for audience in all_audiences().values():
        for news in (*audience.hears, *(news for area in audience.shows for news in area.news)):
            if match := _shape(news).fullmatch(name):
                heard.append(audience.pattern.format(**match.groupdict()))
    return tuple(dict.fromkeys(heard))


def all_audiences() -> dict[str, Audience]:
    """Return every registered audience by its name."""
    return {name: audience for name, (_, audience) in _audiences.items()}


def find(full_name: str) -> NamedAudience | None:
    """Return what "table.4.dealer" names, or None when no audience is called so."""
    for shape, audience in _audiences.values():
        if match := shape.fullmatch(full_name):
            return NamedAudience(audience, {key: int(value) for key, value in match.groupdict().items()})
    return None


def may_join(visitor: Visitor, full_name: str) -> bool:
    """Say whether this visitor may hear this audience. An unknown audience may be heard by nobody."""
    joined = find(full_name)
    if joined is not None and full_name in visitor.own:
        return True
    if joined is None or joined.audience.permission not in visitor.may:
        return False
    if visitor.place is None or joined.place is None or visitor.place[0] != joined.place[0]:
        return True
    return visitor.place == joined.place


def set_authenticator(authenticator: Authenticator) -> None:
    """
    Set who answers for visitors: from a socket's ASGI scope to a `Visitor`, or None for nobody we know.

    A plain function runs in a thread with a database connection of its own; a coroutine function runs in
    the event loop. It looks at the cookies and nothing else, so sockets with the same ones are asked for once.
    It is asked again every half minute, so whoever was revoked is out even if the notice of it was lost.
    """
    global _authenticator
    _authenticator = authenticator


def authenticator() -> Authenticator | None:
    """Return who answers for visitors, None while nobody does (then every socket is refused)."""
    return _authenticator


def cookies_of(scope: Scope) -> dict[str, str]:
    """Return the cookies of a socket's opening request, for authenticators."""
    cookies: dict[str, str] = {}
    for name, value in scope.get("headers", ()):
        if name == b"cookie":
            try:
                jar = SimpleCookie(value.decode("latin1"))
            except CookieError:
                continue
            cookies.update({key: morsel.value for key, morsel in jar.items()})
    return cookies
