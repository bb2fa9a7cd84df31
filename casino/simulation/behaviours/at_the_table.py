"""At a table beside the hands: seat changes, playing over, the clock, penalties, exclusions."""

from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.players import hold, leave, may_sit
from casino.simulation.broken import Broken
from casino.simulation.felt import Sitter
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

BACK_SHARE = 0.4


@behaviour("a player asks for another seat", weight=1.5)
def asks_for_a_seat(night: "Night") -> str | None:
    table = between_hands(night)
    if table is None or not table.sitters():
        return None
    sitter = night.rng.choice(table.sitters())
    body = {"asks": night.rng.random() < 0.7, "seat_number": night.rng.choice([None, *range(1, table.seats + 1)])}
    night.done(night.staff.tablets[table.number], f"{_path(table, sitter)}/ask-seat", body)
    return f"{sitter.player.nickname} at table {table.number}"


@behaviour("a player changes seats", weight=3)
def changes_seats(night: "Night") -> str | None:
    """The floor lets a player change to a free seat between two hands (H4.45), and at times takes that back."""
    table = between_hands(night)
    if table is None or not table.sitters() or not table.free_seats():
        return None
    return change_seats(night, table, night.rng.choice(table.sitters()))


def change_seats(night: "Night", table: Table, sitter: Sitter) -> str:
    """
    Have the floor change a player to a free seat; return the journal's word. Now and then the floor taps an occupied
    seat, which is refused. A change is taken back at times, and once only; never out of a played-over one, which
    is its holder's again (A40).
    """
    seat, path, old = night.rng.choice(table.free_seats()), _path(table, sitter), sitter.seat
    body = {"seat_number": seat, "posts": night.rng.random() < 0.5}
    is_over = old in table.felt.played_over
    taken = [other.seat for other in table.sitters() if other is not sitter]
    if taken and night.rng.random() < 0.2:
        wrong = {**body, "seat_number": night.rng.choice(taken)}
        return night.refused(night.staff.floor, f"{path}/change-seat", wrong, code="seat_taken")
    night.done(night.staff.floor, f"{path}/change-seat", body)
    table.felt.change_seat(sitter, seat)
    line = f"{sitter.player.nickname} at table {table.number} from seat {old} to {seat}"
    if night.rng.random() >= BACK_SHARE:
        return line
    if is_over:
        # The old seat is its holder's again (A40).
        night.refused(night.staff.floor, f"{path}/change-seat-back", code="nothing_to_take_back")
        return f"{line}, played over until then"
    night.done(night.staff.floor, f"{path}/change-seat-back")
    table.felt.change_seat(sitter, old)
    night.refused(night.staff.floor, f"{path}/change-seat-back", code="nothing_to_take_back")
    return f"{line} and back"


@behaviour("somebody plays over", weight=4)
def plays_over(night: "Night") -> str | None:
    """
    A waiting player sits down in the seat of an absent one (H4.48), with chips from the pocket if they are enough.
    Refused while the holder is not away, at a table that closes, and for a seat in which somebody plays over already.
    """
    table = between_hands(night)
    waiting = [player for player in night.felt.by_name() if player.table is None and may_sit(player)]
    holders = [sitter for sitter in table.sitters() if sitter.seat not in table.felt.played_over] if table else []
    if table is None or not holders or not waiting:
        return None
    away = [holder for holder in holders if holder.is_held]
    holder, player = night.rng.choice(away or holders), night.rng.choice(waiting)
    least, most = table.game["buy_in_min_cents"], table.game["buy_in_max_cents"]
    brings = min(player.pocket, most or player.pocket) // 100 * 100
    brings = brings if brings >= least and not player.has_left else 0
    path, body = f"{_path(table, holder)}/play-over", {"player_id": player.id, "chips_cents": brings}
    if table.is_closing:
        return night.refused(night.staff.floor, path, body, code="table_closes")
    if not holder.is_held:
        night.refused(night.staff.floor, path, body, code="not_away")
        hold(night, table, holder, is_held=True)
    answer = night.done(night.staff.floor, path, body)
    player.pocket -= brings
    table.felt.play_over(Sitter(player, answer.data["seating"], holder.seat, stack=brings, put_in=brings))
    night.refused(night.staff.floor, path, body, code="seat_not_free")
    return f"{player.nickname} at table {table.number} in seat {holder.seat} for {holder.player.nickname}"


@behaviour("the holder of a seat is back", weight=8)
def holder_is_back(night: "Night") -> str | None:
    """The holder of a seat comes back; the over player leaves it, and the floor counts that player's stack (A40)."""
    table = between_hands(night, is_played_over=True)
    return give_back(night, table, night.rng.choice(sorted(table.felt.played_over))) if table else None


