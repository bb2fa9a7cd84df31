"""A table closes in the middle of the night; the floor opens another one, or the same with another game."""

from typing import TYPE_CHECKING

from casino.simulation.at_once import Given, at_once, put_right
from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.closing import calls_end, end_in_the_log
from casino.simulation.behaviours.floor import count_tips
from casino.simulation.behaviours.players import leave, may_sit
from casino.simulation.broken import Broken

if TYPE_CHECKING:
    from casino.simulation.night import Night

SITTERS_MAX = 4


@behaviour("the floor closes a table that has become short", weight=1)
def closes(night: "Night") -> str | None:
    """
    The floor closes a table of at most four players, who leave first. At the same moment a manager seats one more
    player: either that or the closing must be refused; where the player sits, they leave again and the table closes.
    """
    tables = [
        table
        for table in night.open_tables()
        if table.newest
        and len(table.sitters()) <= SITTERS_MAX
        and table.hand is None
        and not table.is_offline
        and not table.is_closing
        and not table.felt.pots_aside
        and not table.is_held
    ]
    if not tables:
        return None
    table = night.rng.choice(tables)
    while sitters := table.sitters():
        leave(night, table, sitters[0], is_counted=True)
    if table.felt.tips_uncounted:
        count_tips(night, table)
    end_in_the_log(night, table)
    floor = night.staff.floor
    waiting = [player for player in night.felt.by_name() if player.table is None and may_sit(player)]
    if waiting:
        player, seat = night.rng.choice(waiting), night.rng.choice(table.free_seats())
        given = [
            Given(floor, f"{table.api}/close"),
            Given(night.staff.desktop, f"{table.api}/seats/{seat}", {"player_id": player.id}),
        ]
        closed, seated = at_once(night, *given, at=table)
        if (closed.code, seated.code) not in {("", "table_closed"), ("seats_occupied", "")}:
            raise Broken("closed or seated", f"close: {closed.text[:300]}; seat: {seated.text[:300]}")
        if seated.is_done:
            put_right(night, floor, f"{table.api}/seatings/{seated.data['seating']}/leave", {"stack_cents": 0})
            closed = put_right(night, floor, f"{table.api}/close")
    else:
        closed = night.done(floor, f"{table.api}/close")
    calls_end(night, table, closed)
    table.is_open, table.was_drawn, table.newest, table.is_closing = False, False, None, False
    return f"table {table.number}"
