"""
Chips that the cage sold while Brush was down: the money is taken, and the cashier says so of each slip on paper.

The catching up has put those chips on the table out of players' hands, and confirming the slip puts them there.
"""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from casino.cage.about import About
from casino.cage.deliveries import Hands
from casino.cage.models import Slip

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
