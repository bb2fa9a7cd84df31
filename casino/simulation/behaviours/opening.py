"""The house opens for one more evening, and the floor opens its tables."""

from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour

if TYPE_CHECKING:
    from casino.simulation.night import Night

FLOAT_CASH = 5_000_00
FLOAT_CHIPS = 20_000_00


def open_the_house(night: "Night") -> None:
    """A manager opens the day, the cashier the drawer with its float."""
    felt, staff = night.felt, night.staff
    night.done(staff.desktop, "/api/v1/cage/day/open")
    drawer = staff.cage.get("/api/v1/cage/drawers/1")
    said = {"cash_cents": FLOAT_CASH, "chips_cents": FLOAT_CHIPS}
    night.done(staff.cage, "/api/v1/cage/drawers/1/open", said, version=drawer.version)
    felt.vault_cash -= FLOAT_CASH
    felt.vault_chips -= FLOAT_CHIPS
    felt.drawer.cash, felt.drawer.chips, felt.drawer.card_slips = FLOAT_CASH, FLOAT_CHIPS, 0
    felt.drawer.is_open = True
    for player in felt.by_name():
        player.comes_back = True


@behaviour("the floor opens a table", weight=30)
def opens_a_table(night: "Night") -> str | None:
    closed = [table for _, table in sorted(night.tables.items()) if not table.is_open]
    if not closed:
        return None
    table = closed[0]
    games = night.staff.floor.get("/api/v1/games").body
    table.game = night.rng.choice(sorted(games, key=lambda game: game["name"]))
    seen = night.staff.floor.get(table.api)
    night.done(night.staff.floor, f"{table.api}/open", {"game_id": table.game["id"]}, version=seen.version)
    table.is_open, table.was_drawn, table.newest = True, False, None
    table.felt.openings += 1
    return f"table {table.number}, {table.game['name']}"


@behaviour("the button is drawn", weight=60)
def draws_the_button(night: "Night") -> str | None:
    for table in night.open_tables():
        seats = [sitter.seat for sitter in table.sitters() if sitter.stack and not sitter.is_held]
        if table.was_drawn or table.is_offline or len(seats) < 2:
            continue
        cards = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs"]
        drawn = dict(zip(seats, night.rng.sample(cards, len(seats)), strict=True))
        said = {
            "winner_seat": night.rng.choice(seats),
            "seats": seats,
            "cards": {str(seat): card for seat, card in drawn.items()},
        }
        night.done(night.staff.tablets[table.number], f"{table.api}/draw", said)
        table.was_drawn = True
        return f"table {table.number}, seat {said['winner_seat']}"
    return None
