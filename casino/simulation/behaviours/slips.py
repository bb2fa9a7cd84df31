"""Slips that wait to be paid: cancelled by the floor, or requested at a desk, paid, and printed twice."""

from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.cage import paid

if TYPE_CHECKING:
    from casino.simulation.night import Night


@behaviour("the floor takes a waiting slip away", weight=1)
def is_cancelled(night: "Night") -> str | None:
    sitters = [sitter for table in night.open_tables() for sitter in table.sitters() if sitter.slip]
    if not sitters:
        return None
    sitter = night.rng.choice(sitters)
    path = f"/api/v1/cage/slips/{sitter.slip}"
    slip = night.staff.cage.get(path).body
    night.done(night.staff.floor, f"{path}/cancel", version=slip["version"])
    night.refused(night.staff.floor, f"{path}/cancel", code="stale", version=slip["version"])
    sitter.slip = None
    return f"{sitter.player.nickname}, {slip['amount_cents'] // 100} €"


@behaviour("a slip is asked for at the desk and paid", weight=2)
def requests_a_buy_in(night: "Night") -> str | None:
    """Have the floor request chips for a player without a seat; the cashier takes cash and prints the slip twice."""
    guests = [player for player in night.felt.by_name() if player.table is None and player.uncounted is None]
    if not guests:
        return None
    player, cents = night.rng.choice(guests), 100_00 * night.rng.randint(1, 5)
    body = {"amount_cents": cents, "player_id": player.id, "again": True}
    slip = night.done(night.staff.floor, "/api/v1/cage/requests", body).data["slip_id"]
    path, cage = f"/api/v1/cage/slips/{slip}", night.staff.cage
    take: dict[str, Any] = {"drawer_number": 1, "method": "cash"}
    paid(night, player, f"{path}/take-money", take, version=cage.get(path).body["version"])
    night.felt.drawer.sells_to_pocket(player, cents)
    for prints in (1, 2):
        night.must_equal("prints of a slip", night.done(cage, f"{path}/printed").data["prints"], prints)
    return f"{player.nickname}, {cents // 100} €"
