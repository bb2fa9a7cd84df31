"""Real threads, real connections: two counts of one rack, and a tip box that is counted while tips are handed on."""

from contextlib import nullcontext
from typing import Any

import pytest

from casino.ledger.errors import AlreadyPosted
from casino.ledger.proof import problems
from casino.people.models import Staff
from casino.rooms.models import Room
from tables.errors_racks import NoTipsLeft
from tables.models import RackCheck, Table, TipCount, TipPayroll
from tables.services import racks
from tests.cast import command
from tests.support.locks import meet, without_lock
from tests.tables.conftest import House, make_house
from tests.tables.racking import Racking, keeps_racks, pieces_of
from tests.tables.tipping import dealt, hand_on, handing_on, take, taking

pytestmark = pytest.mark.smoke


@pytest.fixture
def house(committing_db: object) -> House:
    house = make_house()
    keeps_racks(house.room_id)
    house.open(1, Lee=1, Kai=2)
    return house


def count_twice(house: House) -> list[int]:
    """Have two of the floor count one rack at once, 195 € each; return what each expected."""
    Racking(house).fill(200)
    table_id = house.table_id()

    def counts(by: Staff) -> Any:
        return racks.count_rack(command(by, at=house.at), table_id=table_id, kind="floor", pieces=pieces_of(195))

    meet(lambda: counts(house.cast.frans), lambda: counts(house.cast.mari))
    return sorted(RackCheck.objects.values_list("expected_cents", flat=True))


def test_the_second_of_two_counts_expects_what_the_first_has_found(house: House) -> None:
    assert count_twice(house) == [195_00, 200_00]
    assert house.figures() | {"float": 195_00, "rack_over_short": 5_00} == house.figures()
    assert list(problems(house.room_id)) == []


@pytest.mark.slow
def test_without_the_tables_lock_only_the_ledger_would_keep_both_from_finding_the_same_chips_missing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_lock(monkeypatch, Table)

    # The ledger has the last word.
    with pytest.raises(AlreadyPosted):
        count_twice(house)

    assert house.figures()["rack_over_short"] == 5_00


def test_a_tip_box_that_is_counted_while_tips_are_handed_on_is_handed_on_later(house: House) -> None:
    dealt(house, (house.cast.anna, 30))
    take(house, 10)

    meet(handing_on(house, 10_00), taking(house, 5))

    assert (TipPayroll.objects.get().cents, TipCount.objects.count()) == (10_00, 2)
    assert list(problems(house.room_id)) == []
    hand_on(house, 5_00)
    assert list(problems(house.room_id)) == []


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_payroll_waits_for_the_tips_that_are_just_being_counted(
    house: House, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    dealt(house, (house.cast.anna, 30))
    take(house, 10)
    # Signed before: who signs is locked too, and the second would wait there.
    counts, pays = taking(house, 5), handing_on(house, 10_00)
    if not is_locked:
        without_lock(monkeypatch, Room)

    # Without the room's lock it has looked by the time that it waits for the tips' account, and leaves the 5 out.
    with pytest.raises(NoTipsLeft) if is_locked else nullcontext():
        meet(counts, pays)

    assert [each.cents for each in TipPayroll.objects.all()] == ([] if is_locked else [10_00])
    assert list(problems(house.room_id)) == []


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_days_tips_are_handed_on_once(house: House, monkeypatch: pytest.MonkeyPatch, is_locked: bool) -> None:
    dealt(house, (house.cast.anna, 30))
    take(house, 10)
    first, second = handing_on(house, 10_00), handing_on(house, 10_00)
    if not is_locked:
        without_lock(monkeypatch, Room)

    # Without the room's lock the ledger has the last word.
    with pytest.raises(NoTipsLeft if is_locked else AlreadyPosted):
        meet(first, second)

    assert TipPayroll.objects.get().cents == 10_00
