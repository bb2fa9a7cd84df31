"""Somebody begins to deal at an open table: its rack is taken over, and the tip box of before hangs on or does not."""

from typing import TYPE_CHECKING

from casino.simulation.behaviours.racks import rack_pushed
from casino.simulation.behaviours.tips_own import tips_pushed

if TYPE_CHECKING:
    from casino.simulation.night import Night
    from casino.simulation.table import Table


def pushed(night: "Night", table: "Table") -> None:
    """A dealer has signed in at a table that runs, or it was opened under them."""
    tips_pushed(night, table)
    rack_pushed(night, table)
