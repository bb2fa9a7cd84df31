"""
Dealers' racks, in nights whose book keeps them: filled, taken over at pushes, counted; at times a dealer takes chips.

Chips and cash go between vault and rack by slips (`fills`), or, in nights of one step (`Plan.one_step`), at once.

A count that differs names the dealers since the count before: whoever took chips is among them. Cash for which chips
were sold out of the rack (`cash_plays`) is counted with it.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.faults import may_travel_badly
from casino.simulation.behaviours.fills import carry_at_once
from casino.simulation.boxes import CASH_VALUES, pieces
from casino.simulation.broken import Broken
from casino.simulation.front_door import Answer, Device
from casino.simulation.racks import CASH, CHIPS, Push, Rack
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

DRAWN = "a rack is counted as often as the book says"
POINTS = "what is missing from a rack points to the downs between its two last counts"
# On a tablet's page: the down, whose it is, and whether a count was drawn.
_RACK_QUESTION = re.compile(r'data-do="rack" data-down="(\d+)" data-dealer="(\d+)"[^>]*?(data-counted)?>')
FILLED, LEFT_MIN = 500_00, 200_00
AS_LEFT_SHARE, STAYS_SHARE, COUNTED_IN_THE_MORNING_SHARE, REFUSED_SHARE = 0.45, 0.4, 0.5, 0.2
STOLEN = (1_00, 5_00, 25_00, 100_00)


@dataclass(frozen=True)
class _Question:
    """What a tablet asks whoever has pushed in: to count the rack, or, not `is_counted`, to take it over."""

    down: int
    dealer: int
    is_counted: bool


@behaviour("chips are brought to a rack", weight=25, of="racks")
def is_filled(night: "Night") -> str | None:
    """
    Fill a rack of less than 200 € with 500 € in chips from the vault, by a fill slip that is carried at once.

    In nights of one step floor and cashier count the chips in together instead; in the others that is refused.
    """
    tables = [table for _, table in sorted(night.tables.items()) if night.racks.of(table.number).lies < LEFT_MIN]
    if not tables or night.felt.vault_chips < FILLED:
        return None
    table = night.rng.choice(tables)
    path, body = f"{table.api}/rack/fill", {"pieces": pieces(FILLED), "second": night.staff.second("carla")}
    night.racks.played["filled"] += 1
    if not night.plan.one_step:
        if night.rng.random() < REFUSED_SHARE:
            night.refused(night.staff.floor, path, body, code="fills_in_one_step")
        return carry_at_once(night, "fill", ("table", table.number), Counter(chips=FILLED))
    may_travel_badly(night)
    night.done(night.staff.floor, path, body)
    night.felt.vault_chips -= FILLED
    night.racks.of(table.number).moves(FILLED, dealer=night.dealer_at(table.number))
    return f"table {table.number}"


def rack_pushed(night: "Night", table: Table) -> None:
    """
    Let a dealer begin at an open table: its tablet must show the question of the rack just where the log has one there.

    :raises Broken: it does not, names another dealer, or wants no count where the book is certain to draw one.
    """
    rack = night.racks.of(table.number)
    rack.asks, rack.sold = None, False
    rack.dealers.append(night.staff.at_table[table.number])
    if not night.plan.racks:
        return
    found = _question(night.staff.tablets[table.number], table.number)
    lies = bool(rack.expected_chips or rack.expected_cash)
    night.must_equal(f"whether table {table.number} asks about its rack", found is not None, lies)
    if found is None:
        return
    night.must_equal("who takes a rack over", found.dealer, night.staff.id_of(rack.dealers[-1]))
    if rack.must_be_counted(is_closing=table.is_closing) and not found.is_counted:
        raise Broken(DRAWN, f"table {table.number}: {rack.pushes}")
    rack.asks = found.down
    rack.pushes.append(Push(found.is_counted))
    night.racks.played["drawn"] += found.is_counted
    night.racks.played["drawn for what was asked"] += rack.is_on_todo


@behaviour("a dealer takes the rack over", weight=80, of="racks")
def takes_over(night: "Night") -> str | None:
    """
    Have the dealer who pushed in take over the rack on the tablet, as left or counted; the house must log which.

    Whether a count was drawn makes no difference to the choice, so that a night does not hang on the house's own draw.
    """
    tables = [table for table in night.open_tables() if night.racks.of(table.number).asks and not table.is_offline]
    # A tap that is dated hours wrong would be held against what the rack was at that time.
    if not tables or not night.is_next_tap_timely:
        return None
    table = night.rng.choice(tables)
    rack = night.racks.of(table.number)
    is_drawn = rack.pushes[-1].is_drawn
    is_left = night.rng.random() < AS_LEFT_SHARE
    body = {"down_id": rack.asks, **({"pieces": None} if is_left else _lies(rack))}
    rack.asks = None
    tablet, path = night.staff.tablets[table.number], f"{table.api}/rack"
    may_travel_badly(night)
    if is_left:
        data = night.done(tablet, path, body).data
        night.must_equal("a rack that is taken over as left", (data["kind"], data["how"]), ("push", "as_left"))
        night.racks.played["taken as left"] += 1
        return f"table {table.number}: as left"
    rack.pushes[-1].was_counted = True
    return _counted(night, table, tablet, path, body, kind="unannounced" if is_drawn else "push")


@behaviour("a dealer takes chips out of the rack", weight=8, of="racks")
def is_robbed(night: "Night") -> str | None:
    """Let a dealer who has taken the rack over steal chips from it, with no tap; the next count must find them gone."""
    tables = [table for table in night.open_tables() if not night.racks.of(table.number).asks]
    tables = [table for table in tables if night.racks.of(table.number).lies and night.dealer_at(table.number)]
    if not tables:
        return None
    table = night.rng.choice(tables)
    rack, dealer = night.racks.of(table.number), night.dealer_at(table.number)
    cents = night.rng.choice([value for value in (*STOLEN, rack.lies) if value <= rack.lies])
    rack.is_robbed(dealer, CHIPS, cents)
    night.felt.stolen += cents
    night.racks.played["robbed"] += 1
    return f"{dealer}, {cents // 100} € at table {table.number}"


@behaviour("the floor counts a rack", weight=3, of="racks")
def is_counted(night: "Night") -> str | None:
    tables = [table for _, table in sorted(night.tables.items()) if night.racks.of(table.number).was_filled]
    return count(night, night.rng.choice(tables), "floor") if tables else None


@behaviour("a rack goes back to the vault", weight=2, of="racks")
def is_cleared(night: "Night") -> str | None:
    tables = [table for _, table in sorted(night.tables.items()) if not table.is_open]
    tables = [table for table in tables if not night.racks.of(table.number).is_empty]
    return clear(night, night.rng.choice(tables)) if tables else None


def racks_at_the_end(night: "Night") -> Iterator[str]:
    """Clear most racks into the vault at the day's end; two in five stay, but none with cash. Yield a line for each."""
    for _, table in sorted(night.tables.items()) if night.plan.racks else ():
        rack = night.racks.of(table.number)
        if not rack.is_empty and (night.rng.random() >= STAYS_SHARE or rack.cash or rack.expected_cash):
            yield clear(night, table)


