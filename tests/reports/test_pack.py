"""The auditor's pack: it holds by its script alone, and whatever is changed in it is found."""

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis.strategies import binary, integers, text

from casino import clock
from casino.audit.models import Seal, SealKey
from casino.audit.sealing.text import code_of
from casino.boxes.models import Box
from casino.cage.chart import of_drawer
from casino.cage.models import Doubt
from casino.cage.services import cancel_slip, judge_doubt, judge_vault, request_buy_in
from casino.ledger.chart import of_house
from casino.ledger.selectors import house_figures
from casino.ledger.services import post
from casino.reports.day import day_report
from casino.reports.pack.script import whole
from casino.reports.pack.script.signatures import is_signed
from casino.reports.sheets import sheets_of
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day
from tables.models import Hand
from tables.services.chips import count_tip_box
from tables.services.corrections import supply_hand, undo_hand
from tables.services.hands import deal_hand, settle_hand
from tables.services.rack_sales import sell_from_rack
from tables.services.setup import add_table
from tests.audit.sealing import seal
from tests.boxes.hanging import Hanging
from tests.cage.bad_night import bad_night
from tests.cage.banking import adds_bank, gives_bank
from tests.cage.counting import carried, closes, counts_vault
from tests.cage.filling import Filling
from tests.cast import TONIGHT
from tests.jackpot.beats import SEVEN
from tests.paper.catching import DownLine, HandLine, Outage
from tests.reports.packing import Changes, changed, ends, evening, next_day, packed, script, verified
from tests.reports.test_exceptions import evening as troubled
from tests.support.owner import as_sealer
from tests.tables.conftest import House
from tests.tables.racking import Racking
from tests.tables.test_cash_plays import cleared
from tests.tables.test_late_hands import tapped
from tests.tables.test_playing_on import counts_through
from tests.tables.tipping import dealt, hand_on, take

FIRST = TONIGHT.date()
OF_DAY = f"days/{FIRST}/"


@dataclass(frozen=True)
class Evening:
    """A pack of an evening, and what an auditor has from elsewhere."""

    pack: bytes
    digest: str
    key: str
    printed: str


_made: list[Evening] = []


@pytest.fixture
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Evening:
    """Return the pack of an evening, made once: what is done to a pack needs no house."""
    if not _made:
        house = request.getfixturevalue("house")
        with clock.frozen(house.at):
            evening(house, tmp_path)
            pack = packed(house, FIRST, FIRST)
        with zipfile.ZipFile(io.BytesIO(pack)) as opened:
            digest = sha256(opened.read("manifest.json")).hexdigest()
        newest = Seal.objects.latest("number")
        printed = f"{newest.number}:{code_of(newest)}"
        _made.append(Evening(pack, digest, SealKey.objects.get().public, printed))
    return _made[0]


def by_script(path: Path, *told: str) -> tuple[int, str]:
    """Run the pack's script as an auditor does: nothing of Brush is there."""
    command_line = [sys.executable, "-I", str(script(path.parent)), str(path), *told]
    ran = subprocess.run(command_line, capture_output=True, text=True, check=False, cwd=path.parent)
    assert not ran.stderr
    return ran.returncode, ran.stdout


def test_a_pack_holds_by_its_script_alone_zipped_or_unpacked(made: Evening, tmp_path: Path) -> None:
    file, folder = tmp_path / "pack.zip", tmp_path / "pack"
    file.write_bytes(made.pack)
    with zipfile.ZipFile(file) as opened:
        opened.extractall(folder)
    elsewhere = ("--digest", made.digest, "--key", made.key, "--printed", made.printed)

    for path in (file, folder):
        ended, said = by_script(path, *elsewhere)

        assert (ended, said.splitlines()[-1]) == (0, "The pack holds.")
        assert said.count("NOT PROVED") == 1
        assert f"NOT PROVED: Of the report of {FIRST} the digest alone binds how long each dealer dealt: " in said
        for proves in (
            "1 digest",
            "1 key given",
            "1 printed seals",
            "3 signatures",
            "14 files",
            "22 transfers with their events",
            "2 reversals",
            "1 rule books",
            "12 slips, counts, boxes",
        ):
            assert f"proved: {proves}\n" in said
    _ended, said = by_script(file)
    assert said.count("NOT PROVED") == 3
    assert (folder / "verify.py").read_text(encoding="utf-8") == whole()
    # The day that was opened within the minute of the seal is there only as far as the seal names it.
    opens = '"name":"cage.open_day","number":3'
    assert opens in (folder / "after.txt").read_text()
    assert opens not in (folder / OF_DAY / "log.txt").read_text()


