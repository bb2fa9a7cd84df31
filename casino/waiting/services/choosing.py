"""What the floor gives by its own choice to who waits, for page and call alike: as `tables.services.choosing`."""

from functools import partial

from casino.commands.carrying_out import Answer, Command
from casino.waiting.services.lists import call_player
from tables.models import Table
from tables.rules.newcomers import Whose
from tables.services.overruling import chosen


def call(command: Command, table: Table, seat_number: int, *, waiting_id: int, overrule: str = "") -> Answer:
    """Call a player of a list to a seat. :raises Refusal: as `call_player`."""
    give = partial(call_player, waiting_id=waiting_id, table_id=table.pk, seat_number=seat_number)
    whose = Whose(is_waiting=True, ref=waiting_id)
    return chosen(
        command,
        table,
        seat_number,
        give,
        game_id=table.opening.game_id if table.opening else 0,
        whose=whose,
        reason=overrule,
    )
