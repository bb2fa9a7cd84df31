"""Where everybody works: the pages that somebody may open, and the one that is theirs first."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise

from casino.commands.carrying_out import Actor
from casino.people.permissions import MAY, PUBLIC, must_change_password


@dataclass(frozen=True)
class Desk:
    """
    One screen of the house: its address, what it is called, and the permission it takes.

    The lowest `rank` is somebody's first screen. `first_at`: the kind of place (`Place.Kind`) whose tablet shows it
    first, at `own` with the place's number where each has one of its own; `is_for_nobody`: also with nobody signed in.
    `instead_of` names the permission of a desk that leads here too: whoever holds that one needs no second.
    `beside`: where else its pages lie, that it leads to.
    """

    permission: str
    path: str
    name: str | Promise
    rank: int
    first_at: str = ""
    own: str = ""
    is_for_nobody: bool = False
    instead_of: str = ""
    beside: str = ""


_desks: list[Desk] = []


def add_desk(desk: Desk) -> None:
    """Make a desk known; each app does so in its `allows.py`."""
    assert all(other.rank != desk.rank for other in _desks), f"two desks have rank {desk.rank}"
    _desks.append(desk)
    _desks.sort(key=lambda each: each.rank)


def desks_of(actor: Actor | None) -> list[Desk]:
    """Return the screens that somebody may open, their first one first."""
    may: Iterable[str] = actor.may if actor else ()
    return [desk for desk in _desks if desk.permission in may and desk.instead_of not in may]


def public_desk() -> Desk | None:
    """Return the first screen that whoever comes along may open, None where no app has one: the lobby's wall."""
    return next((desk for desk in _desks if MAY[desk.permission] >= PUBLIC), None)


def desk_here(path: str, desks: Iterable[Desk]) -> str:
    """Return the address of that of these desks to which a page belongs: "/cage/" for "/cage/slips/7/"; "" for none."""
    lies = [(at, desk.path) for desk in desks for at in (desk.path, desk.beside) if at and path.startswith(at)]
    return max(lies, key=lambda each: len(each[0]), default=("", ""))[1]


def home_of(actor: Actor | None) -> str:
    """Return the address where somebody's work is: a tablet's own screen, or the first desk of their roles."""
    if actor is None:
        return "/sign-in/"
    if actor.place is not None:
        return home_at(*actor.place, is_signed_in=actor.staff_id is not None)
    if must_change_password(actor.may):
        return "/my-sign-in/"
    # Whoever has no desk of their own is shown the lobby, which is everybody's.
    return desks_of(actor)[0].path


def home_at(kind: str, number: int, *, is_signed_in: bool) -> str:
    """Return the address of a tablet's own screen; a table's state stays readable with nobody signed in."""
    first = next((desk for desk in _desks if desk.first_at == kind), None)
    if first is None or not (is_signed_in or first.is_for_nobody):
        return "/door/"
    return first.own.format(number=number) if first.own else first.path
