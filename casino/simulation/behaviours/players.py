"""Players: they come, sit down, buy, top up, walk about, leave, and come back the same night."""

from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.broken import Broken
from casino.simulation.felt import Player, Sitter
from casino.simulation.front_door import Answer
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

UNCOUNTED_SHARE = 0.25
COMES_BACK_SHARE = 0.5
SAYS_HOW_SHARE = 0.6
# All games of the demo room's book have a live straddle.
WAYS_IN = ("waits", "posts", "straddles")


@behaviour("a new guest comes", weight=3)
def comes(night: "Night") -> str | None:
    seats = sum(table.seats for table in night.open_tables())
    if not seats or len(night.felt.players) >= seats * 2:
        return None
    nickname = f"Guest {len(night.felt.players) + 1}"
    device = night.rng.choice([night.staff.floor, night.staff.cage])
    answer = night.done(device, "/api/v1/people/players", {"nickname": nickname})
    night.felt.players[nickname] = Player(answer.data["player_id"], nickname)
    return nickname


@behaviour("a player sits down", weight=14)
def sits_down(night: "Night") -> str | None:
    """
    Seat a guest in a free seat, with at least the minimum buy-in from the pocket or without chips.

    Who has left with chips this evening comes back with as many (H1.64), or without any until the cage sells them.
    """
    table = _with_a_free_seat(night)
    waiting = [player for player in night.felt.by_name() if player.table is None and may_sit(player)]
    if table is None or not waiting:
        return None
    player, seat = night.rng.choice(waiting), night.rng.choice(table.free_seats())
    least, most = table.game["buy_in_min_cents"], table.game["buy_in_max_cents"]
    brings = min(player.pocket, most or player.pocket) // 100 * 100
    brings = brings if brings >= least and night.rng.random() < 0.8 else 0
    device = night.rng.choice([night.staff.floor, night.staff.tablets[table.number], night.staff.program])
    if table.is_offline:
        device = night.staff.floor
    body = {"player_id": player.id, "chips_cents": brings, "entry": "posts" if night.rng.random() < 0.3 else "waits"}
    answer = night.tap(device, f"{table.api}/seats/{seat}", body)
    if stack_cents := comes_back_with(player, answer):
        # One night, one stack: that much, or none before the cage has sold it.
        brings = stack_cents if stack_cents <= player.pocket else 0
        answer = night.tap(device, f"{table.api}/seats/{seat}", body := {**body, "chips_cents": brings})
    if answer.code == "more_than_in_hand" and night.felt.chips_beyond_the_log > 0:
        # A departure was counted wrongly, or the cage gave out a chip too many: counted again, they stand.
        answer = night.done(device, f"{table.api}/seats/{seat}", {**body, "stands": True})
    if not answer.is_done:
        raise Broken("what may be done is done", f"{player.nickname} at table {table.number}: {answer.text[:400]}")
    player.pocket -= brings
    table.felt.sit_down(Sitter(player, answer.data["seating"], seat, stack=brings, put_in=brings))
    return f"{player.nickname} at table {table.number} in seat {seat} with {brings // 100} €"


