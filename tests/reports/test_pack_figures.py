"""Each figure of a report in an auditor's pack follows from its log, its postings and its rows."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from casino import clock
from casino.ledger.selectors.accounts import house_figures
from casino.reports.selectors.day import day_report
from tables.models import Hand
from tables.services.chips import count_tip_box
from tables.services.corrections import supply_hand, undo_hand
from tables.services.disputes import put_pot_back, set_pot_aside
from tables.services.hands import deal_hand
from tables.services.incidents import write_incident
from tables.services.opening import close_table
from tables.services.setup import add_table
from tests.audit.sealing import seal
from tests.cage.counting import counts_vault
from tests.paper.catching import DownLine, HandLine, Outage
from tests.reports.packing import (
    FIRST,
    LOG,
    REPORT,
    Changes,
    Evening,
    changed,
    ends,
    packed,
    relogged,
    replaced,
    verified,
)
from tests.reports.test_exceptions import evening as troubled
from tests.tables.conftest import House
from tests.tables.racking import Racking
from tests.tables.selling import cleared
from tests.tables.tipping import take

pytestmark = pytest.mark.two_houses

# Figures of the report, what each becomes, and by what that is found.
# `{opening}` is the id of the one that there is: tests before may have opened tables too.
FIGURES: dict[str, tuple[str, str]] = {
    '"hands": 3,\n   "notes"': ('"hands": 4,\n   "notes"', "hands of opening {opening} is 4 there, and 3 by the log"),
    '"undone": 1': ('"undone": 0', "undone noted is 0 there, and 1 by the log"),
    '"open_seconds": 24': ('"open_seconds": 34', "seconds open is 34 there, and 24 by its own figures"),
    '"opened_by_id": 2': ('"opened_by_id": 3', "opened by is 3 there, and 2 by the log"),
    '"closed_by_id": 2': ('"closed_by_id": null', "closed by is None there, and 2 by the log"),
    '"dealer_ids": []': ('"dealer_ids": [3]', "opening {opening}: who dealt in it is [3] there, and [] by downs and"),
    '"rule_book_version": 1': ('"rule_book_version": 2', "rule book is 2 there, and 1 by the log"),
    '"big_blind_cents": 200': ('"big_blind_cents": 300', "big_blind_cents is 300 there, and 200 by the rule book"),
    '"due_cents": 1200': ('"due_cents": 1300', "rake due of opening {opening} is 1300 there, and 1200 by the log"),
    '"taken_cents": 300': ('"taken_cents": 400', "drop taken of opening {opening} is 400 there, and 300 by the log"),
    '"beyond_cents": 400': ('"beyond_cents": 300', "rake of opening {opening}, in boxes that were counted is 1300"),
    '"counted_cents": 1500': ('"counted_cents": 1600', "rake of opening {opening}, in boxes that were counted is 1300"),
    '"over_short_cents": -100': (
        '"over_short_cents": 0',
        "rake of opening {opening}, in boxes that were counted is 1100 ",
    ),
    '"uncounted_cents": 300': ('"uncounted_cents": 0', "drop, not counted yet at table 1 is 0 there, and 300"),
    '"tips_cents": 0': ('"tips_cents": 9', "tips at table 1 is 9 there, and 0 by the postings"),
    '"hands": 3,\n   "seconds"': ('"hands": 2,\n   "seconds"', "hands of dealer 3 is 2 there, and 3 by the log"),
    '"taken": {\n    "drop": 300': ('"taken": {\n    "drop": 200', "taken by dealer 3 drop is 200 there, and 300 by"),
    '"hands": 3,\n   "seats_taken': ('"hands": 5,\n   "seats_taken', "hands in stretch 0 of the night is 5 there"),
    '"bought_in_cents": 10000': ('"bought_in_cents": 0', "bought in by player 1 is 0 there, and 10000 by slips"),
    '"cashed_out_cents": 3000': ('"cashed_out_cents": 0', "cashed out by player 1 is 0 there, and 3000 by slips"),
    '"back_cents": 5000': ('"back_cents": 6000', "back_cents of buy_in by card is 6000 there, and 5000 by slips"),
    '"cash_cents": 506500': ('"cash_cents": 507000', "drawer 1, cash_cents is 507000 there, and 506500 by slips"),
    '"money_over_short_cents": -500': ('"money_over_short_cents": 0', "money over or short is 0 there, and -500 by"),
    '"posted_cents": -500': ('"posted_cents": 0', "over or short of drawer 1, money is 0 there, and -500 by the"),
    '"seconds": 17': ('"seconds": 18', "seconds in a seat of player 1 is 18 there, and 17 by downs and sittings"),
    '"item": "doubt.1"': ('"item": "doubt.2"', "what was carried: ('operations', 'doubt.2', 'looked_into', 1, "),
    '"differs": 0': ('"differs": 1', "how many figures differ is 1 there, and 0 by its own figures"),
    ':33Z",\n "counted_at"': (':34Z",\n "counted_at"', "closed_at is 2026-11-20T18:00:34Z, and 2026-11-20T18:00:33"),
}


# Each of these changes what the others are found by; all others are found at once.
APART = [
    '"rule_book_version": 1',
    '"beyond_cents": 400',
    '"counted_cents": 1500',
    '"over_short_cents": -100',
    '"differs": 0',
]


@pytest.mark.parametrize("figures", [[each] for each in APART] + [[each for each in FIGURES if each not in APART]])
def test_each_kind_of_figure_in_a_report_follows_from_the_pack(made: Evening, figures: list[str]) -> None:
    openings: list[int] = []

    def change(report: str) -> str:
        openings.extend(each["opening_id"] for each in json.loads(report)["openings"])
        # The first one is the opening's, before those of its table.
        for figure in figures:
            assert figure in report
            report = report.replace(figure, FIGURES[figure][0], 1)
        return report

    found = " · ".join(verified(changed(made.pack, {REPORT: change})).wrong)

    (opening,) = openings
    assert [figure for figure in figures if FIGURES[figure][1].format(opening=opening) not in found] == [], found


def test_a_rake_that_was_due_otherwise_than_by_the_book_is_found(made: Evening) -> None:
    cheaper: Changes = {"rule-books/1.toml": lambda book: book.replace("block_cents = 20_00", "block_cents = 40_00", 1)}

    found = verified(changed(made.pack, cheaper)).wrong

    says = "what was due of hand 1 at table 1, a pot of 8600, is 400 there, and 200 by the rule book"
    assert any(says in each for each in found), found


def test_a_pack_of_before_holds_by_tables_and_says_what_it_does_not_prove(made: Evening) -> None:
    def of_before(event: dict[str, Any]) -> None:
        for name in ("opening", "day", "rake_due_cents", "drop_due_cents"):
            if event["name"] in {"tables.settle_hand", "tables.undo_hand"}:
                event["data"].pop(name, None)

    old: Changes = {LOG: lambda log: relogged(log, of_before), "seals.txt": lambda _: "", "after.txt": lambda _: ""}
    audit = verified(changed(made.pack, old))
    other = {REPORT: lambda report: report.replace('"hands": 3', '"hands": 4')}
    wrong = verified(changed(made.pack, {**old, **other})).wrong

    assert [sentence for sentence in audit.wrong if "is in no seal" not in sentence] == []
    assert any("is of before it told of which opening each hand was" in sentence for sentence in audit.unproved)
    assert any("hands at table 1 is 4 there, and 3 by the log" in sentence for sentence in wrong)


def without_racks(*of: str) -> Callable[[str], str]:
    """Return what takes out of some rows of a report what racks came to."""

    def change(content: str) -> str:
        report = json.loads(content)
        for row in [row for rows in of for row in report[rows]]:
            del row["rack_over_short_cents"], row["rack_cash_over_short_cents"]
        return json.dumps(report)

    return change


def says_nothing(event: dict[str, Any]) -> None:
    """Have a day's close say nothing of how the room stood, as before it did."""
    event.get("data", {}).pop("stands", None)