def test_nobody_stands_in_a_pack_by_name(house: House) -> None:
    cast, racking = house.cast, Racking(house)
    racking.begin(500, sells="true")
    racking.push(cast.anna)
    mika = house.seat("Mika", 5, chips=0)
    house.tap(sell_from_rack, cast.anna, table_id=house.table_id(), seating_id=mika.pk, amount_cents=100_00)
    take(house, 35, cast.anna)
    bank = adds_bank(cast, at=house.at)
    gives_bank(cast.carla, cast.dan, bank, at=house.at)
    closes(cast.carla, cast.frans, bank, 0, 5_000_00, at=house.at)
    cleared(house, 400, 100)
    ends(house)
    with clock.frozen(house.at):
        house.close_drawer()
        house.close_day()
        pack = packed(house, FIRST, FIRST)
        shown = day_report(cast.room, FIRST)
    with zipfile.ZipFile(io.BytesIO(pack)) as opened:
        everything = "\n".join(opened.read(name).decode() for name in opened.namelist() if name != "verify.py")

    names = {each.display_name for each in cast.staff.values()} | set(cast.players)
    assert {"Anna", "Dan", "Frans", "Carla", "Mika"} <= names
    assert [each for each in names if re.search(rf"\b{each}\b", everything)] == []
    assert re.search(rf"^{cast.anna.pk},\d+,3500,0,3500\s*$", everything, re.MULTILINE)
    assert f"11 · Bank 11 · {cast.dan.pk}" in everything
    assert [(each.dealer, each.cents) for each in shown.cash_plays] == [("Anna", 100_00)]


def test_tips_that_go_to_payroll_later_are_none_of_what_the_closed_day_was(house: House) -> None:
    day, dan = open_day(house.room_id), house.cast.dan
    assert day is not None
    house.open(1, Lee=1, Kai=2)
    dealt(house, (dan, 60))
    take(house, 35)
    ends(house)
    with clock.frozen(house.at):
        house.close_drawer()
        house.close_day()
        before = packed(house, FIRST, FIRST)
    next_day(house)
    hand_on(house, 35_00, day)

    with clock.frozen(house.at):
        after, report = packed(house, FIRST, FIRST), day_report(house.cast.room, FIRST)

    assert before == after
    assert [(each.dealer_id, each.handed_cents, each.owed_cents) for each in report.tips] == [(dan.pk, 0, 35_00)]
    since = [(each.dealer_id, each.handed_cents, each.owed_cents) for each in report.tips_since]
    assert since == [(dan.pk, 35_00, -35_00)]
    assert "tips_since" in {sheet.name for sheet in sheets_of(report)}


@pytest.mark.slow
def test_a_pack_that_is_made_again_is_the_same_to_the_byte(house: House, tmp_path: Path) -> None:
    with clock.frozen(house.at):
        evening(house, tmp_path)
        first = packed(house, FIRST, FIRST)
    house.open(1, Lee=1, Kai=2)
    with clock.frozen(house.at):
        seal(tmp_path)
        again = packed(house, FIRST, FIRST)

    assert first == again


# ---- what is changed is found


def replaced(old: str, new: str) -> Callable[[str], str]:
    def change(content: str) -> str:
        assert old in content
        return content.replace(old, new, 1)

    return change


def without_line(having: str) -> Callable[[str], str]:
    def change(content: str) -> str:
        lines = content.splitlines(keepends=True)
        gone = next(index for index, line in enumerate(lines) if having in line)
        return "".join(lines[:gone] + lines[gone + 1 :])

    return change


