"""Real threads, real connections: two counts of one rack, and a tip box that is counted while tips are handed on."""

from typing import Any

import pytest
from django.db import connection

from casino.ledger.errors import AlreadyPosted
from casino.ledger.proof import problems
from casino.people.models import Staff
from tables.models import RackCheck, Table, TipCount, TipPayroll
from tables.services import racks
from tests.cast import command
from tests.support.locks import meet, without_lock
from tests.tables.conftest import House, make_house
from tests.tables.racking import Racking, keeps_racks, pieces_of
from tests.tables.tipping import dealt, hand_on, take

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

    meet(lambda: hand_on(house, 10_00), lambda: take(house, 5))

    assert (TipPayroll.objects.get().cents, TipCount.objects.count()) == (10_00, 2)
    assert list(problems(house.room_id)) == []
    hand_on(house, 5_00)
    assert list(problems(house.room_id)) == []
    connection.close()
