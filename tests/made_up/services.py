"""What is done at the bar."""

from casino.commands.frame import Command, Outcome, service
from tests.made_up.push import AT_TABLE, POURED, glasses


@service("bar.pour")
def pour(command: Command, *, table_number: int) -> Outcome:
    """Pour one more, for a player at a table."""
    glasses.append(table_number)
    told = (POURED, AT_TABLE.format(number=table_number))
    return Outcome(chain="bar", data={"glasses": len(glasses)}, audiences=told)
