"""
A table's own over and short: what the log has in play where everything was counted, and it is not there.

Until it is stated it stays in play, because somebody may know better: a stack that nobody counted, tips in the box, a
hand that nobody supplied. What explains it after that leaves chips in play the other way, which are stated likewise.
"""

from django.db.models import Max

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, Stale
from casino.ledger.services import open_accounts, post
from casino.rooms.models import Room
from tables.audiences import of_table as seen_by
from tables.chart import DIFFERENCE, OWNER, of_table
from tables.errors_counts import StacksUncounted, TableNotCounted
from tables.models import CountedThrough, Opening, Table, TableDifference
from tables.owners import table_figures
from tables.selectors.counted_through import running_tables
from tables.selectors.todo_loose import uncounted
from tables.services.state import lock_day_and_table


@service("tables.state_difference")
def state_difference(command: Command, *, table_id: int, missing_cents: int) -> Outcome:
    """
    State that chips are missing at a table, or (negative) that there are too many: from now on they are its over/short.

    The table is closed with everybody counted out, or was counted through between two hands with nothing done there
    since, which still holds afterwards. `missing_cents` is how much the asker saw missing.

    :raises Malformed: nothing is missing.
    :raises NoOpenDay: no gaming day is open.
    :raises NotFound: the room has no such table.
    :raises TableNotCounted: it runs and was not counted through, or never ran.
    :raises StacksUncounted: a stack that left it is not counted.
    :raises Stale: another sum is missing than the asker saw.
    """
    if not missing_cents:
        raise Malformed(field="missing")
    day, table = lock_day_and_table(command, table_id)
    opening, counted = _all_counted(table, day_id=day.pk)
    in_play, lies_there = table_figures(table.pk)["in_play"], counted.cents if counted else 0
    if in_play - lies_there != missing_cents:
        raise Stale(what="table", version=table.version)
    number = (table.differences.aggregate(last=Max("number"))["last"] or 0) + 1
    # A table that an older version set up has no account for it.
    open_accounts(Room.objects.get(id=table.room_id), OWNER, table.pk)
    transfer_id = post(
        room_id=table.room_id,
        day_id=day.pk,
        kind="difference_stated",
        lines=[of_table(table.pk, "in_play", -missing_cents), of_table(table.pk, DIFFERENCE, missing_cents)],
        key=f"difference.{table.pk}.{number}",
        made_by_id=command.staff_id,
        at=command.at,
        table_id=table.pk,
        about={"number": number},
    )
    stated = TableDifference.objects.create(
        room_id=table.room_id, table=table, number=number, opening=opening, day=day, at=command.at,
        by_id=command.staff_id, counted=counted, counted_cents=lies_there, in_play_cents=in_play, cents=missing_cents,
        transfer_id=transfer_id,
    )  # fmt: skip
    # The table goes on as it stands: a count-through before it holds.
    return Outcome(
        chain=table.chain,
        data={
            "table": table.number,
            "difference": stated.pk,
            "missing_cents": missing_cents,
            "over_cents": -missing_cents,
            "is_over": missing_cents < 0,
        },
        version=table.version,
        audiences=seen_by(table),
    )


def _all_counted(table: Table, *, day_id: int) -> tuple[Opening, CountedThrough | None]:
    """Return what ran there last, and the count that holds where it runs still. :raises: as `state_difference`."""
    if table.opening is not None:
        counted = next(each.count for each in running_tables(table.room_id, day_id=day_id) if each.table == table)
        if counted is None:
            raise TableNotCounted(table_number=table.number)
        return table.opening, counted
    last = Opening.objects.filter(table=table).order_by("-id").first()
    if last is None:
        raise TableNotCounted(table_number=table.number)
    if uncounted(table.room_id, table_id=table.pk):
        raise StacksUncounted(table_number=table.number)
    return last, None
