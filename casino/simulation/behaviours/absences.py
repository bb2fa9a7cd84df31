"""Players who are away: the long break, the floor's own absence limit, and stacks that are picked up after it."""

import time
from datetime import datetime
from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.cage import paid
from casino.simulation.broken import Broken
from casino.simulation.felt import Player, Sitter
from casino.simulation.front_door import Answer
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

LIMITS_MINUTES = (5, 15, 60)
# A minute of the house's clock is a second of a simulated night's.
PATIENCE_SECONDS = 15.0
TAKEN_BACK_SHARE = 0.4


@behaviour("a player takes the long break", weight=2)
def takes_the_long_break(night: "Night") -> str | None:
    """A player takes the long break, once an evening at whichever table (H1.9); a second one is refused."""
    found = [at for at in _between_hands(night) if at[1].stack]
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    player, path = sitter.player, f"{_path(table, sitter)}/long-break"
    tablet = night.staff.tablets[table.number]
    if player.break_in is not None:
        return night.refused(tablet, path, {"has_break": True}, code="long_break_taken")
    night.done(tablet, path, {"has_break": True})
    sitter.is_held, player.break_in, player.is_on_break = True, sitter.seating, True
    return f"{player.nickname} at table {table.number}"


@behaviour("a long break was not meant", weight=1)
def break_was_not_meant(night: "Night") -> str | None:
    """
    The floor takes a long break back: the player may still take it, and the seat stays held. Refused for a player who
    is back from the break: it is used up.
    """
    found = [at for at in _between_hands(night) if at[1].player.break_in == at[1].seating]
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    path, body = f"{_path(table, sitter)}/long-break", {"has_break": False}
    if not sitter.player.is_on_break:
        return night.refused(night.staff.floor, path, body, code="long_break_taken")
    night.done(night.staff.floor, path, body)
    sitter.player.break_in = None
    return f"{sitter.player.nickname} at table {table.number}"


@behaviour("the floor holds a seat for so long", weight=1.5)
def holds_for_so_long(night: "Night") -> str | None:
    """
    The floor sets its own absence limit for a player who is away (H1.10): 5, 15 or 60 minutes. Refused for a player who
    is not away.
    """
    found = _between_hands(night)
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    path, body = f"{_path(table, sitter)}/limit", {"minutes": night.rng.choice(LIMITS_MINUTES)}
    if not sitter.is_held:
        return night.refused(night.staff.floor, path, body, code="not_away")
    night.done(night.staff.floor, path, body)
    return f"{sitter.player.nickname}, {body['minutes']} minutes"


@behaviour("a stack is picked up", weight=1.5)
def is_picked_up(night: "Night") -> str | None:
    """
    The floor and a second person count an absent player's stack once the absence limit has passed, and the seat is
    free; one person for both is refused. At times the floor takes it back. Nothing happens during a hand, or at a seat
    that is played over.
    """
    found = [
        (table, sitter)
        for table, sitter in _between_hands(night)
        if sitter.is_held and table.hand is None and sitter.seat not in table.felt.played_over
    ]
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    if night.staff.floor.get(table.api).body["hand"]:
        # It goes on in the log alone: its settlement is on a dead tablet.
        return ""
    path, player = _path(table, sitter), sitter.player
    night.deliveries.come_first(sitter)
    body = {"stack_cents": sitter.stack, "second": night.staff.second("mari")}
    until = datetime.fromisoformat(night.done(night.staff.floor, f"{path}/limit", {"minutes": 1}).data["until"])
    night.refused(
        night.staff.floor, f"{path}/pick-up", {**body, "second": night.staff.second("frans")}, code="same_person"
    )
    _wait(night, until)
    answer = night.done(night.staff.floor, f"{path}/pick-up", body)
    _carried_away(table, sitter, answer)
    if night.rng.random() >= TAKEN_BACK_SHARE:
        return f"{player.nickname} at table {table.number}, {sitter.stack // 100} €"
    version = night.staff.floor.get(path).version
    night.done(night.staff.floor, f"{path}/take-back", version=version)
    _carried_back(table, sitter)
    return f"{player.nickname} at table {table.number}, and back again"


@behaviour("a stack that was picked up comes to the cage", weight=4)
def comes(night: "Night") -> str | None:
    players = [player for player in night.felt.by_name() if player.carried]
    return comes_to_the_cage(night, night.rng.choice(players)) if players else None


def comes_to_the_cage(night: "Night", player: Player) -> str:
    """The cashier takes a stack that was picked up, and adds its worth to the player's deposit."""
    path, cents = f"/api/v1/cage/slips/{player.carried_slip}", player.carried
    body = {"drawer_number": 1, "method": "deposit"}
    paid(night, player, f"{path}/take-money", body, version=night.staff.cage.get(path).version)
    night.felt.drawer.chips += cents
    player.deposit += cents
    player.paid_out += cents
    player.carried, player.carried_slip = 0, None
    return f"{player.nickname}, {cents // 100} €"


def _carried_away(table: Table, sitter: Sitter, answer: Answer) -> None:
    table.felt.get_up(sitter)
    player = sitter.player
    player.pocket -= sitter.stack
    player.carried, player.carried_slip, player.left = sitter.stack, answer.data["slip_id"], None


def _carried_back(table: Table, sitter: Sitter) -> None:
    sitter.player.carried, sitter.player.carried_slip = 0, None
    table.felt.sit(sitter)


def _between_hands(night: "Night") -> list[tuple[Table, Sitter]]:
    """Return who sits at a table whose tablet has a connection and is in no hand."""
    return [
        (table, sitter)
        for table in night.open_tables()
        for sitter in table.sitters()
        if not table.is_offline and not table.is_in_hand(sitter.seat)
    ]


def _wait(night: "Night", until: datetime) -> None:
    """
    Wait until the house's clock has come so far; nothing is drawn meanwhile.

    :raises Broken: it has not after `PATIENCE_SECONDS`.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while night.now() < until:
        if time.monotonic() > deadline:
            raise Broken("the simulator", f"it is {night.now()}, and was to become {until}")
        time.sleep(0.05)


def _path(table: Table, sitter: Sitter) -> str:
    return f"{table.api}/seatings/{sitter.seating}"