@pytest.mark.slow
def test_tips_and_racks_that_two_have_counted_are_held_by_the_postings(house: House, tmp_path: Path) -> None:
    racking = Racking(house)
    racking.begin(200)
    racking.count(190)
    house.tap(count_tip_box, table_id=house.table_id(), counted_cents=20_00)
    take(house, 35)
    cleared(house, 190, 3)
    ends(house)
    house.close_drawer()
    with clock.frozen(house.at):
        sealer = seal(tmp_path, None)
        house.close_day()
        seal(tmp_path, sealer)
        (ran,) = day_report(house.cast.room, FIRST).tables

    assert (ran.tips_cents, ran.over_short_cents) == (35_00, -7_00)
    assert (ran.rack_over_short_cents, ran.rack_cash_over_short_cents) == (-10_00, 3_00)
    pack = packed(house, FIRST, FIRST)
    assert verified(pack).wrong == []
    wrong = {"rack_over_short_cents": ("-1000", "chips"), "rack_cash_over_short_cents": ("300", "cash")}
    for name, (cents, what) in wrong.items():
        found = verified(changed(pack, {REPORT: replaced(f'"{name}": {cents}', f'"{name}": 0')})).wrong
        says = f"report of {FIRST}: {what} over or short in the rack at table 1 is 0 there, and {cents} by the postings"
        assert says in found
    # A pack of before told neither: both are held but where none of a report's rows has them.
    of_before = replaced('"format": 3', '"format": 2')
    log: Changes = {LOG: lambda log: relogged(log, says_nothing), "seals.txt": lambda _: ""}
    older = verified(changed(pack, {**log, REPORT: without_racks("tables", "openings"), "manifest.json": of_before}))
    assert [each for each in older.wrong if "is in no seal" not in each] == []
    assert f"The report of {FIRST} is of before reports told what of racks is chips, and what cash." in older.unproved
    for rows in ("tables", "openings"):
        found = verified(changed(pack, {REPORT: without_racks(rows)})).wrong
        assert len([sentence for sentence in found if "over or short in the rack at table 1 is 0" in sentence]) == 2