def rewritten(having: str, old: str, new: str) -> Callable[[str], str]:
    """Rewrite an event and, as who knows how the log is made would, every hash after it in its chain."""

    def change(content: str) -> str:
        heads: dict[str, str] = {}
        lines, done = [], False
        for line in content.splitlines():
            _hash, _space, event = line.partition(" ")
            if having in event and old in event and not done:
                event, done = event.replace(old, new, 1), True
            chain = json.loads(event)["chain"]
            heads[chain] = sha256(f"{heads.get(chain, '0' * 64)}\n{event}".encode()).hexdigest()
            lines.append(f"{heads[chain]} {event}\n")
        return "".join(lines)

    return change


def added_transfer(content: str) -> str:
    fields = json.loads(content.splitlines()[-1])
    fields[0] += 1
    return content + json.dumps(fields) + "\n"


def another_book(content: str) -> str:
    about = json.loads(content)
    about["rule_books"][0]["id"] += 1
    return json.dumps(about)


def one_byte(content: str) -> str:
    middle = len(content) // 2
    return content[:middle] + ("a" if content[middle] != "a" else "b") + content[middle + 1 :]


def test_one_byte_that_is_another_is_found_in_each_file(made: Evening) -> None:
    with zipfile.ZipFile(io.BytesIO(made.pack)) as opened:
        names = [name for name in opened.namelist() if opened.getinfo(name).file_size and name != "manifest.json"]

    for name in names:
        found = verified(changed(made.pack, {name: one_byte}, is_remade=False)).wrong
        assert f"{name} is not what the manifest says" in found
    assert len(names) == 14
    of_manifest = changed(made.pack, {"manifest.json": replaced("rake_box", "rake_bix")}, is_remade=False)
    assert verified(of_manifest, digest=made.digest).wrong


def test_a_byte_of_the_zip_itself_is_found_by_the_script(made: Evening, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(made.pack)) as opened:
        at = opened.getinfo(f"{OF_DAY}transfers.txt").header_offset + 200
    file = tmp_path / "pack.zip"
    file.write_bytes(made.pack[:at] + bytes([made.pack[at] ^ 1]) + made.pack[at + 1 :])

    ended, said = by_script(file)

    assert ended == 1
    assert f"WRONG: {OF_DAY}transfers.txt cannot be read" in said


LOG, TRANSFERS, REPORT = f"{OF_DAY}log.txt", f"{OF_DAY}transfers.txt", f"{OF_DAY}report.json"
PAID, PAID_MORE = '"amount_cents":3000', '"amount_cents":3001'
CHANGES: dict[str, tuple[Changes, str]] = {
    "a posting": ({TRANSFERS: replaced(":500000,", ":500001,")}, "is not what its event says"),
    "one transfer more": ({TRANSFERS: added_transfer}, "is named by no event"),
    "one transfer less": ({TRANSFERS: without_line('"slip.')}, "an event names transfer"),
    "an event": ({LOG: replaced(PAID, PAID_MORE)}, "is not what its hash says"),
    "an event, rehashed": (
        {LOG: rewritten("cage.cash_out", PAID, PAID_MORE)},
        "seal knows another event drawer.1",
    ),
    "one event less": ({LOG: without_line("cage.cash_out")}, "log: drawer.1 goes from event"),
    "the end of a chain": ({LOG: without_line("boxes.count_box")}, "a seal knows event boxes"),
    "a seal": ({"seals.txt": one_byte}, "seal"),
    "one seal less": ({"seals.txt": without_line('"number":2')}, "does not follow the seal before"),
    "a seal's number": ({"seals.txt": replaced('"number":3', '"number":4')}, "seal 4 is not signed"),
    "the last seal": ({"seals.txt": without_line('"number":3')}, "is in no seal"),
    "all seals": ({"seals.txt": lambda _: ""}, "is in no seal"),
    "what ties the last seal": ({"after.txt": lambda _: ""}, "a seal knows event day"),
    "a balance after": ({"accounts.csv": replaced(",0,100300", ",0,100400")}, "closes with 100400"),
    "a balance before": ({"accounts.csv": replaced(",0,100300", ",9,100300")}, "opening_cents of all accounts are 9"),
    "a figure": ({REPORT: replaced('"posted_cents": 1200', '"posted_cents": 1300')}, "rake, posted at table 1 is 1300"),
    "a trial balance": ({REPORT: replaced('"closing_cents": 1', '"closing_cents": 2')}, "and the postings come to"),
    "a slip": ({"rows.txt": replaced('"cash", "hands"', '"card", "hands"')}, "is not what its event says"),
    "one slip less": ({"rows.txt": without_line("slip\t")}, "an event names slip"),
    "a rule book": ({"rule-books/1.toml": one_byte}, "rule book 1 is not what its digest says"),
    "which rule book": ({"manifest.json": another_book}, "by a rule book that is not here"),
    "no JSON": ({"chains.json": lambda _: "{"}, "chains.json cannot be read"),
    "no transfer": ({TRANSFERS: lambda _: "[1, 2]\n"}, "cannot be read"),
}


