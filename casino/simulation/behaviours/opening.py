"""The house opens for one more evening, and the floor opens its tables."""

from itertools import product
from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.carried import robbed_overnight
from casino.simulation.behaviours.days import is_today
from casino.simulation.behaviours.playing_on import go_on
from casino.simulation.behaviours.pushes import pushed
from casino.simulation.behaviours.racks import racks_in_the_morning
from casino.simulation.boxes import CASH_VALUES, KINDS, pieces
from casino.simulation.broken import Broken
from casino.simulation.felt import Player, TableFelt
from casino.simulation.screens import open_screens
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

FLOAT_CASH = 5_000_00
FLOAT_CHIPS = 20_000_00


def come_in(night: "Night") -> None:
    """
    Have the staff come in on the first evening, to a house that is open, and read its tables, guests and drawer.

    :raises Broken: a table of the plan is open already, or there is none.
    """
    night.come_in()
    staff, felt = night.staff, night.felt
    closed = [table["number"] for table in staff.desktop.get("/api/v1/tables").body if not table["is_open"]]
    if not set(staff.tablets) <= set(closed):
        raise Broken("the simulator", f"it plays at tables 1 to {night.plan.tables}; closed are {closed}")
    night.tables = {number: Table(TableFelt(number)) for number in sorted(staff.tablets)}
    felt.tables = {number: table.felt for number, table in night.tables.items()}
    for guest in staff.floor.get("/api/v1/people/players?limit=100").body:
        felt.players[guest["nickname"]] = Player(guest["id"], guest["nickname"])
    if night.books is not None:
        night.books.begin(felt, night.tables.values())
    felt.drawer.is_open = True
    is_today(night)
    session = staff.cage.get("/api/v1/cage/drawers/1").body["session"]
    night.days.opens(session["id"], 1, by=session["opened_by_id"])
    if night.plan.jackpots:
        staff.take_on_a_manager()
    night.screens = open_screens(staff, night.instance.url)


def know_the_boxes(night: "Night") -> None:
    """
    Note what has fallen at each place of a table before a box hangs there: no box that hangs later holds it.

    Left out are places with a box or chips from before the first evening, and those where a box has hung since.
    """
    boxes, is_first = night.boxes, night.number == 0
    taken = {(box["table_number"], box["charge"]) for box in night.staff.floor.get("/api/v1/boxes/").body}
    for number, kind in product(sorted(night.tables), KINDS):
        place = (number, kind)
        if is_first:
            is_left = place in taken or bool(night.felt.tables[number].lies(kind))
        else:
            is_left = place not in boxes.since or boxes.is_known(place)
        if not is_left:
            boxes.since[place] = night.sums_at(place)


def open_the_house(night: "Night") -> None:
    """Have a manager open the gaming day, and the cashier open the drawer; refused where the drawer stayed open."""
    felt, staff = night.felt, night.staff
    robbed_overnight(night)
    night.done(staff.desktop, "/api/v1/cage/day/open")
    is_today(night)
    _open_drawer(night)
    plays_on = {each.seating for table in night.open_tables() for each in table.everybody()}
    for player in felt.by_name():
        player.comes_back, player.has_left = True, False
        if not (player.is_on_break and player.break_in in plays_on):
            player.break_in = None
    racks_in_the_morning(night)
    go_on(night)


def _open_drawer(night: "Night") -> None:
    felt, staff = night.felt, night.staff
    drawer = staff.cage.get("/api/v1/cage/drawers/1")
    body = {
        "cash": pieces(FLOAT_CASH, CASH_VALUES),
        "chips": pieces(FLOAT_CHIPS),
        "second": staff.second("frans"),
    }
    path = "/api/v1/cage/drawers/1/open"
    if felt.drawer.is_open:
        night.refused(staff.cage, path, body, code="drawer_open", version=drawer.version)
        return
    opened_drawer = night.done(staff.cage, path, body, version=drawer.version).data
    night.days.opens(opened_drawer["session_id"], 1, by=staff.id_of("carla"))
    felt.vault_cash -= FLOAT_CASH
    felt.vault_chips -= FLOAT_CHIPS
    felt.drawer.cash, felt.drawer.chips, felt.drawer.card_slips = FLOAT_CASH, FLOAT_CHIPS, 0
    felt.drawer.is_open = True


@behaviour("the floor opens a table", weight=30)
def opens_a_table(night: "Night") -> str | None:
    closed = [table for _, table in sorted(night.tables.items()) if not table.is_open]
    if not closed:
        return None
    games = night.staff.floor.get("/api/v1/games").body
    return opened(night, closed[0], night.rng.choice(sorted(games, key=lambda game: game["name"])))


@behaviour("the floor opens a must-move table", weight=15)
def opens_a_must_move_table(night: "Night") -> str | None:
    """Have the floor open a closed table as a must-move table that feeds a running table of the same game."""
    closed = [table for _, table in sorted(night.tables.items()) if not table.is_open]
    mains = [table for table in night.open_tables() if not table.is_closing]
    if not closed or not mains:
        return None
    main = night.rng.choice(mains)
    return opened(night, closed[0], main.game, feeds=main)


def opened(night: "Night", table: Table, game: dict[str, Any], *, feeds: Table | None = None) -> str:
    """Open a table with a game; with `feeds` it is the must-move game of that main table."""
    body = {"game_id": game["id"], "feeds": feeds.number if feeds else None}
    seen = night.staff.floor.get(table.api)
    answer = night.done(night.staff.floor, f"{table.api}/open", body, version=seen.version)
    table.opening_id = answer.data["opening"]
    table.game, table.is_open, table.was_drawn, table.newest = game, True, False, None
    table.is_closing, table.feeds = False, (feeds.number, feeds.felt.openings) if feeds else None
    table.felt.openings += 1
    table.felt.markers.opens()
    pushed(night, table)
    return f"table {table.number}, {game['name']}{f', feeds table {feeds.number}' if feeds else ''}"


@behaviour("the button is drawn", weight=60)
def draws_the_button(night: "Night") -> str | None:
    for table in night.open_tables():
        seats = [sitter.seat for sitter in table.sitters() if sitter.stack and not sitter.is_held]
        if table.was_drawn or table.is_offline or len(seats) < 2:
            continue
        cards = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs"]
        drawn = dict(zip(seats, night.rng.sample(cards, len(seats)), strict=True))
        body = {
            "winner_seat": night.rng.choice(seats),
            "seats": seats,
            "cards": {str(seat): card for seat, card in drawn.items()},
        }
        night.done(night.staff.tablets[table.number], f"{table.api}/draw", body)
        table.was_drawn = True
        return f"table {table.number}, seat {body['winner_seat']}"
    return None
