"""A buy-in over the counter was wrong: signed by two it is taken back, and chips and money go where they came from."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.felt import Player

if TYPE_CHECKING:
    from casino.simulation.night import Night

REASONS = ("wrong_amount", "wrong_player", "wrong_method", "card_declined", "not_handed_over")


@behaviour("a paid slip is reversed", weight=1)
def reverses(night: "Night") -> str | None:
    slips = night.staff.cage.get("/api/v1/cage/slips?status=paid&limit=20").body
    found = [(slip, player) for slip in slips if (player := _may_give_back(night, slip)) is not None]
    if not found:
        return None
    slip, player = night.rng.choice(found)
    cents, drawer = slip["amount_cents"], night.felt.drawer
    said = {"reason": night.rng.choice(REASONS), "second": night.staff.second("frans")}
    path = f"/api/v1/cage/slips/{slip['id']}/reverse"
    alone = {**said, "second": night.staff.second("carla")}
    night.refused(night.staff.cage, path, alone, code="same_person", version=slip["version"])
    night.done(night.staff.cage, path, said, version=slip["version"])
    night.refused(night.staff.cage, path, said, code="stale", version=slip["version"])
    player.pocket -= cents
    drawer.chips += cents
    if slip["method"] == "deposit":
        player.deposit += cents
    elif slip["method"] == "card":
        drawer.card_slips -= cents
    else:
        drawer.cash -= cents
    if slip["method"] != "deposit":
        player.money += cents
    return f"slip {slip['number']}: {player.nickname}, {cents // 100} € by {slip['method']}"


def _may_give_back(night: "Night", slip: dict[str, Any]) -> Player | None:
    """Return whose chips of this slip are still in the pocket, None where it is not one to be taken back."""
    if slip["kind"] != "buy_in" or slip["destination"] != "hands":
        return None
    if datetime.fromisoformat(slip["paid_at"]) < night.began_at:
        return None
    player = next((each for each in night.felt.by_name() if each.id == slip["player_id"]), None)
    if player is None or player.table is not None or player.uncounted or player.pocket < slip["amount_cents"]:
        return None
    if slip["method"] == "cash" and night.felt.drawer.cash < slip["amount_cents"]:
        return None
    return player
