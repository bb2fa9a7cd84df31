"""Whoever writes in an unpacked pack without the key is found: rows too many or too few, and lines elsewhere."""

import io
import json
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from casino import clock
from casino.reports.pack.script.reports import QUARTER, QUARTERS_MAX
from casino.reports.selectors import day
from tables.services.incidents import write_incident
from tests.audit.sealing import seal
from tests.cage.bad_night import bad_night
from tests.cage.counting import carried
from tests.reports.packing import (
    FIRST,
    LOG,
    REPORT,
    TRANSFERS,
    Changes,
    Evening,
    changed,
    ends,
    more,
    packed,
    replaced,
    verified,
)
from tests.reports.test_pack_of_people_and_cage import both
from tests.tables.conftest import House

__all__ = ["both"]
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("packs of two days")]
Report = dict[str, Any]


def reported(change: Callable[[Report], Any]) -> Callable[[str], str]:
    def change_report(content: str) -> str:
        report = json.loads(content)
        change(report)
        return json.dumps(report)

    return change_report


def one_more(part: str, key: str, value: Any) -> Callable[[str], str]:
    """Have a row that says nothing of somebody, or something, else."""

    def add(report: Report) -> None:
        row = {name: 0 if isinstance(each, int) else each for name, each in report[part][0].items()}
        nobody = {"taken": {"drop": 0, "rake": 0}, "nickname": str(value)}
        report[part].append({**row, **{name: each for name, each in nobody.items() if name in row}, key: value})

    return reported(add)


def twice(part: str) -> Callable[[str], str]:
    return reported(lambda report: report[part].append(report[part][-1]))


def moved(first: int, second: int) -> Callable[[str], str]:
    """Have two lines stand in each other's place."""

    def change(content: str) -> str:
        lines = content.splitlines(keepends=True)
        lines[first], lines[second] = lines[second], lines[first]
        return "".join(lines)

    return change


NOTHING = f"report of {FIRST}: {{0}} has {{1}}, of which nothing here says anything"
TWICE = f"report of {FIRST}: {{0}} has {{1}} twice"
# What becomes of a pack, and by what that is found.
FORGED: dict[str, tuple[Changes, str]] = {
    "a dealer who dealt nothing": ({REPORT: one_more("dealers", "staff_id", 77)}, NOTHING.format("dealers", 77)),
    "a player who did nothing": ({REPORT: one_more("players", "player_id", 77)}, NOTHING.format("players", 77)),
    "tips of nobody": ({REPORT: one_more("tips", "dealer_id", 77)}, NOTHING.format("tips", 77)),
    "a runner with nothing": ({REPORT: one_more("runners", "runner_id", 77)}, NOTHING.format("runners", 77)),
    "slips of which there is none": (
        {REPORT: one_more("slips", "method", "voucher")}, NOTHING.format("slips", "buy_in voucher"),
    ),
    "a table that did not play": ({REPORT: one_more("tables", "table", 7)}, "tables has 7 No limit hold'em 2/2, of"),
    "a sale that was none": ({REPORT: one_more("cash_plays", "dealer_id", 77)}, NOTHING.format("cash_plays", "0 77")),
    "an exchange of nothing": ({REPORT: one_more("exchanges", "number", 7)}, NOTHING.format("exchanges", "7 0")),
    "notes of no drawer": ({REPORT: one_more("foreign_notes", "number", 7)}, NOTHING.format("foreign_notes", "7 SEK")),
    "what was carried, twice": ({REPORT: twice("carried")}, TWICE.format("carried", "operations in_play.1")),
    "a dealer twice": ({REPORT: twice("dealers")}, TWICE.format("dealers", 4)),
    "a drawer twice": ({REPORT: twice("drawers")}, f"report of {FIRST}: drawers has 1 "),
    "no drawer": ({REPORT: reported(lambda report: report["drawers"].clear())}, "drawers lacks 1, opened at"),
    "tips of another moment": (
        {REPORT: reported(lambda report: report.update(tips_since=report["tips"]))},
        "tips are there as of another moment",
    ),
    "a day that nobody counted": (
        {REPORT: reported(lambda report: report["counted_by_ids"].append(1))}, "it was counted there by somebody",
    ),
    "longer stretches of the night": (
        {REPORT: replaced('"stretch_seconds": 900', '"stretch_seconds": 5400')},
        "stretches of the night are of 5400 seconds, and not of 900",
    ),
    "one name twice": ({REPORT: replaced("{", '{"differs": 5, ')}, f"{REPORT} cannot be read: ValueError a name"),
    "an account twice": ({"accounts.csv": lambda text: text + text.splitlines(True)[-1]}, "is there twice"),
    "transfers in another order": ({TRANSFERS: moved(0, 1)}, "does not stand where it was posted"),
    "the day's close earlier": ({LOG: moved(-1, -2)}, f"the log of {FIRST} does not end with the event of its close"),
    "a pack of before": (
        {"manifest.json": replaced('"format": 3', '"format": 2')}, f"the log of {FIRST} is of no pack of before",
    ),
    "when the day closed": (
        {"manifest.json": lambda text: text.replace("T19:15:29", "T19:15:30")}, f"{FIRST} closed at {FIRST} 19:15:29",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "says"), FORGED.values(), ids=FORGED)
