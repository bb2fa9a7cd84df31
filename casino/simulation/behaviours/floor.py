"""The floor corrects, voids and supplies hands, counts tip boxes and clears its to-do; dealers push in."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.pushes import pushed
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night


@behaviour("the next dealer pushes in", weight=2.5)
def pushes_in(night: "Night") -> str | None:
    tables = [table for table in night.open_tables() if not table.is_offline]
    free = night.staff.on_a_break()
    if not tables or not free:
        return None
    table, name = night.rng.choice(tables), night.rng.choice(free)
    night.staff.push(table.number, name)
    pushed(night, table)
    return f"{name} at table {table.number}"


@behaviour("the floor supplies a hand", weight=5)
def supplies(night: "Night") -> str | None:
    tables = [table for table in night.open_tables() if table.not_logged]
    return supply(night, night.rng.choice(tables)) if tables else None


def supply(night: "Night", table: Table) -> str:
    """Have the floor supply a table's oldest hand that was not logged, with the rake and drop that lie in the boxes."""
    number = min(table.not_logged)
    rake, drop = table.not_logged[number]
    row = _row(night, table, f"status=not_logged&limit={max(len(table.not_logged), 20)}", number)
    body = {"rake_taken_cents": rake, "drop_taken_cents": drop, "pot_cents": None}
    night.done(night.staff.floor, f"{table.api}/hands/{row['id']}/supply", body)
    table.was_supplied(number)
    return f"table {table.number}: hand {number}"


@behaviour("the floor corrects a hand", weight=1.5)
def corrects(night: "Night") -> str | None:
    """The floor corrects a settled hand of tonight, never the newest, to larger pots; rake and drop taken stay."""
    table = _with_settled_hands(night)
    if table is None:
        return None
    row = night.rng.choice(_settled(night, table))
    pots = [pot["cents"] + 100 * night.rng.randint(1, 40) for pot in row["pots"] if pot["cents"]]
    winners = [pot["winner_seats"] for pot in row["pots"] if pot["winner_seats"]]
    if not pots or len(winners) != len(pots):
        return ""
    body = {
        "hand_id": str(night.id()),
        "winners": winners,
        "pots": pots,
        "rake_taken_cents": row["rake_taken_cents"],
        "drop_taken_cents": row["drop_taken_cents"],
        "reason": "wrong_pot",
    }
    night.done(night.staff.floor, f"{table.api}/hands/{row['id']}/correct", body)
    return f"table {table.number}: hand {row['number']}"


@behaviour("the floor voids a settled hand", weight=0.7)
def voids(night: "Night") -> str | None:
    """The floor voids a settled hand of tonight, never the newest: it counts no more, and its drop stays in the box."""
    table = _with_settled_hands(night)
    if table is None:
        return None
    row = night.rng.choice(_settled(night, table))
    night.done(night.staff.program, f"{table.api}/hands/{row['id']}/void", {"reason": "void"})
    table.was_voided(row["number"])
    night.jackpots.voided(table.number, row["number"])
    return f"table {table.number}: hand {row['number']}"


@behaviour("the tip box is counted", weight=1)
def counts_tips(night: "Night") -> str | None:
    tables = [table for table in night.open_tables() if table.felt.tips_uncounted and not table.is_offline]
    return count_tips(night, night.rng.choice(tables)) if tables else None


def count_tips(night: "Night", table: Table) -> str:
    """Have the floor enter what was put into a table's tip box since its last count."""
    if night.plan.own_tips and not night.is_next_tap_timely:
        # Where tips are each dealer's own, a clock that is hours wrong would put them into another dealer's box.
        night.manner = None
    cents = table.felt.tips_uncounted
    night.done(night.staff.floor, f"{table.api}/tips", {"counted_cents": cents})
    table.felt.tips_uncounted = 0
    return f"table {table.number}: {cents // 100} €"


@behaviour("the floor looks at its to-do", weight=1.5)
def judges(night: "Night") -> str | None:
    """The floor marks one line of its to-do as judged, but no hand that was not logged or was left open."""
    todos = [
        todo
        for todo in night.staff.floor.get("/api/v1/todos?limit=50").body
        if todo["table_number"] in night.tables and todo["kind"] not in {"hand_not_logged", "hand_abandoned"}
    ]
    if not todos:
        return None
    todo = night.rng.choice(todos)
    night.done(night.staff.floor, f"/api/v1/tables/{todo['table_number']}/todos/{todo['id']}/judge")
    if "asked" in todo["data"]:
        night.racks.of(todo["table_number"]).is_on_todo = False
    return f"table {todo['table_number']}: {todo['kind']}"


def _with_settled_hands(night: "Night") -> Table | None:
    tables = [table for table in night.open_tables() if _settled(night, table)]
    return night.rng.choice(tables) if tables else None


def _settled(night: "Night", table: Table) -> list[dict[str, Any]]:
    """Return newer settled hands of tonight, but never the newest: it is the dealer's to undo."""
    rows = night.staff.floor.get(f"{table.api}/hands?status=settled&limit=8").body
    # A hand of an earlier night is in the books for good.
    return [row for row in rows[1:] if datetime.fromisoformat(row["settled_at"]) > night.began_at]


def _row(night: "Night", table: Table, query: str, number: int) -> dict[str, Any]:
    rows = night.staff.floor.get(f"{table.api}/hands?{query}").body
    return next(row for row in rows if row["number"] == number)
