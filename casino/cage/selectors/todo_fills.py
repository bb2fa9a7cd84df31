"""What fill slips leave to the floor: to be authorised, too long without a runner or with one, and what differs."""

from collections.abc import Iterator
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.cage.labels import KINDS
from casino.cage.models import Drawer
from casino.cage.models_fills import FillSlip
from casino.cage.selectors.fills import Shown
from casino.live.todo import ToDoLine
from casino.money import format_cents, format_difference
from casino.patience import FILL_TAKES
from casino.people.models import Staff
from casino.reading import read_once
from casino.rooms.models import Room
from casino.rooms.selectors import room_of
from casino.rows import read_seldom
from casino.text import isolated

_FILLS = """FROM cage_fillslip LEFT JOIN people_staff ON people_staff.id = cage_fillslip.runner_id
    LEFT JOIN cage_drawer ON cage_drawer.id = cage_fillslip.place_id AND cage_fillslip.place_kind = 'drawer'
    WHERE cage_fillslip.room_id = %s
        AND (cage_fillslip.unjudged OR cage_fillslip.status IN ('requested', 'authorised', 'delivered'))
    ORDER BY cage_fillslip.number"""


def fill_lines(*, room_id: int) -> Iterator[ToDoLine]:
    """
    Yield a line for each slip that waits to be authorised or for a runner, takes long, or differs. One query, and the
    room's.
    """
    room = room_of(room_id)
    for slip, runner, drawer in _slips(room_id):
        shown = Shown(slip, drawer is not None and drawer.is_bank)
        if slip.unjudged:
            yield _differs(room, shown)
        elif slip.status == FillSlip.Status.REQUESTED:
            yield _wished_line(room, shown)
        elif slip.status == FillSlip.Status.AUTHORISED:
            yield _waits(room, shown)
        elif slip.status == FillSlip.Status.DELIVERED:
            yield _long(shown, runner)


@read_once
def _slips(room_id: int) -> list[tuple[FillSlip, Staff | None, Drawer | None]]:
    rows = read_seldom((FillSlip, Staff, Drawer), _FILLS, room_id)
    return [(slip, runner, drawer) for slip, runner, drawer in rows]


def _wished_line(room: Room, shown: Shown) -> ToDoLine:
    slip = shown.slip
    return _line(
        shown,
        key="fill_asked",
        tone="soon",
        text=_("%(kind)s asked for: %(sums)s") % {"kind": KINDS[slip.kind], "sums": _sums(room, slip)},
        reason=_("Somebody else than who asked authorises it. Look whether it is needed."),
    )


def _waits(room: Room, shown: Shown) -> ToDoLine:
    slip = shown.slip
    assert slip.authorised_at is not None
    return _line(
        shown,
        key="fill_waits",
        tone="soon",
        text=_("Fill slip %(number)s waits for a runner: %(sums)s")
        % {"number": slip.number, "sums": _sums(room, slip)},
        reason=_("It is authorised, and nobody carries it. Have it given to a runner, or call it off."),
        shown_from=slip.authorised_at + FILL_TAKES,
    )


def _long(shown: Shown, runner: Staff | None) -> ToDoLine:
    slip = shown.slip
    assert slip.sent_at is not None
    return _line(
        shown,
        key="fill_long",
        tone="soon",
        text=_("%(name)s carries fill slip %(number)s") % {"name": _name(runner), "number": slip.number},
        reason=_("It was not counted where it goes yet. Go and see where it is."),
        shown_from=slip.sent_at + FILL_TAKES,
    )


def _differs(room: Room, shown: Shown) -> ToDoLine:
    slip = shown.slip
    names = (_("Cash"), _("Chips"))
    found = ", ".join(
        f"{name} {format_difference(cents, currency=room.currency, locale=room.locale)}"
        for name, cents in zip(names, slip.differences_cents, strict=True)
        if cents
    )
    return _line(
        shown,
        key="fill_differs",
        tone="wrong",
        text=_("Fill slip %(number)s differs: %(differences)s") % {"number": slip.number, "differences": found},
        reason=_("Ask who gave it, who carried it and who counted it."),
    )


def _line(shown: Shown, *, key: str, tone: str, text: str, reason: str, shown_from: datetime | None = None) -> ToDoLine:
    slip = shown.slip
    return ToDoLine(
        key=f"{key}.{slip.pk}",
        table_number=None,
        urgency=2 if tone == "wrong" else 1,
        tone=tone,
        where=isolated(shown.place),
        text=text,
        reason=reason,
        at=slip.ended_at or slip.sent_at or slip.authorised_at or slip.requested_at,
        how="page",
        address=reverse("cage_fill", args=[slip.pk]),
        label=_("Look"),
        shown_from=shown_from,
    )


def _sums(room: Room, slip: FillSlip) -> str:
    sums = ((_("Cash"), slip.wished_cash_cents), (_("Chips"), slip.wished_chips_cents))
    return ", ".join(
        f"{name} {format_cents(cents, currency=room.currency, locale=room.locale)}" for name, cents in sums if cents
    )


def _name(runner: Staff | None) -> str:
    return isolated(runner.display_name) if runner is not None else ""
