"""Whose an account is a pack's transfers say, with the events that name them; which are promises its script knows."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from casino.ledger.chart import CHART
from casino.reports.pack.script.owners import PROMISES
from tests.reports.packing import changed, verified
from tests.reports.test_pack_of_people_and_cage import both

__all__ = ["both"]
pytestmark = pytest.mark.xdist_group("packs of two days")

# By kind of owner what of accounts of somebody else is said.
SAYS = {
    "house": "is of another room", "table": "is about table 1, and moves accounts of table 99",
    "drawer": "is about drawer 1, and moves accounts of drawer 99", "player": "is about player",
}  # fmt: skip


def others(owner: str) -> Callable[[str], str]:
    """Have each account of a kind of owner be number 99's."""

    def change(content: str) -> str:
        rows, text = list(csv.reader(io.StringIO(content))), io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(
            [*row[:2], "99" if row[1] == owner else row[2], *row[3:]] for row in rows
        )
        return text.getvalue()

    return change


@pytest.mark.parametrize(("owner", "says"), SAYS.items(), ids=SAYS)
def test_an_account_is_whose_its_transfers_say(both: tuple[bytes, bytes], owner: str, says: str) -> None:
    about = {"manifest.json": lambda content: content.replace('"tables": {', '"tables": {"99": 1,')}

    found = verified(changed(both[0], {"accounts.csv": others(owner), **about})).wrong

    assert any(says in each for each in found), found[:5]


def test_an_account_that_a_pack_says_to_be_no_promise_is_found(both: tuple[bytes, bytes]) -> None:
    changes = {"accounts.csv": lambda content: content.replace("deposit,money,EUR,1", "deposit,money,EUR,0")}

    assert any("deposit, is a promise" in each for each in verified(changed(both[0], changes)).wrong)


def test_an_account_is_whose_it_was_in_the_pack_before(both: tuple[bytes, bytes], tmp_path: Path) -> None:
    before = tmp_path / "before.zip"
    before.write_bytes(changed(both[0], {"accounts.csv": others("table")}))

    assert any("is another one in the pack before" in each for each in verified(both[1], before=before).wrong)


def test_the_script_knows_which_accounts_are_promises() -> None:
    kinds = {(owner, name): kind for owner, of in CHART.items() for name, kind in of.accounts.items()}

    assert {each for each, kind in kinds.items() if kind.is_promise} == PROMISES
