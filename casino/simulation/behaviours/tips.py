"""Tip boxes counted by two, emptied, and handed to payroll day by day; at times chips are gone from one."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.faults import may_travel_badly
from casino.simulation.boxes import pieces
from casino.simulation.felt import TipBox
from casino.simulation.table import Table
from casino.simulation.tips import Count

if TYPE_CHECKING:
    from casino.simulation.night import Night

HANDED_ON_AT_ONCE_SHARE, TAKEN_AT_THE_END_SHARE = 0.5, 0.7


@behaviour("two count a tip box", weight=3)
def are_taken(night: "Night") -> str | None:
    found = [table for _, table in sorted(night.tables.items()) if table.felt.tip_box and not table.is_offline]
    # Own tips: a box into which nobody has dealt is nobody's, and one taken along before it is logged first.
    found = [each for each in found if not night.plan.own_tips or _is_theirs(night, each)]
    return take(night, night.rng.choice(found)) if found else None


@behaviour("chips are gone from a tip box", weight=0.7)
def are_stolen(night: "Night") -> str | None:
    """Let chips vanish from a tip box, with no tap; the count by two must find missing what is below the noted tips."""
    tables = [table for _, table in sorted(night.tables.items()) if table.felt.tip_box]
    if not tables:
        return None
    table = night.rng.choice(tables)
    cents = night.rng.choice([value for value in (1_00, 5_00, table.felt.tip_box) if value <= table.felt.tip_box])
    table.felt.tip_box -= cents
    table.felt.tips_stolen += cents
    night.felt.stolen += cents
    night.tips.played["robbed"] += 1
    return f"table {table.number}: {cents // 100} €"


@behaviour("tips of a day before go to payroll", weight=3)
def are_handed_on(night: "Night") -> str | None:
    today = night.today() if night.tips.owed else ""
    days = [day for day, cents in sorted(night.tips.owed.items()) if day != today and cents]
    return hand_on(night, night.rng.choice(days)) if days else None


def tips_at_the_end(night: "Night") -> Iterator[str]:
    """
    Have two count 70 % of the tip boxes, and half the time try to hand the day's tips to payroll; yield a line each.

    Handing on is refused while a table plays on and its dealers still deal.
    """
    for _, table in sorted(night.tables.items()):
        may_take = not night.plan.own_tips or _is_theirs(night, table)
        if table.felt.tip_box and may_take and night.rng.random() < TAKEN_AT_THE_END_SHARE:
            yield take(night, table)
    today = night.today()
    if night.tips.owed[today] and night.rng.random() < HANDED_ON_AT_ONCE_SHARE:
        yield hand_on(night, today) if not night.open_tables() else _deals_on(night, today)


def _deals_on(night: "Night", day: str) -> str:
    body = {"day": day, "cents": night.tips.owed[day], "second": night.staff.second("frans")}
    return night.refused(night.staff.desktop, "/api/v1/tips/hand-on", body, code="dealers_still_deal")


def take(night: "Night", table: Table) -> str:
    """Have two count the tip box that hangs at a table and empty it."""
    box = table.felt.hanging_tips()
    counted_by_two(night, table, box, f"{table.api}/tips/take", day=night.today())
    table.felt.take_tips_away(dealer=night.dealer_at(table.number))
    return f"table {table.number}: {box.lies // 100} €"


def counted_by_two(night: "Night", table: Table, box: TipBox, path: str, *, day: str) -> dict[str, Any]:
    """
    Have floor and cashier count a tip box, as of a day, and return the call's body; refused if the floor signs twice.

    Where less lies there than was noted, the floor's to-do must show it. Where tips are each dealer's own, the house
    must name the one dealer who dealt into the box, and nobody where several did.
    """
    found, noted = box.lies, box.noted
    body = {"pieces": pieces(found), "second": night.staff.second("carla")}
    alone = {**body, "second": night.staff.second("frans")}
    night.refused(night.staff.floor, path, alone, code="same_person")
    before = _differ(night, table)
    may_travel_badly(night)
    data = night.done(night.staff.floor, path, body).data
    dealers = frozenset(box.dealers if night.plan.own_tips else ())
    dealer = night.staff.id_of(box.dealers[0]) if len(dealers) == 1 else None
    night.must_equal("what two have counted in a tip box", (data["counted_cents"], data["dealer"]), (found, dealer))
    new = [difference for todo, difference in _differ(night, table).items() if todo not in before]
    ours = [{"cents": found, "noted_cents": noted}] if found < noted else []
    night.must_equal(f"what is missing from the tip box of table {table.number}", new, ours)
    night.tips.played["differ"] += len(ours)
    night.tips.take(day, found)
    table.felt.tips_missing += box.stolen
    table.felt.difference += max(noted - found, 0)
    if night.plan.own_tips:
        night.tips.counts.append(Count(data["count"], day, dealers, found, noted))
    return body


def hand_on(night: "Night", day: str) -> str:
    """Have manager and floor hand a day's owed tips to payroll, whole and in shares that add up; more is refused."""
    mari, path, cents = night.staff.desktop, "/api/v1/tips/hand-on", night.tips.owed[day]
    body = {"day": day, "cents": cents, "second": night.staff.second("frans")}
    night.refused(mari, path, {**body, "cents": cents + 1_00}, code="no_tips_left")
    night.must_equal("tips of a day", _owed(night, day), (night.tips.counted[day], cents))
    may_travel_badly(night)
    night.must_equal("tips handed on", night.done(mari, path, body).data["handed_cents"], cents)
    night.felt.vault_chips += night.tips.hand_on(day)
    of_day = mari.get(f"/api/v1/tips?day={day}").body
    shares = sum(dealer["handed_cents"] for dealer in of_day["dealers"])
    night.must_equal("shares of tips", (shares, of_day["owed_cents"]), (of_day["handed_cents"], 0))
    return f"{cents // 100} € of {day}"


def _owed(night: "Night", day: str) -> tuple[int, int]:
    of_day = night.staff.desktop.get(f"/api/v1/tips?day={day}").body
    return of_day["counted_cents"], of_day["owed_cents"]


def _differ(night: "Night", table: Table) -> dict[int, Any]:
    """Return the floor's open to-dos on differing tip boxes of a table: their data by the numbers of their rows."""
    todos = night.staff.floor.get("/api/v1/todos?limit=100").body
    found = (todo for todo in todos if todo["kind"] == "tips_differ" and todo["table_number"] == table.number)
    return {todo["id"]: todo["data"] for todo in found}


def _is_theirs(night: "Night", table: Table) -> bool:
    tips, number = night.tips, table.number
    return bool(table.felt.tip_dealers) and not tips.at(number, is_logged=False) and not tips.mistaken(number)
