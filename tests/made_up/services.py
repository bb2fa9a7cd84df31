"""What is done at the bar."""

from casino.commands.carrying_out import Command, Outcome, service
from casino.ledger.services import post
from casino.rooms.selectors import lock_open_day
from tests.made_up.chart import of_bar
from tests.made_up.push import AT_TABLE, POURED, glasses


@service("bar.pour")
def pour(command: Command, *, table_number: int) -> Outcome:
    """Pour one more, for a player at a table."""
    glasses.append(table_number)
    post(
        room_id=command.room_id,
        day_id=lock_open_day(command.room_id).pk,
        kind="poured",
        lines=[of_bar(command.room_id, "till", 5_00), of_bar(command.room_id, "drunk", -5_00)],
        key=f"glass.{len(glasses)}",
        made_by_id=command.by.staff_id,
        at=command.at,
    )
    audiences = (POURED, AT_TABLE.format(number=table_number))
    return Outcome(chain="bar", data={"glasses": len(glasses)}, audiences=audiences)
