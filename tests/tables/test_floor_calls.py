"""A dealer calls the floor with a reason: it stands on the to-do and on the tablet until somebody has looked."""

import pytest

from casino.errors import Malformed
from casino.live.render import fragment
from tables.models import ToDo
from tables.selectors.work import table_work
from tables.services.corrections import judge
from tables.services.floor_calls import call_floor
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses


def test_a_call_stands_on_the_to_do_once_until_it_is_judged(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)

    for _ in range(2):
        house.tap(call_floor, house.cast.anna, table_id=table.pk, reason="ruling")

    (called,) = ToDo.objects.filter(done_at=None)
    html = fragment(house.room_id, "floor", "en").html
    assert "The dealer calls the floor" in html
    assert "A ruling" in html
    assert table_work(house.room_id, 1).floor_called

    house.tap(judge, table_id=table.pk, todo_id=called.pk)

    assert not table_work(house.room_id, 1).floor_called
    house.tap(call_floor, house.cast.anna, table_id=table.pk, reason="ruling")
    assert ToDo.objects.filter(done_at=None).count() == 1


def test_a_reason_is_one_that_the_floor_knows(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)

    with pytest.raises(Malformed):
        house.tap(call_floor, house.cast.anna, table_id=table.pk, reason="lonely")