def test_what_a_count_of_the_vault_expected_is_recomputed(house: House, tmp_path: Path) -> None:
    cast, room_id = house.cast, house.cast.room.pk
    house.close_drawer()
    lies = house_figures(room_id)
    counts_vault(cast.carla, cast.frans, lies["vault_cash"] - 50_00, lies["vault_chips"], at=house.at)
    with clock.frozen(house.at):
        sealer = seal(tmp_path, None)
        house.close_day()
        seal(tmp_path, sealer)

    pack = packed(house, FIRST, FIRST)

    assert verified(pack).wrong == []
    # A shortage that was made none, and one that was always expected so.
    counted = f'"cash_cents": {lies["vault_cash"] - 50_00}'
    expected = f'"expected_cash_cents": {lies["vault_cash"]}'
    for old, new, says in (
        (
            counted,
            f'"cash_cents": {lies["vault_cash"]}',
            "vault_missing by counts of the vault is 0 there, and -5000 by",
        ),
        (expected, f'"expected_cash_cents": {lies["vault_cash"] - 50_00}', f"there, and {lies['vault_cash']} by the"),
    ):
        found = verified(changed(pack, {REPORT: replaced(old, new)})).wrong
        assert any(says in sentence for sentence in found), found

    # One that owns up to it is wrong by what is posted, and by its own figures.
    def owning_up(report: str) -> str:
        other = report.replace(counted, f'"cash_cents": {lies["vault_cash"]}', 1)
        return other.replace('"differs": 0', '"differs": 1', 1)

    wrong = " · ".join(verified(changed(pack, {REPORT: owning_up})).wrong)
    assert "vault_missing by counts of the vault is 0 there, and -5000 by" in wrong
    assert "money_over_short_cents of vault_counts, row 1, is -5000 there, and 0 by its own figures" in wrong


@pytest.mark.slow
def test_an_evening_on_which_much_goes_wrong_holds_figure_by_figure(house: House, tmp_path: Path) -> None:
    with clock.frozen(house.at):
        sealer = seal(tmp_path, None)
    troubled(house)
    skipped = Hand.objects.get(status="not_logged")
    house.tap(supply_hand, table_id=house.table_id(), hand_row_id=skipped.pk, taken={"rake": 2_00}, pot_cents=40_00)
    # The next one is dealt though this one was never settled.
    house.tap(deal_hand, house.cast.dan, table_id=house.table_id(), hand=house.logged())
    house.settle(45_00)
    again = house.settle(86_00)
    house.tap(undo_hand, house.cast.anna, table_id=house.table_id(), hand_id=again.hand_id)
    outage = Outage(house)
    dealt = DownLine(house.cast.anna.pk, outage.at(0), outage.at(44))
    outage.enter(hands=2, lines=(HandLine(1, taken={"rake": 3_00}), HandLine(2, taken={"rake": 1_00})), downs=(dealt,))
    ends(house)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
        (ran,) = day_report(house.cast.room, FIRST).tables
    audit = verified(packed(house, FIRST, FIRST))

    assert (ran.hands, ran.notes["caught_up"], ran.notes["corrected"], ran.notes["not_logged"]) == (11, 2, 1, 1)
    assert audit.wrong == []
    assert audit.proved["figures of reports by the log"] > 30


