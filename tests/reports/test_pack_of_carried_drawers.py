"""A drawer and a bank that were carried over a day's end, in the packs of the days before, after, and both."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from casino import clock
from casino.cage.services import buy_in, note_print, sell_from_bank
from casino.commands.carrying_out import Answer
from casino.rooms.models import GamingDay
from tests.audit.sealing import seal
from tests.cage.banking import NUMBER
from tests.cage.carrying_over import carlas, carries, sells
from tests.cage.counting import closes
from tests.cage.exchanging import brings_all
from tests.cage.foreign import KRONOR_WORTH, notes, rate
from tests.cage.test_banks import asks, given
from tests.reports.packing import (
    FIRST,
    REPORT,
    Changes,
    changed,
    ends,
    more,
    packed,
    replaced,
    verified,
    void,
    without_line,
)
from tests.tables.conftest import House

pytestmark = [pytest.mark.slow, pytest.mark.two_houses]

SECOND = FIRST + timedelta(days=1)


def span(house: House, folder: Path) -> bytes:
    """Carry Carla's drawer and Dan's bank over the first day, count both on the second; return the first one's pack."""
    with clock.frozen(house.at):
        sealer = seal(folder, None)
    carlas(house)
    bank_id = given(house, chips=1_000_00)
    sells(house, 100_00)
    carries(house, "drawer.1", f"bank.{NUMBER}")
    with clock.frozen(house.at):
        seal(folder, sealer)
        pack = packed(house, FIRST, FIRST)
    house.next_day()
    sells(house, 50_00)
    house.tap(sell_from_bank, house.cast.dan, slip_id=asks(house))
    house.close_drawer(short_cents=5_00)
    closes(house.cast.carla, house.cast.frans, bank_id, 200_00, 799_00, at=house.at)
    # A drawer that is opened after the carried one was counted is another row of the same number.
    house.open_drawer(10_00)
    house.close_drawer()
    ends(house)
    carries(house)
    with clock.frozen(house.at):
        seal(folder, sealer)
    return pack


def test_a_pack_stays_the_same_and_each_holds_by_itself_and_both_together(house: House, tmp_path: Path) -> None:
    one = span(house, tmp_path)

    assert packed(house, FIRST, FIRST) == one
    packs = [one, packed(house, SECOND, SECOND), packed(house, FIRST, SECOND)]
    assert [verified(pack).wrong for pack in packs] == [[], [], []]
    assert GamingDay.objects.filter(date=SECOND, closed_at__isnull=False).exists()
    before = tmp_path / "before.zip"
    before.write_bytes(one)
    assert verified(packs[1], before=before).wrong == []
    # Whose the bank is the day's log says on which it was opened.
    dan = house.cast.dan.pk
    other = verified(changed(one, {REPORT: replaced(f'"holder_id": {dan}', '"holder_id": 999')}))
    assert f"report of {FIRST}: drawer {NUMBER}, held by is 999 there, and {dan} by the log" in other.wrong
    # And the log of the days before, where it was opened on one of them.
    opened = f"With how much drawer {NUMBER} of {SECOND} was opened, and for whom"
    assert [opened in " ".join(verified(pack).unproved) for pack in packs] == [False] * 3
    name = f"days/{SECOND}/report.json"
    other = verified(changed(packs[1], {name: replaced(f'"holder_id": {dan}', '"holder_id": 999')}))
    assert f"report of {SECOND}: drawer {NUMBER}, held by is 999 there, and {dan} by the log" in other.wrong
    for figure, value in {"float_cash_cents": 1, "float_chips_cents": 1, "carried_from": "2026-11-19"}.items():
        says = "opened on is 2026-11-19" if figure == "carried_from" else "float of cash and chips"
        found = verified(changed(packs[1], {name: of_carried(**{figure: value})})).wrong
        assert any(f"drawer 1, {says}" in each for each in found), (figure, found)


def of_carried(**figures: Any) -> Callable[[str], str]:
    """Have a report say otherwise of the drawers that came over the end of the day before."""

    def change(text: str) -> str:
        report = json.loads(text)
        for row in report["drawers"]:
            row.update(figures if row["carried_from"] else {})
        return json.dumps(report)

    return change


# What becomes of the log of a drawer from before a pack's days, and by what that is found.
BEFORE: dict[str, tuple[Callable[[str], str] | None, str]] = {
    "another float": (
        replaced('"cash_cents":100000', '"cash_cents":100001'),
        "before.txt: event drawer.1 .* is not what",
    ),
    "another end": (lambda text: "".join(text.splitlines(True)[:-1]), "before.txt does not end where day begins here"),
    "one less": (without_line('"cage.buy_in"'), "before.txt does not end where drawer.1 begins here"),
    "none": (None, "With how much drawer 1 of .* was opened, and for whom"),
}


