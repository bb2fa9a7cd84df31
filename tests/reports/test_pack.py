"""The auditor's pack: it holds by its script alone, and whatever is changed in it is found."""

import io
import json
import re
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.audit.models import Seal
from casino.cage.chart import of_drawer
from casino.ledger.chart import of_house
from casino.ledger.services import post
from casino.reports.pack.script import whole
from casino.reports.selectors.day import day_report
from casino.rooms.selectors import open_day
from tables.services.rack_sales import sell_from_rack
from tests.audit.sealing import seal
from tests.cage.banking import adds_bank, gives_bank
from tests.cage.counting import closes
from tests.reports.packing import (
    FIRST,
    LOG,
    OF_DAY,
    REPORT,
    TRANSFERS,
    Changes,
    Evening,
    changed,
    ends,
    evening,
    packed,
    relogged,
    replaced,
    rewritten,
    script,
    verified,
    without_line,
)
from tests.support.owner import as_sealer
from tests.tables.conftest import House
from tests.tables.racking import Racking
from tests.tables.selling import cleared
from tests.tables.tipping import take

pytestmark = pytest.mark.two_houses


def by_script(path: Path, *options: str) -> tuple[int, str]:
    """Run the pack's script as an auditor does: nothing of Brush is there."""
    command_line = [sys.executable, "-I", str(script(path.parent)), str(path), *options]
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
        ended, output = by_script(path, *elsewhere)

        assert (ended, output.splitlines()[-1]) == (0, "The pack holds.")
        assert "NOT PROVED" not in output
        for proves in (
            "1 digest",
            "1 key given",
            "1 printed seals",
            "3 signatures",
            "17 files",
            "22 transfers with their events",
            "2 reversals",
            "1 rule books",
            "18 slips, counts, boxes",
        ):
            assert f"proved: {proves}\n" in output
    _ended, output = by_script(file)
    assert output.count("NOT PROVED") == 2
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
    # Her own tips, and a runner's bank, are in it; and nobody has sealed.
    assert [sentence for sentence in verified(pack).wrong if "is in no seal" not in sentence] == []
    with zipfile.ZipFile(io.BytesIO(pack)) as opened:
        everything = "\n".join(opened.read(name).decode() for name in opened.namelist() if name != "verify.py")

    names = {each.display_name for each in cast.staff.values()} | set(cast.players)
    assert {"Anna", "Dan", "Frans", "Carla", "Mika"} <= names
    assert [each for each in names if re.search(rf"\b{each}\b", everything)] == []
    assert re.search(rf"^{cast.anna.pk},\d+,3500,0,3500\s*$", everything, re.MULTILINE)
    assert f"11 · Bank 11 · {cast.dan.pk}" in everything
    assert [(each.dealer, each.cents) for each in shown.cash_plays] == [("Anna", 100_00)]


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
    assert len(names) == 15
    of_manifest = changed(made.pack, {"manifest.json": replaced("rake_box", "rake_bix")}, is_remade=False)
    assert verified(of_manifest, digest=made.digest).wrong


def test_a_byte_of_the_zip_itself_is_found_by_the_script(made: Evening, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(made.pack)) as opened:
        at = opened.getinfo(f"{OF_DAY}transfers.txt").header_offset + 200
    file = tmp_path / "pack.zip"
    file.write_bytes(made.pack[:at] + bytes([made.pack[at] ^ 1]) + made.pack[at + 1 :])

    ended, output = by_script(file)

    assert ended == 1
    assert f"WRONG: {OF_DAY}transfers.txt cannot be read" in output


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


def test_what_nothing_else_binds_is_found_by_the_packs_digest(made: Evening) -> None:
    other = changed(made.pack, {"verify.py": one_byte})

    assert verified(other).wrong == []
    assert len(verified(other, digest=made.digest).wrong) == 1


def test_another_text_of_a_rule_book_is_found_though_its_digest_is_made_anew(made: Evening) -> None:
    """No event puts a first rule book in force: a day's close says which ones the room has."""
    name = "rule-books/1.toml"
    with zipfile.ZipFile(io.BytesIO(made.pack)) as opened:
        book = opened.read(name).decode()
    other = book.replace("# Casino", "# Kasino", 1)
    old, new = (sha256(each.encode()).hexdigest() for each in (book, other))

    both: Changes = {name: lambda _: other, "manifest.json": lambda text: text.replace(old, new)}
    found = verified(changed(made.pack, both)).wrong

    assert found == [f"the rule books are not those that the room had when {FIRST} closed"]


def test_what_was_logged_before_events_named_rows_is_held_by_its_moment(made: Evening) -> None:
    def without_rows(event: dict[str, Any]) -> None:
        event.pop("rows", None)

    old: Changes = {LOG: lambda log: relogged(log, without_rows), "seals.txt": lambda _: "", "after.txt": lambda _: ""}
    audit = verified(changed(made.pack, old))
    at_no_moment = changed(made.pack, {**old, TRANSFERS: replaced("1795197600.000000", "1795197600.000001")})

    assert audit.proved["transfers of before the log named rows, by their moment alone"] == 22
    assert "18 rows are of before the log named rows." in audit.unproved
    assert [sentence for sentence in audit.wrong if "is in no seal" not in sentence] == []
    assert any("is named by no event of its day" in sentence for sentence in verified(at_no_moment).wrong)


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
            seal, heads, _signature = line.split("\t")
            about = json.loads(seal) | ({"previous": before} if before else {})
            seal = json.dumps(about, sort_keys=True, separators=(",", ":"))
            signature = forger.sign(seal.encode()).hex()
            before = sha256(f"{seal}\n{signature}".encode()).hexdigest()
            lines.append(f"{seal}\t{heads}\t{signature}\n")
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
