"""Packs and reports that name who dealt: in which opening, by which row, and of which day what was on paper is."""

import io
import zipfile
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from casino import clock
from casino.audit.held import note
from tables.services.downs import push_dealer
from tests.audit.sealing import seal
from tests.cage.vouchers import issues, voids
from tests.paper.catching import DownLine, HandLine, Outage
from tests.reports.packing import FIRST, changed, ends, first_day_packed, other_opening, packed, verified
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.test_playing_on import counts_through

pytestmark = [pytest.mark.slow, pytest.mark.two_houses]

STAYS = ("down", "sitting")


def test_who_dealt_in_an_opening_and_closed_it_follows_from_the_pack(house: House, tmp_path: Path) -> None:
    """Also over a day's end, at which the table plays on, and at a table where nothing was posted."""
    anna, dan = house.cast.anna, house.cast.dan
    house.open(1, Lee=1, Kai=2)
    house.tap(push_dealer, table_id=house.table_id(), dealer_id=anna.pk)
    house.open(2)
    house.tap(push_dealer, table_id=house.table_id(2), dealer_id=dan.pk)
    ends(house, 2)
    counts_through(house)
    pack, sealer = first_day_packed(house, tmp_path)
    second = house.at.date()
    house.settle(60_00)
    ends(house)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
        after, both = packed(house, second, second), packed(house, FIRST, second)

    assert [verified(each).wrong for each in (pack, after, both)] == [[], [], []]
    for each, on, whom in ((pack, FIRST, anna), (after, second, anna), (both, FIRST, anna), (both, second, anna)):
        says = f"who dealt in it is [{dan.pk}] there, and [{whom.pk}] by downs and sittings"
        assert any(says in found for found in other_opening(each, on, dealer_ids=[dan.pk])), on
    wrong = other_opening(pack, FIRST, closed_by_id=dan.pk)
    assert any(f"closed by is {dan.pk} there, and None by the log" in found for found in wrong)
    # The words of the CSV are those of the report.
    forged = {f"days/{FIRST}/report.csv": lambda text: text.replace(f",{anna.pk}", f",{dan.pk}")}
    assert any("dealers is" in found for found in verified(changed(pack, forged)).wrong)


def test_a_closed_day_stays_though_a_sheet_of_it_is_caught_up_since(house: House, tmp_path: Path) -> None:
    """Who dealt by the sheet did on the day on which it is entered, as the hands are of that day."""
    anna, dan = house.cast.anna, house.cast.dan
    house.open(1, Lee=1, Kai=2)
    house.tap(push_dealer, table_id=house.table_id(), dealer_id=anna.pk)
    outage = Outage(house)
    ends(house)
    pack, sealer = first_day_packed(house, tmp_path)
    second = house.at.date()
    lines, downs = (HandLine(1, 1, {"rake": 4_00}),), (DownLine(dan.pk, outage.at(5), outage.at(30)),)
    outage.enter(dealer="dan", hands=1, lines=lines, downs=downs)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
        again, after, both = packed(house, FIRST, FIRST), packed(house, second, second), packed(house, FIRST, second)

    assert again == pack
    assert [verified(each).wrong for each in (pack, after, both)] == [[], [], []]
    for each, on, whom, other in ((both, FIRST, anna, dan), (after, second, dan, anna), (both, second, dan, anna)):
        says = f"who dealt in it is [{other.pk}] there, and [{whom.pk}] by downs and sittings"
        assert any(says in found for found in other_opening(each, on, dealer_ids=[other.pk])), on


def test_a_day_of_before_events_named_stays_has_them_though_later_events_name_them(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr("casino.audit.held.note", notes_no_stay)
        house.open(1, Lee=1, Kai=2)
        house.tap(push_dealer, table_id=house.table_id(), dealer_id=house.cast.anna.pk)
        counts_through(house)
        pack, sealer = first_day_packed(house, tmp_path)
    ends(house)
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
        again = packed(house, FIRST, FIRST)

    assert verified(again).wrong == []
    assert rows_in(again) == rows_in(pack) == {"down": 1, "sitting": 2}


@pytest.mark.parametrize("pushed", ["on the day before", "between days", "before a day without tables"])
def test_who_was_pushed_in_at_a_closed_table_deals_from_its_opening_on(
    house: House, tmp_path: Path, pushed: str
) -> None:
    anna = house.cast.anna
    house.close_drawer()
    if pushed != "on the day before":
        house.close_day()
    house.tap(push_dealer, table_id=house.table_id(), dealer_id=anna.pk)
    if pushed == "before a day without tables":
        house.next_day()
    if pushed != "between days":
        house.close_day()
    on = house.next_day().date
    house.open(1, Lee=1, Kai=2)
    ends(house)
    house.close_day()
    with clock.frozen(house.at):
        seal(tmp_path)
        pack = packed(house, on, on)

    assert verified(pack).wrong == []
    says = f"who dealt in it is [] there, and [{anna.pk}] by downs and sittings"
    assert any(says in found for found in other_opening(pack, on, dealer_ids=[]))


def test_a_row_that_was_slipped_in_stays_in_its_days_pack_though_a_later_event_names_it(
    house: House, tmp_path: Path
) -> None:
    house.close_drawer()
    mari, frans = house.cast.mari, house.cast.frans
    voucher = issues(mari, frans, 50_00, at=house.at)
    voucher.pk, voucher.number, voucher.issued_at = None, 99, house.at + timedelta(microseconds=7)
    with as_owner():
        voucher.save(force_insert=True)
    house.at += timedelta(minutes=1)
    house.close_day()
    with clock.frozen(house.at):
        sealer = seal(tmp_path, None)
        pack = packed(house, FIRST, FIRST)
    house.next_day()
    voids(mari, frans, voucher, at=house.at)
    with clock.frozen(house.at):
        seal(tmp_path, sealer)
        again = packed(house, FIRST, FIRST)

    for each in (pack, again):
        assert f"voucher {voucher.pk} is named by no event" in verified(each).wrong


def notes_no_stay(kind: str, row_id: int, fingerprint: str = "") -> None:
    if kind not in STAYS:
        note(kind, row_id, fingerprint)


def rows_in(pack: bytes) -> Counter[str]:
    """Return how many rows of downs and sittings a pack has."""
    lines = zipfile.ZipFile(io.BytesIO(pack)).read("rows.txt").decode().splitlines()
    return Counter(kind for kind in (line.partition("\t")[0] for line in lines) if kind in STAYS)