def give_back(night: "Night", table: Table, seat: int) -> str:
    """
    Have the holder of a seat dealt in again between two hands, and the over player leave; return the journal's word.
    """
    over, holder = table.felt.sitters[seat], table.felt.played_over[seat]
    tablet = night.staff.floor if table.is_offline else night.staff.tablets[table.number]
    night.deliveries.come_first(over)
    night.done(tablet, f"{_path(table, holder)}/hold", {"is_held": False})
    night.done(night.staff.floor, f"{_path(table, over)}/count", {"stack_cents": over.stack})
    table.felt.markers.comes_back(holder.seating, holder.player.id, over=over.seating, over_player=over.player.id)
    table.felt.get_up(over)
    holder.is_held = holder.player.is_on_break = False
    return f"{holder.player.nickname} at table {table.number}, seat {seat}, from {over.player.nickname}"


@behaviour("a player is put on the clock", weight=2)
def is_on_the_clock(night: "Night") -> str | None:
    """
    The dealer puts a player on the clock, and mostly taps how it ends: acted, time ran out, or taken back. A clock that
    is left running ends when the next one is called at the table.
    """
    tables = [table for table in night.open_tables() if table.sitters() and not table.is_offline]
    if not tables:
        return None
    table = night.rng.choice(tables)
    sitter, tablet = night.rng.choice(table.sitters()), night.staff.tablets[table.number]
    clock = night.done(tablet, f"{_path(table, sitter)}/clock").data["clock"]
    how = night.rng.choice([None, "acted", "ran_out", "taken_back"])
    if how is not None:
        night.done(tablet, f"{table.api}/clock/end", {"clock_id": clock, "how": how})
    return f"{sitter.player.nickname} at table {table.number}: {how or 'it runs'}"


@behaviour("the floor writes a penalty down", weight=1)
def is_penalised(night: "Night") -> str | None:
    """
    The floor logs a penalty of 10, 20 or 30 minutes: until the floor ends it, the player is not dealt in, and a move to
    another table is refused (H1.48). Then the dealer deals the player in at once, or the seat stays held.
    """
    table = between_hands(night)
    sitters = [each for each in table.sitters() if each.seat not in table.felt.played_over] if table else []
    if table is None or not sitters:
        return None
    sitter = night.rng.choice(sitters)
    body: dict[str, Any] = {"kind": "penalty", "player_ids": [sitter.player.id]}
    body["minutes"] = night.rng.choice([10, 20, 30])
    incident = night.done(night.staff.floor, f"{table.api}/incidents", body).data["incident"]
    sitter.is_held = True
    moves = {"to_table": table.number % len(night.tables) + 1, "seat_number": 1, "stack_cents": sitter.stack}
    night.refused(night.staff.floor, f"{_path(table, sitter)}/move", moves, code="penalty_runs")
    night.done(night.staff.floor, f"/api/v1/incidents/{incident}/end")
    if night.rng.random() < 0.5:
        hold(night, table, sitter, is_held=False)
    return f"{sitter.player.nickname} at table {table.number}, {body['minutes']} minutes"


@behaviour("a seated player is excluded", weight=0.7)
def is_excluded(night: "Night") -> str | None:
    """
    A manager bans a seated player, who leaves with a counted stack. A seat and a place on a list are refused to that
    player until two lift the ban.
    """
    table = between_hands(night)
    sitters = [sitter for sitter in table.sitters() if sitter.seat not in table.felt.played_over] if table else []
    if table is None or not sitters:
        return None
    sitter, floor = night.rng.choice(sitters), night.staff.floor
    player = sitter.player
    exclusion = night.done(night.staff.desktop, f"/api/v1/people/players/{player.id}/ban").data["exclusion"]
    for _, wait in night.lists.live():
        if wait.player is player:
            wait.ends("struck")
            wait.may_be_put_back = False
    leave(night, table, sitter, is_counted=True)
    seat = f"{table.api}/seats/{sitter.seat}"
    night.refused(floor, seat, {"player_id": player.id}, code="player_banned")
    games = f"/api/v1/lists/{table.game['id']}/join"
    night.refused(floor, games, {"player_id": player.id}, code="player_banned")
    lift = f"/api/v1/people/exclusions/{exclusion}/lift"
    night.done(night.staff.desktop, lift, {"second": night.staff.second("frans")})
    return f"{player.nickname} at table {table.number}"


def between_hands(night: "Night", *, is_played_over: bool = False) -> Table | None:
    """
    Draw a table with a connection where no hand is in progress on the felt; None where there is none.

    :raises Broken: the log has a hand there.
    """
    tables = [
        table
        for table in night.open_tables()
        if table.hand is None and not table.is_offline and not table.left_on_dead_tablets
    ]
    tables = [table for table in tables if table.felt.played_over] if is_played_over else tables
    if not tables:
        return None
    table = night.rng.choice(tables)
    if (hand := night.staff.floor.get(table.api).body["hand"]) is not None:
        raise Broken("the log has no hand that nobody plays", f"table {table.number}: {hand}")
    return table


def _path(table: Table, sitter: Sitter) -> str:
    return f"{table.api}/seatings/{sitter.seating}"