def racks_in_the_morning(night: "Night") -> None:
    """Begin each rack's day with no pushes; half of those that stayed over night are counted before a table opens."""
    for _, table in sorted(night.tables.items()):
        rack = night.racks.of(table.number)
        rack.pushes, rack.asks, rack.refused = [], None, 0
        if night.plan.racks and not rack.is_empty and night.rng.random() < COUNTED_IN_THE_MORNING_SHARE:
            count(night, table, "opening")


def count(night: "Night", table: Table, kind: str) -> str:
    """Have the floor count a rack, as a count of this kind; return a line."""
    body = {"kind": kind, **_lies(night.racks.of(table.number))}
    return _counted(night, table, night.staff.floor, f"{table.api}/rack/count", body, kind=kind)


def clear(night: "Night", table: Table) -> str:
    """
    Have floor and cashier count a rack, and all that lies there go to the vault; refused where the floor signs twice.

    It goes by a credit slip; in nights of one step at once, which the other nights refuse.
    """
    rack = night.racks.of(table.number)
    lies, cash, floor = rack.lies, rack.cash, night.staff.floor
    to_vault, path = f"{table.api}/rack/clear", f"{table.api}/rack/close"
    body: dict[str, Any] = {**_lies(rack), "second": night.staff.second("carla")}
    alone = {**body, "second": night.staff.second("frans")}
    night.refused(floor, to_vault if night.plan.one_step else path, alone, code="same_person")
    if not night.plan.one_step:
        if night.rng.random() < REFUSED_SHARE:
            night.refused(floor, to_vault, body, code="fills_in_one_step")
        line = _counted(night, table, floor, path, body, kind="at_closing")
        night.racks.played["closed"] += 1
        if not lies and not cash:
            return line
        # Cash that came back into a rack would keep the day open.
        wished, at = Counter(chips=lies, cash=cash), ("table", table.number)
        return f"{line}; {carry_at_once(night, 'credit', at, wished, may_return=False)}"
    line = _counted(night, table, floor, to_vault, body, kind="closing")
    rack.moves(-lies, cash=-cash, dealer="")
    night.felt.vault_chips += lies
    night.felt.vault_cash += cash
    return f"{line}, to the vault"


