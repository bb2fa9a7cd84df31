"""
What must be finished before a gaming day closes.

Other apps add theirs from their AppConfig (`tables`: tables that are still open).
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.cage.models import DrawerSession, Slip


@dataclass(frozen=True)
class OpenItems:
    """One kind of thing that keeps a day open: its label with %(number)s, and which numbers are open in a room."""

    kind: str
    label: str | Promise
    numbers: Callable[[int], list[int]]


_kinds: dict[str, OpenItems] = {}


def register(items: OpenItems) -> None:
    """Add a kind of thing that keeps a day open."""
    assert items.kind not in _kinds, f"{items.kind} is registered twice"
    _kinds[items.kind] = items


def still_open(room_id: int) -> list[tuple[str, int]]:
    """Return (kind, number) of everything that keeps the room's day open. One query for each kind."""
    return [(kind, number) for kind, items in _kinds.items() for number in items.numbers(room_id)]


def label(kind: str, number: int) -> str:
    """Return what people call it ("drawer 1"), in the active language."""
    return str(_kinds[kind].label) % {"number": number}


def _drawers(room_id: int) -> list[int]:
    found = DrawerSession.objects.filter(drawer__room_id=room_id, closed_at=None)
    return list(found.order_by("drawer__number").values_list("drawer__number", flat=True))


def _slips(room_id: int) -> list[int]:
    found = Slip.objects.filter(room_id=room_id, status=Slip.Status.REQUESTED)
    return list(found.order_by("id").values_list("id", flat=True))


register(OpenItems("drawer", _("drawer %(number)s"), _drawers))
register(OpenItems("request", _("request %(number)s"), _slips))
