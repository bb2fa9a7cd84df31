"""Players who change tables: by wish or not, from a must-move game to its main game, to a promised seat; and back."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.cage import see_document, sold_to_seat
from casino.simulation.broken import Broken
from casino.simulation.felt import Sitter
from casino.simulation.front_door import Answer
from casino.simulation.lists import Wait
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

POSTS_SHARE = 0.3
BACK_SHARE = 0.3
# Refusals by which the new table may turn down the buy-in that a mover requested at the old one.
NOT_THERE = frozenset({"buy_in_over_maximum", "buy_in_under_minimum", "stack_to_bring"})
# Refusals of a move where the log lacks taps that are still on a dead tablet.
LOG_IS_BEHIND = frozenset({"hand_in_progress", "hand_dealt_since"})


@dataclass(frozen=True)
class Moved:
    """A move as it was made, for taking it back."""

    here: Table
    sitter: Sitter
    there: Table
    sits: Sitter
    # The place on a list that ended with it.
    wait: Wait | None
    had_left: bool
    asks_in: int | None


@behaviour("a player asks for another table", weight=2)
def asks(night: "Night") -> str | None:
    """
    Have the floor note a player's wish for any other table of the game, or for a certain one (H2.7).

    Refused: the player's own table, a table of another game, whose list leads there, and a wish while one stands.
    """
    found = [(table, sitter) for table in night.open_tables() for sitter in table.sitters()]
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    path, wanted = f"{_path(table, sitter)}/ask-table", night.rng.choice([None, *night.open_tables()])
    body = {"to_table": wanted.number if wanted else None}
    floor = night.staff.floor
    if wanted is table:
        return night.refused(floor, path, body, code="not_found")
    if wanted is not None and wanted.game["id"] != table.game["id"]:
        return night.refused(floor, path, body, code="other_game")
    if sitter.player.asks_in == sitter.seating:
        return night.refused(floor, path, body, code="already_asked")
    night.done(floor, path, body)
    sitter.player.asks_in = sitter.seating
    return f"{sitter.player.nickname} at table {table.number}"


@behaviour("a wish for another table ends", weight=0.7)
def asks_no_more(night: "Night") -> str | None:
    found = [(table, sitter) for table in night.open_tables() for sitter in table.sitters()]
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    path, body = f"{_path(table, sitter)}/ask-table/end", {"why": night.rng.choice(["refused", "withdrawn"])}
    if sitter.player.asks_in != sitter.seating:
        return night.refused(night.staff.floor, path, body, code="not_asked")
    night.done(night.staff.floor, path, body)
    sitter.player.asks_in = None
    return f"{sitter.player.nickname} at table {table.number}"


@behaviour("a player changes tables", weight=5)
def changes(night: "Night") -> str | None:
    """Move a player, by preference one who wishes it, to another table with the chips that are due (H1.65-H1.67)."""
    found = [(table, sitter) for table in _running(night) for sitter in table.sitters()]
    wishing = [(table, sitter) for table, sitter in found if sitter.player.asks_in == sitter.seating]
    at = night.rng.choice(wishing or found) if found else None
    return _to_one_of(night, *at, _others(night, at[0])) if at else None


@behaviour("a must-move player moves on", weight=6)
def moves_on(night: "Night") -> str | None:
    found = [
        (table, sitter, main)
        for table in _running(night)
        for sitter in table.sitters()
        if (main := _main(night, table))
    ]
    if not found:
        return None
    table, sitter, main = night.rng.choice(found)
    return _to_one_of(night, table, sitter, [main] if main in _others(night, table) else [])


@behaviour("a called player comes from another table", weight=6)
def comes_from_a_table(night: "Night") -> str | None:
    """Move a called player who sits at another table to the promised seat; the place on the list ends with that."""
    found = []
    for _, wait in night.lists.live():
        if wait.called_to and wait.player.table not in {None, wait.called_to[0]}:
            here, there = night.tables[wait.player.table or 0], night.tables[wait.called_to[0]]
            # A player whose seat is played over is away, and has to come back to it before a move.
            sitter = next((each for each in here.sitters() if each.player is wait.player), None)
            if sitter and not (here.is_offline or there.is_offline or there.is_closing):
                found.append((here, sitter, there, wait))
    if not found:
        return None
    here, sitter, there, wait = night.rng.choice(found)
    assert wait.called_to is not None
    return move(night, here, sitter, there, wait.called_to[1])


def move(night: "Night", here: Table, sitter: Sitter, there: Table, seat: int) -> str:
    """Move a player to a seat at another table; refused while in a hand (H1.1). Some moves are taken back at once."""
    floor, player, path = night.staff.floor, sitter.player, f"{_path(here, sitter)}/move"
    night.deliveries.come_first(sitter)
    body: dict[str, Any] = {"to_table": there.number, "seat_number": seat, "stack_cents": sitter.stack}
    body["entry"] = "posts" if night.rng.random() < POSTS_SHARE else "waits"
    if here.is_in_hand(sitter.seat):
        is_known = here.hand is not None and here.hand.number is not None
        return night.refused(floor, path, body, code="hand_in_progress") if is_known else ""
    wait = night.lists.waiting_for(there.game["id"], player)
    answer = night.tap(floor, path, body)
    if answer.code == "stack_too_short":
        needed = answer.body["data"]["needed_cents"]
        if player.pocket + sitter.stack < needed:
            return answer.code
        answer = night.tap(floor, path, {**body, "chips_cents": needed})
    if not answer.is_done:
        is_explained = answer.code in LOG_IS_BEHIND and here.left_on_dead_tablets
        return _or_broken(bool(is_explained), answer.code, f"{path} {body}: {answer.text[:300]}")
    chips = answer.data["chips_cents"]
    why = "closing_table" if here.is_closing else "must_move" if _main(night, here) is there else "table_change"
    night.must_equal("by what a player moves", answer.data["why"], why)
    if not player.has_left and sitter.put_in:
        night.must_equal("what a mover puts on the new table", chips, _by_the_book(here, there, sitter.stack))
    sits = Sitter(player, answer.data["to_seating"], seat, stack=chips, put_in=chips, is_held=sitter.is_held)
    sits.slip = _slip_brought_along(night, sitter, answer)
    is_over = sitter.seat in here.felt.played_over
    made = Moved(here, sitter, there, sits, wait, player.has_left, player.asks_in)
    here.felt.get_up(sitter)
    player.pocket -= chips
    player.asks_in = None
    there.felt.sit(sits)
    if wait is not None:
        wait.ends("seated")
    line = f"{player.nickname} from table {here.number} to table {there.number}, seat {seat}"
    if is_over or night.rng.random() >= BACK_SHARE:
        return f"{line}{_is_paid(night, there, sits)}"
    return f"{line}; {_take_back(night, made)}"


def _take_back(night: "Night", made: Moved) -> str:
    """
    Have the floor take a move back, once: seat, chips, wish and place on the list are again as before it.

    The move stands where nobody could say any more where the place on the list was.
    """
    path = f"{_path(made.there, made.sits)}/move-back"
    if made.wait is not None and not made.wait.may_be_put_back:
        return "it stands"
    answer = night.done(night.staff.floor, path)
    made.sitter.slip = _slip_brought_along(night, made.sits, answer)
    player, wait = made.sitter.player, made.wait
    player.pocket += made.sits.stack - made.sitter.stack
    player.has_left, player.asks_in = made.had_left, made.asks_in
    del made.there.felt.sitters[made.sits.seat]
    made.here.felt.sit(made.sitter)
    if wait is not None:
        wait.waits_again()
    night.refused(night.staff.floor, path, code="not_found")
    return "and back"


def _slip_brought_along(night: "Night", sitter: Sitter, answer: Answer) -> int | None:
    """Return the id of the slip that a mover's request has become for the new seat, None for who requested none."""
    slips: list[int] = answer.data["slips"]
    night.must_equal("what a mover asked for waits", len(slips), int(sitter.slip is not None))
    return slips[0] if slips else None


