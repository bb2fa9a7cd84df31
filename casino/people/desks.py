"""Where everybody works: the pages that somebody may open, and the one that is theirs first."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import Resolver404, resolve
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.commands.frame import Actor
from casino.people.permissions import is_held
from casino.rooms.models import Place


@dataclass(frozen=True)
class Desk:
    """One screen of the house: its address, what it is called, and the permission it takes."""

    permission: str
    path: str
    name: str | Promise


# In the order in which they are somebody's first screen.
DESKS = (
    Desk("page.floor", "/floor/", _("Floor")),
    Desk("page.cage", "/cage/", _("Cage")),
    Desk("page.dealer", "/tables/", _("Tables")),
    Desk("page.day", "/cage/day/", _("Day")),
    Desk("page.ledger", "/ledger/", _("Ledger")),
    Desk("page.audit", "/log/", _("Log")),
    Desk("page.people", "/people/", _("People")),
    Desk("page.books", "/rule-books/", _("Rule book")),
    Desk("page.lobby", "/lobby/", _("Lobby")),
)
_FIRST_AT = {Place.Kind.FLOOR: "/floor/", Place.Kind.CAGE: "/cage/", Place.Kind.DISPLAY: "/lobby/"}


def desks_of(actor: Actor | None) -> list[Desk]:
    """Return the screens that somebody may open, their first one first."""
    may: Iterable[str] = actor.may if actor else ()
    return [desk for desk in DESKS if desk.permission in may and _is_there(desk.path)]


def desk_here(path: str) -> str:
    """Return the address of the desk to which a page belongs: "/cage/" for "/cage/slips/7/"; "" for none."""
    return max((desk.path for desk in DESKS if path.startswith(desk.path)), key=len, default="")


def home_of(actor: Actor | None) -> str:
    """Return the address where somebody's work is: a tablet's own screen, or the first desk of their roles."""
    if actor is None:
        return "/sign-in/"
    if actor.place is not None:
        return home_at(*actor.place, is_signed_in=actor.staff_id is not None)
    if is_held(actor.may):
        return "/my-sign-in/"
    desks = desks_of(actor)
    return desks[0].path if desks else "/sign-in/"


def home_at(kind: str, number: int, *, is_signed_in: bool) -> str:
    """Return the address of a tablet's own screen."""
    if kind == Place.Kind.TABLE:
        # Also with nobody signed in: the table's state stays readable, and its page has the PIN pad.
        own = f"/tables/{number}/"
        return own if _is_there(own) else "/door/"
    first = _FIRST_AT[Place.Kind(kind)]
    needs_person = kind != Place.Kind.DISPLAY
    return "/door/" if (needs_person and not is_signed_in) or not _is_there(first) else first


def _is_there(path: str) -> bool:
    try:
        resolve(path)
    except Resolver404:
        return False
    return True
