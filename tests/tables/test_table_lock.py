"""Whoever waited for a table's lock decides on what the other one left there."""

import pytest
from django.db import IntegrityError, connection

from casino.ledger.proof import problems
from tables.models import Hand, Table
from tables.services.hands import settle_hand
from tests.cast import command
from tests.support.locks import meet, without_lock
from tests.tables.conftest import House, make_house

pytestmark = pytest.mark.smoke


def _settle(house: House, table_id: int) -> None:
    settle_hand(command(house.cast.anna, at=house.at), table_id=table_id, hand=house.logged(20_00))


@pytest.mark.rule("H4.26")
def test_a_hand_that_waited_for_another_goes_on_from_where_that_one_left_the_button(committing_db: object) -> None:
    house = make_house()
    table_id = house.open(1, Lee=1, Kai=2, Timo=3, Mika=4).pk
    house.settle(20_00)

    meet(lambda: _settle(house, table_id), lambda: _settle(house, table_id))

    assert list(Hand.objects.order_by("number").values_list("number", "button_seat")) == [(1, 4), (2, 1), (3, 2)]
    assert list(problems(house.room_id)) == []
    connection.close()


@pytest.mark.slow
def test_without_the_lock_only_the_database_would_keep_one_number_from_two_hands(
    committing_db: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = make_house()
    table_id = house.open(1, Lee=1, Kai=2, Timo=3, Mika=4).pk
    without_lock(monkeypatch, Table)

    with pytest.raises(IntegrityError, match="hand_numbered_once_per_table"):
        meet(lambda: _settle(house, table_id), lambda: _settle(house, table_id))
