"""
Tips that are each dealer's own, in nights whose book says so: at the push a dealer takes the box along, or forgets it.

The dealer who pushes in logs that the box was taken along, or the floor does later; that dealer at times by mistake,
of a box that hangs on, which is taken back. Two count each box by itself, at times the day after: what is gone from a
box is missing there alone, and its tips are shared by those alone who dealt into it.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.faults import may_travel_badly
from casino.simulation.behaviours.tips import counted_by_two
from casino.simulation.front_door import Device
from casino.simulation.table import Table
from casino.simulation.tips import Closed, Mistake

if TYPE_CHECKING:
    from casino.simulation.night import Night

# On a tablet's page: the down whose tip box is not logged as taken along, and its dealer's name.
_TIPS_QUESTION = re.compile(r'data-do="tips-of" data-down="(\d+)" data-name="([^"]*)"')
# On the page of a dealer's own downs: the number of each of their receipts.
_RECEIPT = re.compile(r"/tables/mine/tips/(\d+)/")
TAKEN_ALONG_SHARE, CLOSED_LATER_SHARE, COUNTED_AT_THE_END_SHARE = 0.7, 0.3, 0.5
MISTAKEN_SHARE, BY_WHO_CLOSED_SHARE = 0.5, 0.6


def tips_pushed(night: "Night", table: Table) -> None:
    """
    Let a dealer begin at a table: the tablet must ask about the tip box of the dealer before, where tips are own tips.

    That dealer has taken it along (70 %), which the tablet logs at once or the floor later; else it hangs on for both
    dealers, and at times is logged as taken along by mistake. An earlier mistake is taken back first.
    """
    dealers, dealer = table.felt.tip_dealers, night.staff.at_table[table.number]
    if not night.plan.own_tips:
        return
    if mistake := night.tips.mistaken(table.number):
        # The next dealer's box can be logged only once the mistaken one counts as hanging again.
        take_back(night, mistake, night.staff.floor)
    left = dealers[-1] if dealers else dealer
    question = _TIPS_QUESTION.search(night.staff.tablets[table.number].get(f"/tables/{table.number}/").text)
    if left != dealer:
        night.must_equal("whose tips a push asks about", question and question[2], left.capitalize())
        assert question is not None
        if night.rng.random() < TAKEN_ALONG_SHARE:
            night.tips.closed.append(Closed(table.number, int(question[1]), table.felt.take_tips_away(dealer=dealer)))
            table.felt.tips_apart.append(night.tips.closed[-1].box)
            night.tips.played["taken along"] += 1
            if night.rng.random() >= CLOSED_LATER_SHARE:
                close_tips(night, table, night.staff.tablets[table.number])
            return
        night.tips.played["forgotten"] += 1
        if not night.tips.at(table.number, is_logged=False) and night.rng.random() < MISTAKEN_SHARE:
            _is_mistaken(night, table, int(question[1]))
    if not dealers or dealers[-1] != dealer:
        dealers.append(dealer)


@behaviour("the floor says that a tip box was taken along", weight=6, of="own_tips")
def floor_closes_tips(night: "Night") -> str | None:
    tables = [table for _, table in sorted(night.tables.items()) if night.tips.at(table.number, is_logged=False)]
    if not tables:
        return None
    table = night.rng.choice(tables)
    close_tips(night, table, night.staff.floor)
    return f"table {table.number}"


@behaviour("that a tip box was taken along is taken back", weight=12, of="own_tips")
def is_taken_back(night: "Night") -> str | None:
    """Have floor or tablet take back that a box was taken along; the tablet is refused once tips were noted since."""
    mistakes = [each for _, table in sorted(night.tables.items()) if (each := night.tips.mistaken(table.number))]
    if not mistakes:
        return None
    mistake = night.rng.choice(mistakes)
    table, device = night.tables[mistake.table], night.staff.floor
    if table.is_open and not table.is_offline and night.rng.random() < BY_WHO_CLOSED_SHARE:
        device = night.staff.tablets[table.number]
        if table.felt.hanging_tips().noted != mistake.noted:
            return night.refused(device, _back(night, mistake), code="tips_noted_since")
    return take_back(night, mistake, device)


@behaviour("two count a tip box that was taken along", weight=5, of="own_tips")
def is_counted(night: "Night") -> str | None:
    boxes = [closed for closed in night.tips.closed if closed.id is not None]
    return _count(night, night.rng.choice(boxes)) if boxes else None


@behaviour("chips are gone from a tip box that was taken along", weight=1, of="own_tips")
def is_robbed(night: "Night") -> str | None:
    """Let chips vanish, with no tap, from a tip box taken along; its count must find them gone, and no other's."""
    boxes = [closed for closed in night.tips.closed if closed.box.lies]
    if not boxes:
        return None
    closed = night.rng.choice(boxes)
    box = closed.box
    cents = night.rng.choice([value for value in (1_00, 5_00, box.lies) if value <= box.lies])
    box.lies -= cents
    box.stolen += cents
    night.felt.stolen += cents
    night.tips.played["robbed apart"] += 1
    return f"{box.dealers[-1]}, {cents // 100} € of table {closed.table}"


