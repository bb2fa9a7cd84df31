"""Commands that the house must refuse: against a rule, of an old version, without a permission, with a used id."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour
from casino.simulation.felt import Sitter
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

Tries = Callable[["Night", Table, Sitter], "str | None"]


@behaviour("somebody tries what may not be", weight=16)
def tries(night: "Night") -> str | None:
    tables = [table for table in night.open_tables() if table.felt.sitters and not table.is_offline]
    if not tables:
        return None
    table = night.rng.choice(tables)
    return night.rng.choice(TRIES)(night, table, night.rng.choice(table.sitters()))


def _unless_closing(table: Table, code: str) -> str:
    """Return the code by which a seat must be refused: `table_closes` where nobody new may sit down, else `code`."""
    return "table_closes" if table.is_closing else code


def _taken(night: "Night", table: Table, sitter: Sitter) -> str | None:
    others = [player for player in night.felt.by_name() if player.table != table.number]
    if not others:
        return None
    body = {"player_id": night.rng.choice(others).id}
    return night.refused(
        night.staff.floor, f"{table.api}/seats/{sitter.seat}", body, code=_unless_closing(table, "seat_taken")
    )


def _twice_at_a_table(night: "Night", table: Table, sitter: Sitter) -> str | None:
    if not table.free_seats():
        return None
    path = f"{table.api}/seats/{night.rng.choice(table.free_seats())}"
    return night.refused(
        night.staff.floor, path, {"player_id": sitter.player.id}, code=_unless_closing(table, "already_seated")
    )


def _too_little(night: "Night", table: Table, sitter: Sitter) -> str | None:
    free = [player for player in night.felt.by_name() if player.table is None and not player.has_left]
    if not free or not table.free_seats():
        return None
    body = {"player_id": night.rng.choice(free).id, "chips_cents": table.game["buy_in_min_cents"] - 100}
    path = f"{table.api}/seats/{table.free_seats()[0]}"
    return night.refused(
        night.staff.tablets[table.number], path, body, code=_unless_closing(table, "buy_in_under_minimum")
    )


def _too_much(night: "Night", table: Table, sitter: Sitter) -> str | None:
    if table.game["buy_in_max_cents"] is None or (sitter.player.has_left and not sitter.put_in):
        return None
    body = {"amount_cents": table.game["buy_in_max_cents"] + 100, "stack_cents": 0}
    path = f"{table.api}/seatings/{sitter.seating}/buy-in"
    return night.refused(night.staff.tablets[table.number], path, body, code="buy_in_over_maximum")


def _no_such_seat(night: "Night", table: Table, sitter: Sitter) -> str | None:
    body = {"player_id": sitter.player.id}
    return night.refused(
        night.staff.floor, f"{table.api}/seats/{table.seats + 1}", body, code=_unless_closing(table, "no_such_seat")
    )


def _stale(night: "Night", table: Table, sitter: Sitter) -> str | None:
    seen = night.staff.floor.get(table.api).version
    body = {"game_id": table.game["id"], "consents": []}
    return night.refused(night.staff.floor, f"{table.api}/stakes", body, code="stale", version=seen - 1)


def _without_a_version(night: "Night", table: Table, sitter: Sitter) -> str | None:
    return night.refused(
        night.staff.floor, f"{table.api}/open", {"game_id": table.game["id"]}, code="precondition_missing"
    )


def _occupied(night: "Night", table: Table, sitter: Sitter) -> str | None:
    code = "hand_in_progress" if night.staff.floor.get(table.api).body["hand"] else "seats_occupied"
    return night.refused(night.staff.floor, f"{table.api}/close", code=code)


def _open_already(night: "Night", table: Table, sitter: Sitter) -> str | None:
    seen = night.staff.floor.get(table.api).version
    body = {"game_id": table.game["id"]}
    return night.refused(night.staff.floor, f"{table.api}/open", body, code="table_already_open", version=seen)


def _another_table(night: "Night", table: Table, sitter: Sitter) -> str | None:
    others = [tablet for number, tablet in night.staff.tablets.items() if number != table.number]
    if not others:
        return None
    path = f"{table.api}/seatings/{sitter.seating}/leave"
    return night.refused(night.rng.choice(others), path, {"stack_cents": 0}, code="not_permitted")


def _not_theirs(night: "Night", table: Table, sitter: Sitter) -> str | None:
    body = {"player_id": sitter.player.id}
    return night.refused(night.staff.cage, f"{table.api}/seats/{sitter.seat}", body, code="not_permitted")


def _used_id(night: "Night", table: Table, sitter: Sitter) -> str | None:
    """Send a seat's held state as it is, then the opposite with the same command id, which must be refused."""
    path, used = f"{table.api}/seatings/{sitter.seating}/hold", night.id()
    tablet = night.staff.tablets[table.number]
    night.done(tablet, path, {"is_held": sitter.is_held}, id=used)
    return night.refused(tablet, path, {"is_held": not sitter.is_held}, code="command_id_reused", id=used)


def _nothing_to_undo(night: "Night", table: Table, sitter: Sitter) -> str | None:
    body = {"hand_id": str(night.id())}
    return night.refused(night.staff.tablets[table.number], f"{table.api}/hands/undo", body, code="nothing_to_undo")


def _unreadable(night: "Night", table: Table, sitter: Sitter) -> str | None:
    body = {"amount_cents": night.rng.choice([-100, 0, "all", None, 1.5])}
    path = f"{table.api}/seatings/{sitter.seating}/buy-in"
    return night.refused(night.staff.tablets[table.number], path, body, code="malformed")


def _nobody_there(night: "Night", table: Table, sitter: Sitter) -> str | None:
    path = f"{table.api}/seatings/{2**40}/leave"
    return night.refused(night.staff.floor, path, {"stack_cents": 0}, code="not_found")


def _closed_elsewhere(night: "Night", table: Table, sitter: Sitter) -> str | None:
    closed = [each for _, each in sorted(night.tables.items()) if not each.is_open]
    if not closed:
        return None
    path = f"{closed[0].api}/seats/1"
    return night.refused(night.staff.floor, path, {"player_id": sitter.player.id}, code="table_closed")


def _nobody(night: "Night", table: Table, sitter: Sitter) -> str | None:
    program = night.staff.stranger()
    return night.refused(program, f"{table.api}/seats/{sitter.seat}", {"player_id": 1}, code="token_unknown")


def _day_not_finished(night: "Night", table: Table, sitter: Sitter) -> str | None:
    return night.refused(night.staff.desktop, "/api/v1/cage/day/close", code="day_not_finished")


def _deposit_too_small(night: "Night", table: Table, sitter: Sitter) -> str | None:
    body = {"amount_cents": sitter.player.deposit + 100, "player_id": sitter.player.id}
    path = "/api/v1/cage/drawers/1/withdrawals"
    return night.refused(night.staff.cage, path, body, code="promise_too_small")


TRIES: tuple[Tries, ...] = (
    _taken,
    _twice_at_a_table,
    _too_little,
    _too_much,
    _no_such_seat,
    _stale,
    _without_a_version,
    _occupied,
    _open_already,
    _another_table,
    _not_theirs,
    _used_id,
    _nothing_to_undo,
    _unreadable,
    _nobody_there,
    _closed_elsewhere,
    _nobody,
    _day_not_finished,
    _deposit_too_small,
)