@pytest.mark.parametrize(("change", "says"), BEFORE.values(), ids=BEFORE)
def test_the_log_of_before_the_packs_days_cannot_be_another(
    house: House, tmp_path: Path, change: Callable[[str], str] | None, says: str
) -> None:
    span(house, tmp_path)

    audit = verified(changed(packed(house, SECOND, SECOND), {"before.txt": change}))

    assert re.search(says, " · ".join(audit.unproved if change is None else audit.wrong)), audit.wrong


@pytest.mark.parametrize("what", ["cash_cents", pytest.param("money_over_short_cents", marks=pytest.mark.slow)])
def test_what_was_counted_of_a_drawer_from_before_the_packs_days_is_held_against_its_count(
    house: House, tmp_path: Path, what: str
) -> None:
    span(house, tmp_path)
    name = f"days/{SECOND}/report.json"

    def otherwise(text: str) -> str:
        report = json.loads(text)
        row = next(row for row in report["drawers"] if row["carried_from"])
        row[what] += 1_00
        return json.dumps(report)

    wrong = verified(changed(packed(house, SECOND, SECOND), {name: otherwise})).wrong

    figure = {"cash_cents": "drawer 1, cash_cents", "money_over_short_cents": "drawer 1, money over or short"}[what]
    assert any(figure in each for each in wrong), wrong


def test_a_drawer_that_a_report_neither_counts_nor_carries_is_found(house: House, tmp_path: Path) -> None:
    pack = span(house, tmp_path)

    def without(text: str) -> str:
        report = json.loads(text)
        report["carried"] = [each for each in report["carried"] if each["item"] != "drawer.1"]
        return json.dumps(report)

    wrong = verified(changed(pack, {REPORT: without})).wrong

    assert f"report of {FIRST}: drawer 1 was neither counted nor carried over the day’s end" in wrong


def test_foreign_notes_of_a_carried_drawer_are_those_that_it_had_taken_by_each_days_end(
    house: House, tmp_path: Path
) -> None:
    with clock.frozen(house.at):
        sealer = seal(tmp_path, None)
    carlas(house)
    takes_kronor(house, 217_00, (1000, 2), (500, 1))
    carries(house, "drawer.1")
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
    house.next_day()
    takes_kronor(house, 87_00, (1000, 1))
    brings_all(house, (1000, 3), (500, 1))
    carries(house)
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
    one, two, both = (packed(house, *days) for days in ((FIRST, FIRST), (SECOND, SECOND), (FIRST, SECOND)))
    before = "What foreign notes drawer 1 had taken by the end of"

    audits = [verified(pack) for pack in (one, two, both)]
    assert [audit.wrong for audit in audits] == [[], [], []]
    assert [before in " ".join(audit.unproved) for audit in audits] == [False, False, False]
    # The second day by itself has the slips of before it, which the log of the drawer names.
    counted = more("foreign_notes", "counted_face_cents", "slips")
    assert notes_found(changed(two, {f"days/{SECOND}/report.json": counted})) == [
        "counted_face_cents of SEK in drawer 1 is 350001 there, and 350000 by slips and counts",
        "slips of SEK in drawer 1 is 3 there, and 2 by slips and counts",
    ]
    of_before = {"before_rows.txt": replaced(", 250000, ", ", 350000, ")}
    assert any(re.fullmatch(r"before_rows.txt: notes_taken \d+ is not .*", each) for each in wrong_of(two, of_before))
    for kind in ("slip", "notes_taken"):
        lacks = rf"an event of before these days names {kind} \d+, which is not here"
        assert any(re.fullmatch(lacks, each) for each in wrong_of(two, {"before_rows.txt": without_line(f"{kind}\t")}))
    # A pack of before these rows were there says what it does not prove.
    older = verified(changed(two, {"before_rows.txt": None, "manifest.json": lambda text: text + " "}))
    assert (older.wrong, before in " ".join(older.unproved)) == ([], True)
    brought = {f"days/{day}/report.json": more("foreign_notes", "slips") for day in (FIRST, SECOND)}
    assert notes_found(changed(both, brought)) == [
        f"slips of SEK in drawer 1 is {slips + 1} there, and {slips} by slips and counts" for slips in (1, 2)
    ]


def test_notes_that_were_given_back_are_in_no_later_pack(house: House, tmp_path: Path) -> None:
    with clock.frozen(house.at):
        sealer = seal(tmp_path, None)
    carlas(house)
    slips = [takes_kronor(house, cents, (1000, 2), (500, 1)) for cents in (217_00, 216_00, 215_00)]
    void(house, int(slips[0].data["slip_id"]))
    carries(house, "drawer.1")
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
    house.next_day()
    void(house, int(slips[1].data["slip_id"]))
    house.tap(note_print, house.cast.carla, slip_id=int(slips[2].data["slip_id"]))
    carries(house, "drawer.1")
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
        packs = [packed(house, FIRST, FIRST), packed(house, SECOND, SECOND)]

    audits = [verified(pack) for pack in packs]
    assert [(audit.wrong, audit.proved["rows of before these days"]) for audit in audits] == [([], 0), ([], 6)]
    wrong = [
        notes_found(changed(pack, {f"days/{day}/report.json": more("foreign_notes", "slips")}))
        for pack, day in zip(packs, (FIRST, SECOND), strict=True)
    ]
    assert wrong == [
        [f"slips of SEK in drawer 1 is {slips + 1} there, and {slips} by slips and counts"] for slips in (2, 1)
    ]