@behaviour("a player asks for a buy-in", weight=24)
def asks_for_chips(night: "Night") -> str | None:
    """Have the dealer request a buy-in at the cage for a player outside a hand who has no chips and waits for none."""
    found = [
        (table, sitter)
        for table in night.open_tables()
        for sitter in table.sitters()
        if not sitter.stack and not waits_for_chips(night, sitter) and not table.is_offline
        if not table.is_in_hand(sitter.seat)
    ]
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    least = table.game["buy_in_min_cents"]
    most = table.game["buy_in_max_cents"] or 4 * least
    body = {"amount_cents": night.rng.randint(least // 100, most // 100) * 100, "stack_cents": 0}
    return _asks(night, table, sitter, body)


@behaviour("a player tops up", weight=4)
def tops_up(night: "Night") -> str | None:
    """Top up a stack below the minimum buy-in between hands, with chips from the pocket or by a request to the cage."""
    found = []
    for table in (each for each in night.open_tables() if not each.is_offline and each.hand is None):
        for sitter in table.sitters():
            most = table.game["buy_in_max_cents"]
            room = most - sitter.stack if most else table.game["buy_in_min_cents"]
            is_low = table.game["big_blind_cents"] <= sitter.stack < table.game["buy_in_min_cents"]
            if is_low and room >= 100 and not waits_for_chips(night, sitter):
                found.append((table, sitter, room // 100))
    if not found:
        return None
    table, sitter, room = night.rng.choice(found)
    cents = night.rng.randint(1, room) * 100
    if 0 < cents <= sitter.player.pocket:
        body = {"chips_cents": cents, "stack_cents": sitter.stack}
        night.done(night.staff.tablets[table.number], f"{table.api}/seatings/{sitter.seating}/chips", body)
        sitter.player.pocket -= cents
        sitter.stack += cents
        sitter.put_in += cents
        return f"{sitter.player.nickname} brings {cents // 100} €"
    return _asks(night, table, sitter, {"amount_cents": cents, "stack_cents": sitter.stack})


@behaviour("a player leaves", weight=4)
def leaves(night: "Night") -> str | None:
    found = [(table, sitter) for table in night.open_tables() for sitter in table.sitters() if may_leave(table, sitter)]
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    is_uncounted = bool(sitter.stack) and not sitter.player.pocket and night.rng.random() < UNCOUNTED_SHARE
    sitter.player.comes_back = night.rng.random() < COMES_BACK_SHARE
    leave(night, table, sitter, is_counted=not is_uncounted)
    return f"{sitter.player.nickname} from table {table.number}{', uncounted' if is_uncounted else ''}"


def leave(night: "Night", table: Table, sitter: Sitter, *, is_counted: bool) -> None:
    """Leave a seat with all chips, counted by the dealer or not."""
    device = night.staff.floor if table.is_offline else night.staff.tablets[table.number]
    night.deliveries.come_first(sitter)
    body = {"stack_cents": sitter.stack if is_counted else None}
    night.done(device, f"{table.api}/seatings/{sitter.seating}/leave", body)
    if not is_counted:
        sitter.player.uncounted = (table.number, sitter.seating, sitter.stack)
        table.uncounted += sitter.stack
    table.felt.get_up(sitter)


@behaviour("a player walks about", weight=4)
def walks_about(night: "Night") -> str | None:
    found = [
        (table, sitter)
        for table in night.open_tables()
        for sitter in table.sitters()
        if sitter.stack and not table.is_offline and not table.is_in_hand(sitter.seat)
    ]
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    hold(night, table, sitter, is_held=not sitter.is_held)
    return f"{sitter.player.nickname} {'is away' if sitter.is_held else 'is back'}"


def hold(night: "Night", table: Table, sitter: Sitter, *, is_held: bool) -> None:
    """Have the dealer hold a seat, or deal it in again, at times with a way in for blinds that its player missed."""
    path = f"{table.api}/seatings/{sitter.seating}/hold"
    body: dict[str, Any] = {"is_held": is_held}
    if not is_held and night.rng.random() < SAYS_HOW_SHARE:
        body["entry"] = night.rng.choice(WAYS_IN)
    night.done(night.staff.tablets[table.number], path, body)
    sitter.is_held = is_held
    sitter.player.is_on_break = sitter.player.is_on_break and is_held


@behaviour("a player says how to come in", weight=2)
def says_how(night: "Night") -> str | None:
    """
    Have the floor enter a player's way in: waits, posts or straddles.

    Refused: any way in for a player who is in already, and waiting for an over player.
    """
    found = [(table, sitter) for table in night.open_tables() for sitter in table.sitters() if not table.is_offline]
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    path = f"{table.api}/seatings/{sitter.seating}"
    way, is_in = night.rng.choice(WAYS_IN), night.staff.floor.get(path).body["entry"] == "in"
    if is_in:
        return night.refused(night.staff.floor, f"{path}/entry", {"entry": way}, code="not_a_new_player")
    if way == "waits" and sitter.seat in table.felt.played_over:
        return night.refused(night.staff.floor, f"{path}/entry", {"entry": way}, code="over_player_posts")
    night.done(night.staff.floor, f"{path}/entry", {"entry": way})
    return f"{sitter.player.nickname} {way}"


@behaviour("a player straddles from now on, or no more", weight=1)
def straddles(night: "Night") -> str | None:
    found = [(table, sitter) for table in night.open_tables() for sitter in table.sitters() if not table.is_offline]
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    path = f"{table.api}/seatings/{sitter.seating}"
    is_now = not night.staff.floor.get(path).body["straddles"]
    night.done(night.staff.tablets[table.number], f"{path}/straddle", {"straddles": is_now})
    return f"{sitter.player.nickname}{'' if is_now else ' no more'}"


@behaviour("the floor counts a stack after all", weight=2)
def counts_after_all(night: "Night") -> str | None:
    players = [player for player in night.felt.by_name() if player.uncounted]
    if not players:
        return None
    player = night.rng.choice(players)
    assert player.uncounted is not None
    number, seating, stack = player.uncounted
    path = f"/api/v1/tables/{number}/seatings/{seating}/count"
    night.done(night.staff.floor, path, {"stack_cents": stack})
    counted(night, player)
    return f"{player.nickname}, {stack // 100} €"


def counted(night: "Night", player: Player) -> None:
    """Take a player's uncounted stack off what the felt has beyond the log, for the log has its count now."""
    assert player.uncounted is not None
    number, _, stack = player.uncounted
    night.tables[number].uncounted -= stack
    player.uncounted = None


def _asks(night: "Night", table: Table, sitter: Sitter, body: dict[str, int]) -> str:
    path = f"{table.api}/seatings/{sitter.seating}/buy-in"
    # The night's clock is faster than its people: a request soon after another is meant, and no repeated tap.
    body = {**body, "again": True}
    answer = night.tap(night.staff.tablets[table.number], path, body)
    if stack_cents := comes_back_with(sitter.player, answer):
        body = {**body, "amount_cents": stack_cents}
        answer = night.done(night.staff.tablets[table.number], path, body)
    elif not answer.is_done:
        raise Broken("what may be done is done", f"{sitter.player.nickname}'s slip: {answer.text[:400]}")
    sitter.slip = answer.data["slip_id"]
    return f"{sitter.player.nickname}, {body['amount_cents'] // 100} €"


def waits_for_chips(night: "Night", sitter: Sitter) -> bool:
    """Say whether chips for a seat wait to be paid, or are on their way."""
    return sitter.slip is not None or night.deliveries.waits(sitter)


def comes_back_with(player: Player, answer: Answer) -> int:
    """Return the cents with which a refusal has a player come back to a table (H1.64); 0 for any other answer."""
    return int(answer.body["data"]["stack_cents"]) if player.has_left and answer.code == "stack_to_bring" else 0


def _with_a_free_seat(night: "Night") -> Table | None:
    tables = [table for table in night.open_tables() if table.free_seats() and not table.is_closing]
    return night.rng.choice(tables) if tables else None


def may_sit(player: Player) -> bool:
    """Say whether this player may take a seat: whoever left uncounted is cashed out or counted first."""
    return player.uncounted is None and player.comes_back


def may_leave(table: Table, sitter: Sitter) -> bool:
    """Say whether a player may leave now: not out of a hand, and not before buying in or requesting chips."""
    return not table.is_in_hand(sitter.seat) and (sitter.put_in > 0 or sitter.slip is not None)