@pytest.mark.parametrize(("changes", "says"), CHANGES.values(), ids=CHANGES)
def test_what_is_changed_with_its_manifest_is_found(made: Evening, changes: Changes, says: str) -> None:
    other = changed(made.pack, changes)

    found = verified(other).wrong

    assert says in " · ".join(found), found
    assert f"the pack is not the one of digest {made.digest}" in verified(other, digest=made.digest).wrong


# Of a first rule book no event says the digest; what its games charge is held against what was due.
UNBOUND: dict[str, Callable[[str], str]] = {
    "rule-books/1.toml": lambda content: content.replace("# Casino", "# Kasino", 1),
    f"{OF_DAY}report.csv": one_byte,
    "verify.py": one_byte,
}


@pytest.mark.parametrize("name", UNBOUND)
def test_what_nothing_else_binds_is_found_by_the_packs_digest(made: Evening, name: str) -> None:
    with zipfile.ZipFile(io.BytesIO(made.pack)) as opened:
        content = opened.read(name).decode()

    def with_digest(manifest: str) -> str:
        old, new = (sha256(each.encode()).hexdigest() for each in (content, UNBOUND[name](content)))
        return manifest.replace(old, new)

    other = changed(made.pack, {name: UNBOUND[name], "manifest.json": with_digest})

    assert verified(other).wrong == []
    assert len(verified(other, digest=made.digest).wrong) == 1


def test_what_was_logged_before_events_named_rows_is_held_by_its_moment(made: Evening) -> None:
    def without_rows(event: dict[str, Any]) -> None:
        event.pop("rows", None)

    old: Changes = {LOG: lambda log: relogged(log, without_rows), "seals.txt": lambda _: "", "after.txt": lambda _: ""}
    audit = verified(changed(made.pack, old))
    at_no_moment = changed(made.pack, {**old, TRANSFERS: replaced("1795197600.000000", "1795197600.000001")})

    assert audit.proved["transfers of before the log named rows, by their moment alone"] == 22
    assert "12 rows are of before the log named rows." in audit.unproved
    assert [sentence for sentence in audit.wrong if "is in no seal" not in sentence] == []
    assert any("is named by no event of its day" in sentence for sentence in verified(at_no_moment).wrong)


