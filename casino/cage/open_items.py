"""
What is open when a gaming day closes: what must be finished before, and what a manager may leave by their word.

Other apps add theirs from their AppConfig (`tables`: tables that are still open, what the floor has yet to judge).
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.cage.models import Doubt, DrawerSession, Slip
from casino.cage.models_fills import FillSlip


@dataclass(frozen=True)
class OpenItems:
    """
    One kind of thing that keeps a day open: its label with %(number)s, and which numbers are open in a room.

    `may_be_left`: the day may close over it, where the manager says so of each.
    """

    kind: str
    label: str | Promise
    numbers: Callable[[int], list[int]]
    may_be_left: bool = False


_kinds: dict[str, OpenItems] = {}


def register(items: OpenItems) -> None:
    """Add a kind of thing that keeps a day open."""
    assert items.kind not in _kinds, f"{items.kind} is registered twice"
    _kinds[items.kind] = items


def still_open(room_id: int) -> list[tuple[str, int]]:
    """Return (kind, number) of all that must be finished before the room's day closes. One query for each kind."""
    return _open(room_id, may_be_left=False)


def left_by_word(room_id: int) -> list[tuple[str, int]]:
    """Return (kind, number) of all that the day closes over by a manager's word alone. A query or so for each kind."""
    return _open(room_id, may_be_left=True)


def _open(room_id: int, *, may_be_left: bool) -> list[tuple[str, int]]:
    kinds = ((kind, items) for kind, items in _kinds.items() if items.may_be_left == may_be_left)
    return [(kind, number) for kind, items in kinds for number in items.numbers(room_id)]


def word(kind: str, number: int) -> str:
    """Return what a manager says to leave it: "doubt.1"."""
    return f"{kind}.{number}"


def label(kind: str, number: int) -> str:
    """Return what people call it ("drawer 1"), in the active language."""
    return str(_kinds[kind].label) % {"number": number}


def _drawers(room_id: int) -> list[int]:
    found = DrawerSession.objects.filter(drawer__room_id=room_id, closed_at=None)
    return list(found.order_by("drawer__number").values_list("drawer__number", flat=True))


def _slips(room_id: int) -> list[int]:
    # A prize waits for whoever won it, however long that is.
    found = Slip.objects.filter(room_id=room_id, status=Slip.Status.REQUESTED).exclude(kind=Slip.Kind.PRIZE)
    return list(found.order_by("id").values_list("id", flat=True))


def _fills(room_id: int) -> list[int]:
    found = FillSlip.objects.filter(FillSlip.OPEN, room_id=room_id)
    return list(found.order_by("number").values_list("number", flat=True))


def _fills_unjudged(room_id: int) -> list[int]:
    found = FillSlip.objects.filter(room_id=room_id, unjudged=True)
    return list(found.order_by("number").values_list("number", flat=True))


def _doubts(room_id: int) -> list[int]:
    found = Doubt.objects.filter(room_id=room_id, judged_at=None).order_by("drawer__number")
    return list(found.values_list("drawer__number", flat=True).distinct())


register(OpenItems("drawer", _("drawer %(number)s"), _drawers))
register(OpenItems("request", _("request %(number)s"), _slips))
register(OpenItems("fill", _("fill slip %(number)s"), _fills))
register(OpenItems("fill_differs", _("what differs on fill slip %(number)s"), _fills_unjudged, may_be_left=True))
register(OpenItems("doubt", _("what the floor has to judge of drawer %(number)s"), _doubts, may_be_left=True))
