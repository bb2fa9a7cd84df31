"""
Paid slips that were wrong are reversed, signed by two: chips and money go back to where they came from.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from casino.simulation.at_once import Given, at_once, only_one
from casino.simulation.behaviours import behaviour
from casino.simulation.felt import Player

if TYPE_CHECKING:
    from casino.simulation.night import Night

REASONS = ("wrong_amount", "wrong_player", "wrong_method", "card_declined", "not_handed_over")
TWO_AT_ONCE_SHARE = 0.4


@behaviour("a paid slip is reversed", weight=1.5)
def reverses(night: "Night") -> str | None:
    slips = night.staff.cage.get("/api/v1/cage/slips?status=paid&limit=100").body
    found = [(slip, player) for slip in slips if (player := _may_give_back(night, slip)) is not None]
    if not found:
        return None
    # Slips that met at one drawer have their numbers as it happened.
    found.sort(key=lambda pair: (pair[1].nickname, pair[0]["kind"], pair[0]["id"]))
    slip, player = night.rng.choice(found)
    cage, path = night.staff.cage, f"/api/v1/cage/slips/{slip['id']}/reverse"
    body = {"reason": night.rng.choice(REASONS), "second": night.staff.second("frans")}
    alone = {**body, "second": night.staff.second("carla")}
    night.refused(cage, path, alone, code="same_person", version=slip["version"])
    if night.rng.random() < TWO_AT_ONCE_SHARE:
        # Both cashiers reverse the slip, each with a signature: one reversal counts.
        given = [Given(device, path, body, slip["version"]) for device in (cage, night.staff.cage_too)]
        only_one(given, at_once(night, *given), refused={"stale"})
    else:
        night.done(cage, path, body, version=slip["version"])
    night.refused(cage, path, body, code="stale", version=slip["version"])
    night.papers.is_taken_back(slip["id"])
    _goes_back(night, slip, player)
    return f"slip {slip['number']}: {slip['kind']}, {player.nickname}, {slip['amount_cents'] // 100} €"


def _goes_back(night: "Night", slip: dict[str, Any], player: Player) -> None:
    """Move a reversed buy-in's chips to the drawer and its money to the player, a cash-out's the other way round."""
    drawer, felt = night.felt.drawer, night.felt
    cents = slip["amount_cents"] if slip["kind"] == "buy_in" else -slip["amount_cents"]
    player.pocket -= cents
    drawer.chips += cents
    if slip["method"] == "voucher":
        voucher = night.vouchers.taken_with(slip["id"])
        voucher.state, voucher.slip = "open", None
    elif slip["method"] == "deposit":
        player.deposit += cents
    elif slip["method"] == "foreign":
        # The same notes, and what was given back of them comes back.
        drawer.cash += night.notes.gives_back(slip["id"]).change
    else:
        player.money += cents
        if slip["method"] == "card":
            drawer.card_slips -= cents
        else:
            drawer.cash -= cents
    if slip["id"] in felt.counted_by_slip:
        # The stack that this cash-out counted is uncounted again.
        _, number, seating, stack = felt.counted_by_slip.pop(slip["id"])
        player.uncounted = (number, seating, stack)
        night.tables[number].uncounted += stack


def _may_give_back(night: "Night", slip: dict[str, Any]) -> Player | None:
    """
    Return the player of a paid slip that can be reversed, None for any other slip.

    It was paid tonight over the counter, its player sits nowhere, and its chips and money are still at hand.
    """
    if datetime.fromisoformat(slip["paid_at"]) < night.began_at:
        return None
    player = next((each for each in night.felt.by_name() if each.id == slip["player_id"]), None)
    if player is None or player.table is not None or player.uncounted:
        return None
    cents, drawer = slip["amount_cents"], night.felt.drawer
    if slip["kind"] == "buy_in" and slip["destination"] == "hands":
        is_at_hand = player.pocket >= cents and (slip["method"] != "cash" or drawer.cash >= cents)
        is_at_hand &= slip["method"] != "foreign" or night.notes.are_there(slip["id"])
    elif slip["kind"] == "cash_out":
        is_at_hand = slip["method"] == "cash" or player.deposit >= cents
        # Whoever left uncounted has nothing but that stack, so that the next cash-out is the count.
        is_at_hand &= slip["id"] not in night.felt.counted_by_slip or not player.pocket
    else:
        is_at_hand = False
    return player if is_at_hand else None