# Figures of the report, what each becomes, and by what that is found.
FIGURES: dict[str, tuple[str, str]] = {
    '"hands": 3,\n   "notes"': ('"hands": 4,\n   "notes"', "hands of opening 1 is 4 there, and 3 by the log"),
    '"undone": 1': ('"undone": 0', "undone noted is 0 there, and 1 by the log"),
    '"open_seconds": 24': ('"open_seconds": 34', "seconds open is 34 there, and 24 by its own figures"),
    '"opened_by_id": 2': ('"opened_by_id": 3', "opened by is 3 there, and 2 by the log"),
    '"rule_book_version": 1': ('"rule_book_version": 2', "rule book is 2 there, and 1 by the log"),
    '"big_blind_cents": 200': ('"big_blind_cents": 300', "big_blind_cents is 300 there, and 200 by the rule book"),
    '"due_cents": 1200': ('"due_cents": 1300', "rake due of opening 1 is 1300 there, and 1200 by the log"),
    '"taken_cents": 300': ('"taken_cents": 400', "drop taken of opening 1 is 400 there, and 300 by the log"),
    '"beyond_cents": 400': ('"beyond_cents": 300', "rake of opening 1, in boxes that were counted is 1300 there"),
    '"counted_cents": 1500': ('"counted_cents": 1600', "rake of opening 1, in boxes that were counted is 1300 there"),
    '"over_short_cents": -100': ('"over_short_cents": 0', "rake of opening 1, in boxes that were counted is 1100 "),
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
    '"item": "doubt.1"': ('"item": "doubt.2"', "what was carried: ('operations', 'doubt.2', 'looked_into', 1)"),
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
    def change(report: str) -> str:
        # The first one is the opening's, before those of its table.
        for figure in figures:
            assert figure in report
            report = report.replace(figure, FIGURES[figure][0], 1)
        return report

    found = " · ".join(verified(changed(made.pack, {REPORT: change})).wrong)

    assert [figure for figure in figures if FIGURES[figure][1] not in found] == [], found


def test_a_rake_that_was_due_otherwise_than_by_the_book_is_found(made: Evening) -> None:
    cheaper: Changes = {"rule-books/1.toml": lambda book: book.replace("block_cents = 20_00", "block_cents = 40_00", 1)}

    found = verified(changed(made.pack, cheaper)).wrong

    says = "what was due of hand 1 at table 1, a pot of 8600, is 400 there, and 200 by the rule book"
    assert any(says in each for each in found), found


def relogged(content: str, change: Callable[[dict[str, Any]], None]) -> str:
    """Return a log of a first day with events changed, each hashed anew."""
    heads: dict[str, str] = {}
    lines = []
    for line in content.splitlines():
        event = json.loads(line.partition(" ")[2])
        change(event)
        said, chain = json.dumps(event, sort_keys=True, separators=(",", ":")), event["chain"]
        heads[chain] = sha256(f"{heads.get(chain, '0' * 64)}\n{said}".encode()).hexdigest()
        lines.append(f"{heads[chain]} {said}\n")
    return "".join(lines)


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


@pytest.mark.slow
def test_seals_of_the_old_kind_lead_to_signed_ones(house: House, tmp_path: Path) -> None:
    old = Seal(room_id=house.room_id, at=house.at, heads="{}", mac="0" * 64)
    with as_sealer():
        old.save()
    with clock.frozen(house.at):
        evening(house, tmp_path)

    audit = verified(packed(house, FIRST, FIRST))

    assert audit.wrong == []
    assert audit.proved["seals of the old kind, which only the house can verify"] == 1


def test_all_of_it_sealed_anew_is_found_by_the_key_and_by_what_was_printed(made: Evening) -> None:
    forger = Ed25519PrivateKey.generate()
    public = forger.public_key().public_bytes_raw().hex()

    def sealed_anew(content: str) -> str:
        lines, before = [], ""
        for line in content.splitlines():
            said, heads, _signature = line.split("\t")
            about = json.loads(said) | ({"previous": before} if before else {})
            said = json.dumps(about, sort_keys=True, separators=(",", ":"))
            signature = forger.sign(said.encode()).hex()
            before = sha256(f"{said}\n{signature}".encode()).hexdigest()
            lines.append(f"{said}\t{heads}\t{signature}\n")
        return "".join(lines)

    other = changed(made.pack, {"keys.json": replaced(made.key, public), "seals.txt": sealed_anew})

    assert verified(other).wrong == []
    assert verified(other, key=made.key).wrong == ["the seals' newest key does not come from the key that was given"]
    assert verified(other, printed=(made.printed,)).wrong == ["seal 3 was printed with another code"]


@pytest.mark.slow
def test_a_transfer_that_no_command_posted_is_found_in_the_pack_of_its_day(house: House, tmp_path: Path) -> None:
    day = open_day(house.room_id)
    assert day is not None
    forged = post(
        room_id=house.room_id, day_id=day.pk, kind="drawer_opened", key="drawer_opened.0",
        lines=[of_house(house.room_id, "vault_cash", -100_00), of_drawer(house.drawer_id, "cash", 100_00)],
        made_by_id=house.cast.carla.pk, at=house.at,
    )  # fmt: skip
    with clock.frozen(house.at):
        evening(house, tmp_path)

    found = verified(packed(house, FIRST, FIRST)).wrong

    assert found == [f"transfer {forged} is named by no event of its day"]


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
    older = verified(changed(pack, {REPORT: without_racks("tables", "openings")}))
    assert older.wrong == []
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


def without_racks(*of: str) -> Callable[[str], str]:
    """Return what takes out of some rows of a report what racks came to."""

    def change(content: str) -> str:
        report = json.loads(content)
        for row in [row for rows in of for row in report[rows]]:
            del row["rack_over_short_cents"], row["rack_cash_over_short_cents"]
        return json.dumps(report)

    return change


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


def test_a_pack_is_the_same_though_what_was_carried_has_ended_since(house: House, tmp_path: Path) -> None:
    night = bad_night(house)
    asked = house.tap(request_buy_in, house.cast.anna, player_id=house.player("Lee").pk, amount_cents=100_00)
    lies = house_figures(house.room_id)
    cash, chips = lies["vault_cash"] - 50_00, lies["vault_chips"]
    vault = counts_vault(house.cast.carla, house.cast.mari, cash, chips, at=house.at)
    house.open_drawer()
    fill = Filling(house.cast, at=house.at).asks(chips=100_00)
    house.close_drawer()
    house.close_day()
    night.close_counts(carrying=[carried(f"box.{night.waits.pk}", "under_seal")])
    with clock.frozen(house.at):
        seal(tmp_path, None)
        pack = packed(house, FIRST, FIRST)
    next_day(house)
    house.tap(cancel_slip, slip_id=asked.data["slip_id"])
    house.tap(judge_doubt, doubt_id=Doubt.objects.get(judged_at=None).pk)
    house.tap(judge_vault, vault_count_id=vault.pk)
    Filling(house.cast, at=house.at).refuses(fill)
    Hanging(house).count(night.waits, 3)
    with clock.frozen(house.at):
        again, shown = packed(house, FIRST, FIRST), day_report(house.cast.room, FIRST)

    assert again == pack
    audit = verified(again)
    assert audit.wrong == []
    assert any(sentence.startswith("4 slips, fills, boxes or vault counts were open") for sentence in audit.unproved)
    # The house's own report tells what became of them.
    assert {each.item.kind for each in shown.carried if not each.is_open} == {
        "box", "doubt", "fill", "request", "vault_differs",
    }  # fmt: skip


# ---- packs of several days


@pytest.mark.slow
def test_packs_of_following_days_meet_and_what_changed_later_is_said(house: House, tmp_path: Path) -> None:
    with clock.frozen(house.at):
        sealer = evening(house, tmp_path)
    second = house.at.date()
    Hanging(house).count(Box.objects.get(charge="drop", is_counted=False), 3)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
    one, two, both = (packed(house, *of) for of in ((FIRST, FIRST), (second, second), (FIRST, second)))
    before = tmp_path / "before.zip"
    before.write_bytes(one)

    # The box of the drop was counted on the second day.
    assert [verified(pack).wrong for pack in (one, two, both)] == [[], [], []]
    assert "1 slips, counts or boxes were changed again later" in " ".join(verified(one).unproved)
    assert "changed again" not in " ".join(verified(both).unproved)
    after = verified(two, before=before)
    assert (after.wrong, after.proved["packs that meet"]) == ([], 1)
    assert "the pack before does not end where this one begins" in verified(both, before=before).wrong
    before.write_bytes(changed(one, {"accounts.csv": replaced(",0,100300", ",0,100400")}))
    (differs,) = verified(two, before=before).wrong
    assert re.fullmatch(r"account \d+ was left with 100400 by the pack before, and begins with 100300", differs)


@pytest.mark.slow
def test_a_table_that_played_on_holds_though_a_hand_of_the_day_before_comes_with_the_second(
    house: House, tmp_path: Path
) -> None:
    with clock.frozen(house.at):
        sealer = seal(tmp_path, None)
    house.open(1, **SEVEN)
    old = house.table().opening_id
    house.settle(60_00, dealt_in=tuple(SEVEN.values()))
    kept, at = house.deal(), house.at + timedelta(seconds=20)
    house.at += timedelta(minutes=1)
    # Another tablet deals on, so this one is not logged until its own is back.
    house.settle(86_00)
    house.close_drawer()
    counts_through(house)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
        one = packed(house, FIRST, FIRST)
    next_day(house)
    second = house.at.date()
    tapped(house, settle_hand, at, hand=replace(kept, pots=(40_00,)))
    house.settle(40_00)
    never_seen = house.logged(20_00, opening_id=old, dealt_in=tuple(SEVEN.values()))
    tapped(house, settle_hand, at + timedelta(seconds=20), hand=never_seen)
    ends(house)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)

    assert packed(house, FIRST, FIRST) == one
    packs = [packed(house, *of) for of in ((FIRST, FIRST), (second, second), (FIRST, second))]
    assert [verified(pack).wrong for pack in packs] == [[], [], []]


