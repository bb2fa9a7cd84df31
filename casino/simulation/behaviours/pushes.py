"""What follows as a dealer begins at an open table: the last dealer's tip box goes or stays, and the rack is due."""

from typing import TYPE_CHECKING

from casino.simulation.behaviours.racks import rack_pushed
from casino.simulation.behaviours.tips_own import tips_pushed

if TYPE_CHECKING:
    from casino.simulation.night import Night
    from casino.simulation.table import Table


def pushed(night: "Night", table: "Table") -> None:
    """Play what follows as a dealer signs in at a running table, or a table opens with one: tip box, then rack."""
    tips_pushed(night, table)
    rack_pushed(night, table)
