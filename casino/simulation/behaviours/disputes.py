"""A disputed pot: it lies apart under its hand's name while the game goes on, and the floor decides who gets it."""

from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.hands import next_hand, playable, settle
from casino.simulation.felt import Player, PotAside
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

NO_DISPUTE_SHARE = 0.25


@behaviour("a pot is disputed", weight=3)
def is_disputed(night: "Night") -> str | None:
    """
    The dealer settles a hand, takes up to half of its pots back from a winner, and sets it aside under the hand's name.

    One time in four the floor puts it back to the winner at once; to put it back again is refused.
    """
    table = playable(night)
    if table is None or table.is_offline or not night.is_next_tap_timely:
        return None
    hand = table.hand or next_hand(night, table)
    if hand is None:
        return None
    settle(night, table, hand)
    winner = table.felt.sitters[hand.played.winners[0][0]]
    cents = min(sum(hand.played.pots), winner.stack) // 200 * 100
    if not cents:
        return f"table {table.number}: it was none"
    body = {"hand_id": str(hand.id), "cents": cents}
    pot = night.done(night.staff.tablets[table.number], f"{table.api}/pots", body).data["pot"]
    players = [table.felt.sitters[seat].player for seat in hand.positions["dealt_in"]]
    winner.stack -= cents
    table.felt.pots_aside[pot] = PotAside(cents, players)
    if night.rng.random() >= NO_DISPUTE_SHARE:
        return f"table {table.number}: {cents // 100} € lie apart"
    path = f"{table.api}/pots/{pot}/put-back"
    night.done(night.staff.floor, path)
    winner.stack += cents
    del table.felt.pots_aside[pot]
    night.refused(night.staff.floor, path, code="pot_already_resolved")
    return f"table {table.number}: {cents // 100} € lay apart"


@behaviour("the floor decides who gets a disputed pot", weight=10)
def is_decided(night: "Night") -> str | None:
    found = [(table, pot) for _, table in sorted(night.tables.items()) for pot in sorted(table.felt.pots_aside)]
    return pay(night, *night.rng.choice(found)) if found else None


def pay(night: "Night", table: Table, pot: int) -> str:
    """
    Have the floor pay a disputed pot to one or two players of its hand: to their stacks at that table, else into their
    hands. Shares of 1 € more than the pot are refused, and so is a second payment.
    """
    aside, floor, path = table.felt.pots_aside[pot], night.staff.floor, f"{table.api}/pots/{pot}/pay"
    players = [player for player in aside.players if player.uncounted is None] or aside.players[:1]
    getting = night.rng.sample(players, min(len(players), night.rng.choice([1, 1, 2])))
    if aside.cents < 200:
        getting = getting[:1]
    half = aside.cents // len(getting) // 100 * 100
    cents = [half] * (len(getting) - 1)
    shares = dict(zip([player.nickname for player in getting], [aside.cents - sum(cents), *cents], strict=True))
    split = [{"player_id": player.id, "cents": shares[player.nickname]} for player in getting]
    wrong = [{**split[0], "cents": split[0]["cents"] + 100}, *split[1:]]
    night.refused(floor, path, {"shares": wrong}, code="shares_differ")
    night.done(floor, path, {"shares": split})
    for player in getting:
        _gets(table, player, shares[player.nickname])
    del table.felt.pots_aside[pot]
    night.refused(floor, path, {"shares": split}, code="pot_already_resolved")
    return f"table {table.number}: {', '.join(shares)}"


def _gets(table: Table, player: Player, cents: int) -> None:
    for sitter in [*table.sitters(), *table.felt.played_over.values()]:
        if sitter.player is player:
            sitter.stack += cents
            return
    player.pocket += cents
