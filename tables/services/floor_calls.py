"""A dealer calls the floor to the table, with a reason."""

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed
from tables.floor_calls import FLOOR_CALLS
from tables.models import ToDo
from tables.services.state import done, leave_to_the_floor, lock_table


@service("tables.call_floor")
def call_floor(command: Command, *, table_id: int, reason: str) -> Outcome:
    """
    Put on the floor's to-do that a table wants somebody. A fact; the same reason twice is one call until it is judged.

    :raises Malformed: the reason is none of `FLOOR_CALLS`.
    """
    if reason not in FLOOR_CALLS:
        raise Malformed(field="reason")
    table = lock_table(command, table_id)
    waits = ToDo.objects.filter(table=table, kind=ToDo.Kind.FLOOR_CALLED, done_at=None, data__reason=reason)
    if not waits.exists():
        leave_to_the_floor(table, ToDo.Kind.FLOOR_CALLED, at=command.tapped_at, data={"reason": reason})
    return done(table, data={"reason": reason})