@pytest.mark.slow
def test_what_is_done_between_two_days_is_sealed_in_the_pack_of_the_second(house: House, tmp_path: Path) -> None:
    with clock.frozen(house.at):
        sealer = evening(house, tmp_path)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
    house.at += timedelta(hours=5)
    house.tap(add_table, house.cast.mari, number=9)
    with clock.frozen(house.at):
        seal(tmp_path, sealer, times=3)
    next_day(house)
    third = GamingDay.objects.latest("id").date
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer, times=3)

    audit = verified(packed(house, third, third))

    assert audit.wrong == []
    # From the one before the day before closed, up to the first that knows all; the last two know nothing new.
    assert audit.proved["signatures"] == 6


@pytest.mark.slow
def test_a_pack_costs_as_many_queries_whatever_the_day_came_to(house: House, tmp_path: Path) -> None:
    with clock.frozen(house.at):
        sealer = evening(house, tmp_path)
    with CaptureQueriesContext(connection) as few:
        packed(house, FIRST, FIRST)
    house.open(1, Lee=1, Kai=2, Timo=3)
    for _ in range(12):
        house.settle(40_00)
    second = house.at.date()
    with clock.frozen(house.at):
        ends(house)
        house.close_day()
        seal(tmp_path, sealer)
    with CaptureQueriesContext(connection) as many:
        packed(house, second, second)

    assert len(many) <= len(few) + 2


