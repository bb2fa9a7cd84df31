"""Departures that the dealer taps or counts wrongly, and that are put right."""

from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.players import may_leave
from casino.simulation.broken import Broken
from casino.simulation.felt import Left, Player, Sitter

if TYPE_CHECKING:
    from casino.simulation.night import Night


@behaviour("a leaving is taken back", weight=3)
def is_taken_back(night: "Night") -> str | None:
    """
    The floor or the dealer takes back the departure of a player who has the chips still and whose seat nobody took.

    The player gets seat and chips as before. A stale version is refused, and so is a seat promised to somebody called.
    """
    found = [(player, left) for player in night.felt.by_name() if (left := _may_come_back(night, player))]
    if not found:
        return None
    player, left = night.rng.choice(found)
    table = night.tables[left.table]
    path = f"{table.api}/seatings/{left.seating}"
    device = (
        night.staff.floor
        if table.is_offline
        else night.rng.choice([night.staff.floor, night.staff.tablets[left.table]])
    )
    version = device.get(path).version
    night.refused(device, f"{path}/take-back", code="stale", version=version - 1)
    answer = night.tap(device, f"{path}/take-back", version=version)
    if not answer.is_done:
        # Somebody may have been called to that seat since.
        if answer.code != "seat_promised" or left.seat not in table.felt.promised:
            raise Broken("what may be done is done", f"POST {path}/take-back: {answer.text[:300]}")
        return answer.code
    if player.uncounted:
        table.uncounted -= left.stack
        player.uncounted = None
    night.must_equal("the stack that comes back", answer.data["stack_cents"] or left.stack, left.stack)
    player.pocket -= left.stack
    table.felt.sit(Sitter(player, left.seating, left.seat, left.stack, left.put_in, left.is_held))
    return f"{player.nickname}, table {left.table}, seat {left.seat}"


@behaviour("a departure is miscounted", weight=1)
def is_miscounted(night: "Night") -> str | None:
    """The dealer types a leaving player's stack 1, 5 or 20 € too high or low; the player carries all of it away."""
    found = [
        (table, sitter)
        for table in night.open_tables()
        for sitter in table.sitters()
        if not table.is_offline and may_leave(table, sitter) and sitter.stack and not sitter.player.miscounted
    ]
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    night.deliveries.come_first(sitter)
    counted = max(sitter.stack + 100 * night.rng.choice([-20, -5, -1, 1, 5, 20]), 0)
    path = f"{table.api}/seatings/{sitter.seating}/leave"
    night.done(night.staff.tablets[table.number], path, {"stack_cents": counted})
    forgotten = sitter.stack - counted
    sitter.player.miscounted = (table.number, sitter.seating, forgotten)
    table.uncounted += forgotten
    table.felt.get_up(sitter)
    sitter.player.left = None
    return f"{sitter.player.nickname} at table {table.number}: {counted // 100} € of {sitter.stack // 100} €"


@behaviour("the floor puts a count right", weight=3)
def is_put_right(night: "Night") -> str | None:
    players = [player for player in night.felt.by_name() if player.miscounted]
    return put_count_right(night, night.rng.choice(players)) if players else None


def put_count_right(night: "Night", player: Player) -> str:
    """Have the floor count a miscounted departure once more, now rightly; without its version the count is refused."""
    assert player.miscounted is not None
    number, seating, forgotten = player.miscounted
    path = f"/api/v1/tables/{number}/seatings/{seating}"
    seen = night.staff.floor.get(path)
    body = {"stack_cents": seen.body["left_stack_cents"] + forgotten}
    night.refused(night.staff.floor, f"{path}/count", body, code="stale")
    night.done(night.staff.floor, f"{path}/count", body, version=seen.version)
    night.tables[number].uncounted -= forgotten
    player.miscounted = None
    return f"{player.nickname} at table {number}: {body['stack_cents'] // 100} €"


def _may_come_back(night: "Night", player: Player) -> Left | None:
    """
    Return the seat that a player may be given back, None for none.

    Nobody sat there since, the table's opening is the same, and the player sits nowhere and still has the chips.
    """
    left = player.left
    if left is None or player.table is not None or player.pocket < left.stack:
        return None
    felt = night.felt.tables[left.table]
    is_still_there = night.tables[left.table].is_open and felt.openings == left.opening
    return left if is_still_there and felt.seatings[left.seat] == left.seating else None
