"""A page's tap and an API call are the same command: what either says is claimed before anything is looked at."""

import uuid

import pytest
from django.test import Client

from casino.cage.models import Slip
from tables.models import Seating
from tests.tables.conftest import House
from tests.taps import at_desktop, tap

TABLE = "/floor/tables/1/"


@pytest.fixture
def floor(house: House) -> Client:
    return at_desktop(house.cast.frans)


def seat_of(nickname: str) -> Seating:
    return Seating.objects.get(player__nickname=nickname, left_at=None)


def test_a_buy_in_that_is_tapped_again_after_the_player_left_gets_its_first_answer(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)
    lee, key = seat_of("Lee"), uuid.uuid4()
    path = f"{TABLE}seatings/{lee.pk}/buy-in/"
    tap(floor, path, id=key, amount="100", stack="20")
    tap(floor, f"{TABLE}seatings/{lee.pk}/leave/", stack="20")

    again = tap(floor, path, id=key, amount="100", stack="20")
    anew = tap(floor, path, amount="100", stack="20")

    assert (again.status_code, anew.status_code) == (200, 409)
    assert Slip.objects.count() == 1


def test_money_that_is_tapped_again_for_a_slip_gets_its_first_answer(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)
    tap(floor, f"{TABLE}seatings/{seat_of('Lee').pk}/buy-in/", amount="100", stack="20")
    slip, key = Slip.objects.get(), uuid.uuid4()
    fields = {"slip_id": slip.pk, "version": slip.version, "drawer_id": house.drawer_id, "method": "cash"}

    first, again = (tap(at_desktop(house.cast.carla), "/cage/1/take/", id=key, **fields) for _ in range(2))

    assert (first.status_code, again.status_code) == (200, 200)
    assert Slip.objects.get().status == "paid"