def test_rows_and_lines_cannot_be_others(both: tuple[bytes, bytes], changes: Changes, says: str) -> None:
    found = [each for each in verified(changed(both[0], changes)).wrong if "report.csv: " not in each]

    assert any(says in each for each in found), found


def test_the_script_knows_how_long_stretches_of_the_night_are() -> None:
    assert (QUARTER, 4 * QUARTER, QUARTERS_MAX) == (day._QUARTER, day._HOUR, day._QUARTERS_MAX)


def test_a_dealer_whose_time_no_down_says_is_found(made: Evening) -> None:
    """Nobody was pushed in that evening: where a log is of today that is no reason not to prove it."""
    found = verified(changed(made.pack, {REPORT: more("dealers", "seconds")})).wrong

    assert f"report of {FIRST}: seconds dealt by dealer 3 is 1 there, and 0 by downs and sittings" in found


def test_what_a_report_has_that_the_script_does_not_know_is_named(both: tuple[bytes, bytes]) -> None:
    other = {REPORT: reported(lambda report: report.update(remark="All was well."))}

    sentence = f"The report of {FIRST} has remark, of which this script knows nothing."
    assert sentence in verified(changed(both[0], other)).unproved


def test_a_day_that_is_cut_off_at_a_seal_is_found(both: tuple[bytes, bytes]) -> None:
    """Every chain that is left ends under a seal: only the day's close is not there."""
    with zipfile.ZipFile(io.BytesIO(both[1])) as opened:
        first = opened.read("seals.txt").decode().splitlines(keepends=True)[0]
    second = FIRST + timedelta(days=40)
    cut: Changes = {f"days/{second}/{name}": lambda _: "" for name in ("log.txt", "transfers.txt")}

    found = verified(changed(both[1], {**cut, "seals.txt": lambda _: first})).wrong

    assert f"the log of {second} does not end with the event of its close" in found


def test_an_event_that_is_put_into_another_day_is_found_by_the_seals(house: House, tmp_path: Path) -> None:
    with clock.frozen(house.at):
        sealer = seal(tmp_path, None)
    house.open(1, Lee=1, Kai=2)
    ends(house)
    house.close_drawer()
    with clock.frozen(house.at):
        house.close_day()
        seal(tmp_path, sealer)
    house.next_day()
    second = house.at.date()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
    house.tap(write_incident, kind="ruling", table_id=None)
    with clock.frozen(house.at):
        for _ in range(2):
            house.tap(write_incident, kind="penalty", table_id=None, minutes=20)
            seal(tmp_path, sealer)
        house.close_day()
        seal(tmp_path, sealer)
        seal(tmp_path, sealer)
        pack = packed(house, FIRST, second)
    with zipfile.ZipFile(io.BytesIO(pack)) as opened:
        logs = [opened.read(f"days/{day}/log.txt").decode().splitlines(keepends=True) for day in (FIRST, second)]
    incidents = [line for line in logs[1] if "write_incident" in line]
    earlier = "".join([*logs[0][:-1], *incidents, logs[0][-1]])
    later = "".join(line for line in logs[1] if line not in incidents)

    found = verified(changed(pack, {LOG: lambda _: earlier, f"days/{second}/log.txt": lambda _: later})).wrong

    assert verified(pack).wrong == []
    assert any(f"of the log of {FIRST} goes on after its close" in each for each in found), found


def test_by_whom_a_day_was_closed_as_counted_is_held_where_the_pack_has_it(house: House, tmp_path: Path) -> None:
    with clock.frozen(house.at):
        sealer = seal(tmp_path, None)
    night = bad_night(house)
    house.close_day()
    house.next_day()
    night.close_counts(carrying=[carried(f"box.{night.waits.pk}", "under_seal")])
    second = house.at.date()
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
    one, two = packed(house, FIRST, FIRST), packed(house, FIRST, second)
    by = reported(lambda report: report["counted_by_ids"].reverse())

    assert (verified(one).wrong, verified(two).wrong) == ([], [])
    assert any(f"When and by whom {FIRST} was closed as counted" in each for each in verified(one).unproved)
    assert any("closed as counted by is [" in each for each in verified(changed(two, {REPORT: by})).wrong)
