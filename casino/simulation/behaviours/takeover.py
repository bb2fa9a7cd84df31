"""
Another tablet takes over the table of a dead one; hours later the dead one is charged and sends the taps it kept.

By then newer hands are in the log: what comes late is posted and on the floor's to-do, and moves nothing at the table.
"""

from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.pushes import pushed

if TYPE_CHECKING:
    from casino.simulation.night import Night
    from casino.simulation.table import Table


@behaviour("another tablet takes a table over", weight=3, fault="take-over")
def takes_over(night: "Night") -> str | None:
    tables = [table for table in night.open_tables() if table.is_offline and table.waiting and table.hand is None]
    free = night.staff.on_a_break()
    if not tables or not free or not night.instance.takes_codes:
        return None
    table, name = night.rng.choice(tables), night.rng.choice(free)
    table.left_on_dead_tablets.append((night.staff.tablets[table.number], table.waiting))
    night.staff.take_over(table.number, name)
    pushed(night, table)
    table.waiting, table.is_offline = [], False
    table.felt.markers.loses_track()
    return f"table {table.number}, {name}: {len(table.left_on_dead_tablets[-1][1])} taps are on the dead one"


@behaviour("a dead tablet turns up", weight=1.5, fault="take-over")
def turns_up(night: "Night") -> str | None:
    tables = [table for _, table in sorted(night.tables.items()) if table.left_on_dead_tablets]
    return turn_up(night, night.rng.choice(tables)) if tables else None


def turn_up(night: "Night", table: "Table") -> str:
    """Send what the oldest dead tablet of a table still holds, in order, with its times and its sign-in."""
    device, waiting = table.left_on_dead_tablets.pop(0)
    for tap in waiting:
        tap.then(night.done(device, tap.path, tap.body, id=tap.id, tapped_at=tap.tapped_at))
    night.tally.faults["taps found on a dead tablet"] += len(waiting)
    return f"table {table.number}: {len(waiting)} taps"
