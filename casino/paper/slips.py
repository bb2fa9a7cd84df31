"""
Chips that the cage sold while Brush was down: the money is taken, and the cashier says so of each slip on paper.

The catching up has put those chips on the table out of players' hands, and confirming the slip puts them there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from casino.cage.about import About, AtSeat
from casino.cage.deliveries import Hands
from casino.cage.models import Slip
from casino.paper.entered import ChipLine
from casino.paper.errors import BuyInWaits
from tables.models import Seating

DESTINATION = "paper"


@dataclass(frozen=True, kw_only=True)
class OnPaper(About):
    """
    Where chips went that were sold on paper: table and seat by their numbers, the sheet that was caught up, the slip's
    own number on paper ("" where it had none), and how it was paid.
    """

    table_number: int
    seat_number: int
    sheet: int
    paper: str = ""
    method: str = ""


def check_none_waits(lines: Iterable[ChipLine], sitting: Mapping[int, Seating]) -> None:
    """
    Ask whether what was sold on paper waits at the cage as a request of the same seat; `sitting` is by seat. One query.

    :raises BuyInWaits: one does.
    """
    sold: dict[int, ChipLine] = {}
    for line in lines:
        there = sitting.get(line.seat_number)
        if line.paid and line.chips_cents and there and line.player_id in (None, there.player_id):
            sold.setdefault(there.pk, line)
    if not sold:
        return
    waiting = {"kind": Slip.Kind.BUY_IN, "status": Slip.Status.REQUESTED}
    room_id = sitting[next(iter(sitting))].room_id
    slip = Slip.objects.filter(AtSeat.of_seatings(sold), room_id=room_id, **waiting).order_by("id").first()
    if slip is not None and slip.seat is not None:
        line = sold[slip.seat.seating]
        raise BuyInWaits(line=line.number, seat_number=line.seat_number)


class PaidOnPaper(Hands):
    """Players' hands, as over the counter: nothing is refused of what was sold."""

    was_paid = True

    def label(self, slip: Slip) -> str:
        """Return "Table 4, seat 3: paid on paper, no. 12"."""
        about = OnPaper.from_json(slip.about)
        where: dict[str, Any] = {"table": about.table_number, "seat": about.seat_number, "slip": about.paper}
        if about.paper:
            return _("Table %(table)s, seat %(seat)s: paid on paper, no. %(slip)s") % where
        return _("Table %(table)s, seat %(seat)s: paid on paper") % where

    def paid_by(self, slip: Slip) -> str:
        """Return the means that stands on paper."""
        return OnPaper.from_json(slip.about).method