@pytest.fixture
def third(house: House, tmp_path: Path) -> bytes:
    """Return the pack of a day on which nobody touched a drawer that had been open for two, and that had kronor."""
    with clock.frozen(house.at):
        sealer = seal(tmp_path, None)
    carlas(house)
    takes_kronor(house, 217_00, (1000, 2), (500, 1))
    for _ in range(2):
        carries(house, "drawer.1")
        with clock.frozen(house.at):
            seal(tmp_path, sealer)
        house.next_day()
        with clock.frozen(house.at):
            seal(tmp_path, sealer)
    carries(house, "drawer.1")
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
        return packed(house, SECOND + timedelta(days=1), SECOND + timedelta(days=1))


THIRD = f"days/{SECOND + timedelta(days=1)}/report.json"
# Figures of a drawer that nobody touched, and by what it is found that one is another.
UNTOUCHED = {
    (
        "drawers",
        "float_cash_cents",
    ): "drawer 1, float of cash and chips is (100001, 200000) there, and (100000, 200000)",
    ("drawers", "float_chips_cents"): "drawer 1, float of cash and chips is (100000, 200001) there, and (100000, ",
    ("foreign_notes", "slips"): "slips of SEK in drawer 1 is 2 there, and 1 by slips and counts",
    ("foreign_notes", "face_cents"): "face_cents of SEK in drawer 1 is 250001 there, and 250000 by slips and counts",
    ("foreign_notes", "cents"): "cents of SEK in drawer 1 is {more} there, and {worth} by slips and counts",
}


def test_a_drawer_that_nobody_touched_is_proved_by_the_seals_since(house: House, third: bytes) -> None:
    audit, worth = verified(third), KRONOR_WORTH[house.cast.room.currency]

    assert audit.wrong == []
    assert [each for each in audit.unproved if "drawer" in each] == []
    for (part, name), says in UNTOUCHED.items():
        found = wrong_of(third, {THIRD: more(part, name)})
        assert any(says.format(worth=worth, more=worth + 1) in each for each in found), (name, found)


def test_a_drawer_that_was_not_counted_says_nothing_of_a_count(third: bytes) -> None:
    counted = {"counts": 1, "chips_cents": 100, "card_slips_cents": 1, "foreign_cents": 1, "closed_at": "2026-11-22"}

    found = wrong_of(third, {THIRD: of_carried(**counted)})

    assert any(
        "drawer 1 was not counted, and says card_slips_cents, chips_cents, closed_at, counts" in e for e in found
    )


def ends_earlier(text: str) -> str:
    """Leave out the last event of a drawer."""
    lines = text.splitlines(keepends=True)
    last = max(index for index, line in enumerate(lines) if '"chain":"drawer.1"' in line)
    return "".join(lines[:last] + lines[last + 1 :])


def lower(text: str) -> str:
    """Have a chain end one event earlier than it does."""
    chains = json.loads(text)
    chains["drawer.1"][0] -= 1
    return json.dumps(chains)


def test_an_untouched_drawer_whose_log_ends_otherwise_is_found(third: bytes) -> None:
    shorter = wrong_of(third, {"before.txt": ends_earlier, "chains.json": lower})
    # Without the seals that name it nothing says where it ended.
    cut = lambda text: "".join(text.splitlines(keepends=True)[-2:])  # noqa: E731 - said where it is used
    unsealed = verified(changed(third, {"seals.txt": cut}))

    assert any(re.fullmatch(r"a seal knows event drawer.1 \d+, which is not here", each) for each in shorter), shorter
    assert any("With how much drawer 1 of" in each for each in unsealed.unproved)


def wrong_of(pack: bytes, changes: Changes) -> list[str]:
    return verified(changed(pack, changes)).wrong


def takes_kronor(house: House, cents: int, *counts: tuple[int, int]) -> Answer:
    rate(house.cast.mari, at=house.at)
    arguments = {"amount_cents": cents, "method": "foreign", "player_id": house.player("Lee").pk}
    return house.tap(buy_in, house.cast.carla, drawer_id=house.drawer_id, foreign=notes(*counts), **arguments)


def notes_found(pack: bytes) -> list[str]:
    """Return what is wrong of foreign notes in a pack, after the name of its report; the CSV aside."""
    return [each.split(": ", 1)[1] for each in verified(pack).wrong if " of SEK in drawer " in each]
