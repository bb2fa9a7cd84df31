"""Whoever waited for a table's lock decides on what the other one left there."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connection, connections, transaction

from casino.ledger.proof import problems
from tables.models import Hand
from tables.services.hands import settle_hand
from tests.cast import command
from tests.support.locks import until_somebody_waits
from tests.tables.conftest import House, make_house

pytestmark = pytest.mark.smoke


def _settle(house: House, table_id: int) -> None:
    settle_hand(command(house.cast.anna, at=house.at), table_id=table_id, hand=house.logged(20_00))


@pytest.mark.rule("H4.26")
def test_a_hand_that_waited_for_another_goes_on_from_where_that_one_left_the_button(committing_db: object) -> None:
    house = make_house()
    table_id = house.open(1, Lee=1, Kai=2, Timo=3, Mika=4).pk
    house.settle(20_00)
    is_settled, may_commit = Event(), Event()

    def first() -> None:
        with transaction.atomic():
            _settle(house, table_id)
            is_settled.set()
            assert may_commit.wait(10)
        connections.close_all()

    def second() -> None:
        _settle(house, table_id)
        connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        held = pool.submit(first)
        assert is_settled.wait(10)
        waiting = pool.submit(second)
        until_somebody_waits()
        may_commit.set()
        held.result(timeout=20)
        waiting.result(timeout=20)

    assert list(Hand.objects.order_by("number").values_list("number", "button_seat")) == [(1, 4), (2, 1), (3, 2)]
    assert list(problems(house.room_id)) == []
    connection.close()