@behaviour("a dealer reads their own tips, and a receipt is printed", weight=3, of="own_tips")
def is_read(night: "Night") -> str | None:
    """Read a dealer's page, which must list that dealer's receipts of tips alone; print one, which must be counted."""
    tables = [table for table in night.open_tables() if not table.is_offline]
    if not tables:
        return None
    table, mari = night.rng.choice(tables), night.staff.desktop
    dealer = night.staff.at_table[table.number]
    numbers = sorted({*map(int, _RECEIPT.findall(night.staff.tablets[table.number].get("/tables/mine/").text))})
    receipts = [mari.get(f"/api/v1/tips/receipts/{number}").body for number in numbers]
    whose = {receipt["dealer_id"] for receipt in receipts}
    night.must_equal("whose receipts a dealer reads", whose, {night.staff.id_of(dealer)} if receipts else set())
    if not numbers:
        return f"{dealer}, none yet"
    number = night.rng.choice(numbers)
    night.tips.prints[number] += 1
    data = night.done(mari, f"/api/v1/tips/receipts/{number}/printed").data
    night.must_equal("prints of a receipt", data["prints"], night.tips.prints[number])
    night.tips.played["receipts"] += 1
    return dealer


def boxes_apart_at_the_end(night: "Night") -> Iterator[str]:
    """Take mistakes back, log boxes taken along from half the tables, count half of those logged; yield a line each."""
    for mistake in [each for each in night.tips.mistakes if not each.taken_back_by]:
        yield take_back(night, mistake, night.staff.floor)
    for _, table in sorted(night.tables.items()):
        if night.tips.at(table.number, is_logged=False) and night.rng.random() < COUNTED_AT_THE_END_SHARE:
            close_tips(night, table, night.staff.floor)
            yield f"a tip box was taken along from table {table.number}"
    for closed in [each for each in night.tips.closed if each.id is not None]:
        if night.rng.random() < COUNTED_AT_THE_END_SHARE:
            yield _count(night, closed)


def close_tips(night: "Night", table: Table, device: Device) -> None:
    """Log from a device all boxes that were taken along from a table, in the order in which they were taken."""
    for closed in night.tips.at(table.number, is_logged=False):
        may_travel_badly(night)
        data = night.done(device, f"{table.api}/tips/close", {"down_id": closed.down}).data
        answered, dealer = (data["is_closed"], data["dealer"]), closed.box.dealers[-1]
        night.must_equal("whose box was taken along", answered, (True, night.staff.id_of(dealer)))
        closed.id, closed.day = data["closed"], night.today()
        night.tips.played["closed"] += 1


def take_back(night: "Night", mistake: Mistake, device: Device) -> str:
    """Take back that a box was taken along, for it hangs there still; refused a second time. Return a line."""
    path = _back(night, mistake)
    may_travel_badly(night)
    data = night.done(device, path).data
    night.must_equal("which box was not taken along", data["closed"], mistake.id)
    night.refused(night.staff.floor, path, code="not_found")
    mistake.taken_back_by = "frans" if device is night.staff.floor else mistake.closed_by
    night.tips.played["taken back"] += 1
    return f"the box of {', '.join(sorted(mistake.dealers))} hangs on at table {mistake.table}"


def _is_mistaken(night: "Night", table: Table, down: int) -> None:
    """Log by mistake, on pushing in, that the dealer before took the tip box along, while it still hangs there."""
    dealer, box = night.staff.at_table[table.number], table.felt.hanging_tips()
    may_travel_badly(night)
    data = night.done(night.staff.tablets[table.number], f"{table.api}/tips/close", {"down_id": down}).data
    answered = (data["is_closed"], data["dealer"])
    night.must_equal("whose box was taken along", answered, (True, night.staff.id_of(box.dealers[-1])))
    mistake = Mistake(table.number, data["closed"], frozenset(box.dealers), box.noted, dealer)
    night.tips.mistakes.append(mistake)
    night.tips.played["mistaken"] += 1


def _back(night: "Night", mistake: Mistake) -> str:
    return f"{night.tables[mistake.table].api}/tips/closed/{mistake.id}/back"


def _count(night: "Night", closed: Closed) -> str:
    """Have two count a box that was taken along, as of the day on which it was logged; refused a second time."""
    table, box = night.tables[closed.table], closed.box
    path = f"{table.api}/tips/closed/{closed.id}/take"
    body = counted_by_two(night, table, box, path, day=closed.day)
    night.refused(night.staff.floor, path, body, code="tips_were_counted")
    night.tips.closed.remove(closed)
    table.felt.tips_apart.remove(box)
    night.tips.played["counted apart"] += 1
    night.tips.played["counted the day after"] += closed.day != night.today()
    return f"the box of {', '.join(box.dealers)}, table {table.number}: {box.lies // 100} €"