@pytest.mark.slow
@pytest.mark.parametrize("is_old", [False, pytest.param(True, id="a log of before it told where")])
def test_disputes_and_incidents_are_counted_of_the_opening_of_which_the_log_says_they_were(
    house: House, tmp_path: Path, is_old: bool
) -> None:
    for number in (3, 4):
        house.tap(add_table, house.cast.mari, number=number)
    house.open(1, Lee=1, Kai=2)
    house.open(2, Timo=1, Mika=2)
    house.open(3)
    tables = [house.table_id(number) for number in (1, 2, 3, 4)]
    disputed = house.settle(60_00)
    pot = house.tap(set_pot_aside, table_id=tables[0])
    house.tap(set_pot_aside, table_id=tables[0])
    house.tap(put_pot_back, table_id=tables[0], pot_id=pot.data["pot"])
    house.tap(close_table, table_id=tables[2])
    notes(house, ("ruling", tables[1]), ("warning", tables[2]), ("penalty", None), ("inspected", tables[3]))
    hand = Hand.objects.get(hand_id=disputed.hand_id)
    house.tap(write_incident, kind="passed", table_id=tables[0], hand_row_id=hand.pk)
    ends(house)
    ends(house, 2)
    house.close_drawer()
    with clock.frozen(house.at):
        sealer = seal(tmp_path, None)
        house.close_day()
        seal(tmp_path, sealer)
    # Between two days it is of none.
    notes(house, ("ruling", tables[0]))
    house.next_day()
    second = house.at.date()
    with clock.frozen(house.at):
        house.close_day()
        seal(tmp_path, sealer)
        pack, after = packed(house, FIRST, FIRST), packed(house, second, second)
        report = day_report(house.cast.room, FIRST)

    counted = [(each.ran.table_number, dict(each.ran.notes)) for each in report.openings]
    assert counted == [(1, {"disputes": 1, "incidents": 1}), (2, {"rulings": 1}), (3, {"penalties": 1})]
    assert report.elsewhere == {"penalties": 1, "incidents": 1}
    assert verified(after).wrong == []
    openings = [each.opening.pk for each in report.openings if each.opening]

    def swapped(content: str) -> str:
        """Have each table's notes be another's."""
        other = json.loads(content)
        rows = other["openings"]
        for row, of in zip(rows, [each["notes"] for each in [*rows[1:], rows[0]]], strict=True):
            row["notes"] = of
        return json.dumps(other)

    def one_more(content: str) -> str:
        other = json.loads(content)
        for name in ("disputes", "rulings", "penalties", "incidents"):
            other["openings"][0]["notes"][name] += 1
        return json.dumps(other)

    def of_before(event: dict[str, Any]) -> None:
        if event["name"] in {"tables.set_pot_aside", "tables.write_incident"}:
            for name in ("opening", "table", "day"):
                event["data"].pop(name, None)

    log: Changes = {LOG: lambda content: relogged(content, of_before), "seals.txt": lambda _: ""}
    of, of_opening = (log, "") if is_old else ({}, f" of opening {openings[0]}")
    audit = verified(changed(pack, of) if is_old else pack)
    more, moved = (" · ".join(verified(changed(pack, {**of, REPORT: each})).wrong) for each in (one_more, swapped))
    sentence = f"At which tables disputes, incidents, penalties, rulings of the report of {FIRST} were"
    assert [each for each in audit.wrong if "is in no seal" not in each] == []
    assert any(sentence in each for each in audit.unproved) == is_old
    for name, found in (("disputes", 1), ("rulings", 0), ("penalties", 0), ("incidents", 1)):
        all_of = {"rulings": 1, "penalties": 2, "incidents": 2}.get(name, found) if is_old else found
        assert f"{name}{of_opening} is {all_of + 1} there, and {all_of} by the log" in more
    assert (f"disputes of opening {openings[0]} is 0 there, and 1 by the log" in moved) == (not is_old)


def notes(house: House, *incidents: tuple[str, int | None]) -> None:
    """Have the floor write incidents down, each of a kind and at a table."""
    for kind, table_id in incidents:
        house.tap(write_incident, kind=kind, table_id=table_id, minutes=20 if kind == "penalty" else None)
