"""What nothing moved in a pack's days is held against what the log says lay there as each day closed."""

import csv
import io
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from casino import clock
from casino.audit.models import Event
from casino.rooms.models import GamingDay
from tests.audit.sealing import seal
from tests.reports.packing import FIRST, LOG, Changes, Evening, changed, relogged, replaced, verified
from tests.reports.test_pack_of_people_and_cage import both
from tests.tables.conftest import House

__all__ = ["both"]
pytestmark = [pytest.mark.two_houses, pytest.mark.xdist_group("packs of two days")]
SECOND = FIRST + timedelta(days=40)
Row = dict[str, Any]


def of_accounts(change: Callable[[list[Row]], None]) -> Callable[[str], str]:
    """Have some of the accounts be otherwise that nothing moved and on which something lies."""

    def changed_accounts(content: str) -> str:
        rows, text = list(csv.DictReader(io.StringIO(content))), io.StringIO()
        change([row for row in rows if row["opening_cents"] == row["closing_cents"] != "0"])
        writer = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    return changed_accounts


def shifted(rows: list[Row]) -> None:
    """Have five euros of what lies in one place lie in another one."""
    for kind, cents in (("vault_foreign_notes", 500), ("house_money", -500)):
        row = next(row for row in rows if row["kind"] == kind)
        for name in ("opening_cents", "closing_cents"):
            row[name] = int(row[name]) + cents


def shifted_in_report(content: str) -> str:
    report = json.loads(content)
    for kind, cents in (("vault_foreign_notes", 500), ("house_money", -500)):
        row = next(row for row in report["trial"] if row["kind"] == kind)
        for name in ("opening_cents", "closing_cents"):
            row[name] += cents
    return json.dumps(report)


def anothers(rows: list[Row]) -> None:
    next(row for row in rows if row["owner_kind"] == "jackpot")["owner_id"] = "999"


LAY = f"what lay on all accounts when {SECOND} closed, and whose they are, is not what the event of its close says"
ROOM = "the room’s {0} is {1} there, and {2} by the log"
# What becomes of a pack of a day on which little moved, and by what that is found.
CHANGES: dict[str, tuple[Changes, str]] = {
    "what lay where nothing moved": (
        {"accounts.csv": of_accounts(shifted), f"days/{SECOND}/report.json": shifted_in_report}, LAY,
    ),
    "whose an account is that nothing moved": ({"accounts.csv": of_accounts(anothers)}, LAY),
    "by what it was hashed": ({"manifest.json": replaced('"balances_seed": "', '"balances_seed": "0')}, LAY),
    "the currency": ({"manifest.json": replaced('"EUR"', '"SEK"')}, ROOM.format("currency", "SEK", "EUR")),
    "the time zone": (
        {"manifest.json": replaced("Europe/Helsinki", "Europe/Riga")},
        ROOM.format("time_zone", "Europe/Riga", "Europe/Helsinki"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "says"), CHANGES.values(), ids=CHANGES)
def test_what_nothing_moved_cannot_be_another(both: tuple[bytes, bytes], changes: Changes, says: str) -> None:
    audit = verified(both[1])
    found = verified(changed(both[1], changes)).wrong

    assert (audit.wrong, audit.proved["days’ closes that say what lay on all accounts"]) == ([], 1)
    assert says in [each for each in found if "report.csv" not in each], found


def test_a_rule_book_that_no_event_names_cannot_be_another(made: Evening) -> None:
    def of_book(content: str) -> str:
        about = json.loads(content)
        about["rule_books"][0]["holds_from"] = "2020-01-01T00:00:00+00:00"
        return json.dumps(about)

    found = verified(changed(made.pack, {"manifest.json": of_book})).wrong

    assert f"the rule books are not those that the room had when {FIRST} closed" in found


def test_a_day_whose_log_is_of_before_it_told_what_lay_there_is_named(made: Evening) -> None:
    def says_nothing(event: Row) -> None:
        event.get("data", {}).pop("stands", None)

    log: Changes = {LOG: lambda log: relogged(log, says_nothing), "seals.txt": lambda _: "", "after.txt": lambda _: ""}
    audit = verified(changed(made.pack, log))

    assert [sentence for sentence in audit.wrong if "is in no seal" not in sentence] == []
    assert any("What lay on accounts that nothing moved in these days" in sentence for sentence in audit.unproved)


def test_what_lay_there_is_hashed_with_what_nobody_can_foresee(house: House, tmp_path: Path) -> None:
    """Or whoever knows all figures but those of a drawer of theirs could try which of them it is."""
    house.close_drawer()
    with clock.frozen(house.at):
        house.close_day()
        seal(tmp_path, None)
    first = GamingDay.objects.get(closed_at__isnull=False)
    house.next_day()
    house.close_day()
    second = GamingDay.objects.latest("id")

    stands = [json.loads(each.text)["data"]["stands"] for each in Event.objects.filter(name="cage.close_day")]
    assert len(first.balances_seed) == len(second.balances_seed) == 64
    assert stands[0]["rule_books"] == stands[1]["rule_books"]
    assert stands[0]["balances"] != stands[1]["balances"]
    assert first.balances_seed not in json.dumps(stands)
    with pytest.raises(DatabaseError, match="Cannot update rows"), transaction.atomic():
        GamingDay.objects.filter(id=first.pk).update(balances_seed="0" * 64)
