"""What the cage leaves the floor to judge: sums that cannot be so."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.cage.models import Doubt, Drawer, Slip
from casino.live.todo import Line
from casino.money import format_cents
from casino.reading import read_once
from casino.rooms.models import Room
from casino.rooms.selectors import room_of
from casino.rows import read_joined
from casino.text import isolated

_DOUBTS = """FROM cage_doubt JOIN cage_drawer ON cage_drawer.id = cage_doubt.drawer_id
    LEFT JOIN cage_slip ON cage_slip.id = cage_doubt.slip_id
    WHERE cage_doubt.room_id = %s AND cage_doubt.judged_at IS NULL ORDER BY cage_doubt.raised_at, cage_doubt.id"""


def doubt_lines(*, room_id: int) -> Iterator[Line]:
    """Yield a line for each doubt that nobody has judged yet. One query, and the room's."""
    for doubt in _unjudged(room_id):
        yield _doubt(room_of(room_id), doubt)


@read_once
def _unjudged(room_id: int) -> list[Doubt]:
    found = []
    for doubt, drawer, slip in read_joined((Doubt, Drawer, Slip), _DOUBTS, room_id):
        doubt.drawer, doubt.slip = drawer, slip
        found.append(doubt)
    return found


def _doubt(room: Room, doubt: Doubt) -> Line:
    money = format_cents(doubt.cents, currency=room.currency, locale=room.locale)
    if doubt.slip is not None:
        text = _("Slip %(number)s: %(money)s more came back than was sold") % {
            "number": doubt.slip.number,
            "money": money,
        }
        reason = _("All chips in players’ hands and in play are fewer. Look at those that came, and ask who sold them.")
    else:
        text = _("%(money)s more in chips went out than ever lay there") % {"money": money}
        reason = _("A slip is missing or wrong, or chips were brought without one.")
    return Line(
        key=f"doubt.{doubt.pk}",
        table_number=None,
        urgency=2,
        tone="wrong",
        where=isolated(doubt.drawer.name),
        text=text,
        reason=reason,
        at=doubt.raised_at,
        how="post",
        address=reverse("cage_doubt", args=[doubt.pk]),
        label=_("Seen, it stays as it is"),
    )