def _counted(night: "Night", table: Table, device: Device, path: str, body: dict[str, Any], *, kind: str) -> str:
    """Have a rack counted: the house must find what went wrong since the last count, and name who has dealt since."""
    rack = night.racks.of(table.number)
    answer = night.done(device, path, body)
    ours = {"kind": kind, "counted_cents": rack.lies, "expected_cents": rack.expected_chips}
    ours["difference_cents"] = -rack.missing(CHIPS)
    if rack.cash or rack.expected_cash:
        ours |= {"counted_cash_cents": rack.cash, "expected_cash_cents": rack.expected_cash}
        ours["cash_difference_cents"] = -rack.missing(CASH)
        night.racks.played["cash counted"] += 1
    answered = {name: answer.data.get(name) for name in ours}
    night.must_equal(f"the count of the rack of table {table.number}", answered, ours)
    if rack.missing(CHIPS) or rack.missing(CASH):
        _points_to_the_thief(night, table, answer, is_push=kind in {"push", "unannounced"})
        night.racks.played["differ"] += 1
        night.racks.played["cash differs"] += bool(rack.missing(CASH))
    rack.is_counted(dealer=night.dealer_at(table.number))
    night.racks.played["counted"] += 1
    return f"the rack of table {table.number}: {rack.lies // 100} € and {rack.cash // 100} € in cash"


def _points_to_the_thief(night: "Night", table: Table, answer: Answer, *, is_push: bool) -> None:
    """
    Check that the floor's to-do names the dealers between the last two counts, thieves among them, and nobody else.

    At a push the dealer who takes the rack over may be missing: one who has neither dealt nor sold chips since.

    :raises Broken: no such to-do, or other names.
    """
    rack, staff = night.racks.of(table.number), night.staff
    todos = staff.floor.get("/api/v1/todos?limit=100").body
    found = [
        todo["data"]
        for todo in todos
        if todo["kind"] == "rack_differs" and todo["data"]["check"] == answer.data["check"]
    ]
    if len(found) != 1:
        raise Broken("a rack that differs is on the floor's to-do", f"table {table.number}: {found}")
    sat = [staff.id_of(name) for name in rack.dealers]
    may_be = [list(dict.fromkeys(sat))]
    if is_push:
        may_be.append(list(dict.fromkeys(sat[:-1])))
    thieves = {staff.id_of(theft.dealer) for theft in rack.thefts}
    if is_push and night.tally.faults["clock set back"]:
        # Moments alone decide whether the one who takes it over has dealt or sold before.
        thieves.discard(sat[-1])
    if found[0]["dealers"] not in may_be or not thieves <= set(found[0]["dealers"]):
        seen = f"table {table.number}: {found[0]['dealers']} instead of {may_be}, stolen by {sorted(thieves)}"
        raise Broken(POINTS, seen)


def _lies(rack: Rack) -> dict[str, Any]:
    """Return what staff count in a rack: chips and cash by pieces, with an empty list where there is no cash."""
    return {"pieces": pieces(rack.lies), "cash": pieces(rack.cash, CASH_VALUES) if rack.cash else []}


def _question(tablet: Device, number: int) -> _Question | None:
    """Return the question about the rack on a tablet's page, None where there is none."""
    found = _RACK_QUESTION.search(tablet.get(f"/tables/{number}/").text)
    return found and _Question(int(found[1]), int(found[2]), bool(found[3]))