# ---- signatures


# RFC 8032, 7.1: public key, message and signature of tests 1, 2, 3 and SHA(abc).
VECTORS = [
    ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    ("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
]  # fmt: skip


@pytest.mark.parametrize(("public", "message", "signature"), VECTORS)
def test_signatures_are_verified_as_rfc_8032_shows(public: str, message: str, signature: str) -> None:
    said = bytes.fromhex(message).decode()

    assert is_signed(public, said, signature)
    assert not is_signed(public, said + "x", signature)
    # S + L is the same number to the curve, and no signature (5.1.7).
    order = 2**252 + 27742317777372353535851937790883648493
    s = int.from_bytes(bytes.fromhex(signature[64:]), "little") + order
    assert not is_signed(public, said, signature[:64] + s.to_bytes(32, "little").hex())


# A fifth of others': it reckons in plain Python, half a second each.
@settings(max_examples=settings().max_examples // 5)
@given(seed=binary(min_size=32, max_size=32), said=text(max_size=200), at=integers(0, 511))
def test_it_holds_what_the_library_signed_and_nothing_else(seed: bytes, said: str, at: int) -> None:
    key = Ed25519PrivateKey.from_private_bytes(seed)
    public = key.public_key().public_bytes_raw().hex()
    signed = key.sign(said.encode())
    other = bytearray(signed)
    other[at // 8] ^= 1 << at % 8

    assert is_signed(public, said, signed.hex())
    assert not is_signed(public, said, other.hex())


def test_what_is_no_key_or_no_signature_signs_nothing() -> None:
    public, _message, signature = VECTORS[0]

    assert not is_signed("", "", signature)
    assert not is_signed(public, "", "zz")
    assert not is_signed("ff" * 32, "", signature)
    assert not is_signed(public, "", signature[:-2])
