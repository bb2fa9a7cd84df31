"""A table closes into the others: the last orbit, the draw for seats; who finds no seat waits before the list."""

from typing import TYPE_CHECKING

from casino import chance
from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.closing import calls_end, end_in_the_log
from casino.simulation.behaviours.floor import count_tips
from casino.simulation.behaviours.moves import move
from casino.simulation.felt import Sitter
from casino.simulation.lists import Wait
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

HANDS = (None, 0, 2, 5)


@behaviour("the floor announces a last orbit", weight=0.8)
def announces(night: "Night") -> str | None:
    """
    The floor announces a table's last orbit, or a new number of hands for it; players who were called there wait again.
    Nothing happens with fewer than two tables that play on.
    """
    tables = [table for table in _running(night) if table.newest and len(table.sitters()) >= 2]
    playing = [table for table in night.open_tables() if not table.is_closing]
    if not tables or len(playing) < 2:
        return None
    table, hands = night.rng.choice(tables), night.rng.choice(HANDS)
    answer = night.done(night.staff.floor, f"{table.api}/last-orbit", {"hands": hands})
    at_the_table = sum(not sitter.is_held and sitter.put_in > 0 for sitter in table.sitters())
    night.must_equal("the hands of a last orbit", answer.data["hands"], at_the_table if hands is None else hands)
    table.is_closing = True
    calls_end(night, table, answer)
    return f"table {table.number}, {answer.data['hands']} hands"


@behaviour("a last orbit is taken back", weight=0.5)
def goes_on_after_all(night: "Night") -> str | None:
    tables = _running(night)
    if not tables:
        return None
    table = night.rng.choice(tables)
    path = f"{table.api}/last-orbit/take-back"
    if not table.is_closing:
        return night.refused(night.staff.floor, path, code="not_closing")
    night.done(night.staff.floor, path)
    table.is_closing = False
    return f"table {table.number}"


@behaviour("players of a closing table draw for seats", weight=2)
def draw_for_seats(night: "Night") -> str | None:
    """
    The floor has the players of a closing table draw for seats. Cards are refused before the house has shown its
    commitment, and must then match it. The cards are the house's own: nothing in the night depends on them.
    """
    tables = [table for table in _running(night) if table.is_closing and len(table.sitters()) >= 2]
    if not tables:
        return None
    table, floor = night.rng.choice(tables), night.staff.floor
    night.refused(floor, f"{table.api}/seat-draw/cards", code="no_draw_prepared")
    seats = [sitter.seat for sitter in table.sitters()]
    bound = night.done(floor, f"{table.api}/seat-draw", {"seats": seats}).data["commitment"]
    shown = night.done(floor, f"{table.api}/seat-draw/cards").data
    night.must_equal("what the house bound itself to", chance.commitment(shown["seed"]), bound)
    cards = dict(zip(map(str, seats), chance.deck(shown["seed"]), strict=False))
    night.must_equal("the cards of a draw", shown["cards"], cards)
    night.must_equal("who chooses", sorted(shown["order"]), seats)
    return f"table {table.number}, {len(seats)} players"


@behaviour("a player of a closing table goes on", weight=14)
def goes_on(night: "Night") -> str | None:
    """
    The floor moves a player of a closing table to a free seat at another table of the game; where there is none, the
    player waits before the list (H2.10).
    """
    found = [
        (table, sitter)
        for table in _running(night)
        for sitter in table.sitters()
        if table.is_closing and table.hand is None
    ]
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    others = [
        other
        for other in _running(night)
        if other.game["id"] == table.game["id"] and not other.is_closing and other.free_seats()
    ]
    if others:
        there = night.rng.choice(others)
        return move(night, table, sitter, there, night.rng.choice(there.free_seats()))
    return _waits_first(night, table, sitter) if night.has_lists else None


@behaviour("a closing table is empty", weight=20)
def closes(night: "Night") -> str | None:
    tables = [table for table in _running(night) if table.is_closing and not table.sitters()]
    tables = [table for table in tables if not table.felt.pots_aside and not table.is_held]
    if not tables:
        return None
    table = night.rng.choice(tables)
    if table.felt.tips_uncounted:
        count_tips(night, table)
    end_in_the_log(night, table)
    night.done(night.staff.floor, f"{table.api}/close")
    table.is_open, table.was_drawn, table.newest, table.is_closing = False, False, None, False
    return f"table {table.number}"


def _waits_first(night: "Night", table: Table, sitter: Sitter) -> str:
    # Nobody in a hand is put on a list, and a hand may go on in the log alone.
    end_in_the_log(night, table)
    night.deliveries.come_first(sitter)
    body = {"stack_cents": sitter.stack}
    path = f"{table.api}/seatings/{sitter.seating}/wait"
    waiting = night.done(night.staff.floor, path, body).data["waiting"]
    game, player = table.game["id"], sitter.player
    wait = night.lists.waiting_for(game, player) or Wait(waiting, player)
    night.must_equal("the entry of who waits by right", waiting, wait.id)
    night.lists.waits_first(game, wait)
    table.felt.get_up(sitter)
    # This departure is not taken back: the player waits by right.
    player.left = None
    return f"{player.nickname} of table {table.number} waits before the list"


def _running(night: "Night") -> list[Table]:
    return [table for table in night.open_tables() if not table.is_offline]