def _is_paid(night: "Night", there: Table, sitter: Sitter) -> str:
    """Have the cage sell a mover's requested chips at the new table, or cancel the slip where its buy-in forbids it."""
    if sitter.slip is None:
        return ""
    cage, path = night.staff.cage, f"/api/v1/cage/slips/{sitter.slip}"
    see_document(night, sitter.player)
    slip = cage.get(path).body
    answer = night.tap(cage, f"{path}/take-money", {"drawer_number": 1, "method": "cash"}, version=slip["version"])
    if answer.is_done:
        sold_to_seat(night, there, sitter, answer.data)
        return "; and buys there"
    if answer.code not in NOT_THERE:
        raise Broken("what a mover asked for is sold there", f"{path}: {answer.text[:300]}")
    night.done(cage, f"{path}/cancel", version=slip["version"])
    sitter.slip = None
    return f"; {answer.code}"


def _by_the_book(here: Table, there: Table, stack: int) -> int:
    """Return how many cents a mover who has left no seat this evening puts on the new table (H1.65-H1.67, A11)."""
    least, most = there.game["buy_in_min_cents"], there.game["buy_in_max_cents"]
    if here.game["structure"] != there.game["structure"]:
        return int(least)
    blinds = ("small_blind_cents", "big_blind_cents")
    if any(here.game[blind] != there.game[blind] for blind in blinds):
        stack = min(stack, most or stack)
    return stack if here.is_closing else max(stack, least)


def _to_one_of(night: "Night", table: Table, sitter: Sitter, others: list[Table]) -> str | None:
    if not others:
        return None
    there = night.rng.choice(others)
    return move(night, table, sitter, there, night.rng.choice(there.free_seats()))


def _running(night: "Night") -> list[Table]:
    return [table for table in night.open_tables() if not table.is_offline]


def _others(night: "Night", here: Table) -> list[Table]:
    """Return tables that run on and have a free seat."""
    return [table for table in _running(night) if table is not here and not table.is_closing and table.free_seats()]


def _main(night: "Night", table: Table) -> Table | None:
    """Return the main game's table to which players of a must-move game go on."""
    if table.feeds is None:
        return None
    main = night.tables[table.feeds[0]]
    return main if main.is_open and main.felt.openings == table.feeds[1] else None


def _or_broken(is_explained: bool, code: str, seen: str) -> str:
    if not is_explained:
        raise Broken("what may be done is done", f"POST {seen}")
    return f"{code}: the log is behind"


def _path(table: Table, sitter: Sitter) -> str:
    return f"{table.api}/seatings/{sitter.seating}"
