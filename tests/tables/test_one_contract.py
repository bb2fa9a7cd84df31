"""A page's tap and an API call are the same command: what either says is claimed before anything is looked at."""

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from casino.cage.models import Slip
from tables.models import Hand, Seating
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


FIVE = {"Lee": 1, "Kai": 2, "Timo": 3, "Mika": 4, "Pekka": 5}


def corrected(floor: Client, old: Hand, **fields: Any) -> Hand:
    """Correct a hand with what its sheet holds, and these fields changed."""
    sheet = floor.get(f"{TABLE}hands/{old.pk}/sheet/").content.decode()
    hidden = {name: found[1] for name in SENT if (found := re.search(rf'name="{name}" value="([^"]*)"', sheet))}
    answer = tap(floor, f"{TABLE}hands/{old.pk}/correct/", **hidden, **fields)
    assert answer.status_code == 200, answer.content.decode()
    return Hand.objects.get(corrects=old)


SENT = ("hand_id", "beyond_initial_deal_at")


def test_a_correction_keeps_every_pot_that_its_sheet_shows(house: House, floor: Client) -> None:
    house.open(1, **FIVE)
    old = house.settle(40_00, 30_00, 20_00, 10_00, winners=(1,))
    shown = floor.get(f"{TABLE}hands/{old.pk}/sheet/").content.decode()

    pots = {"pot_0": "50", "winners_0": [2], "pot_1": "30", "winners_1": [1], "pot_2": "20", "winners_2": [3]}
    new = corrected(floor, old, **pots, pot_3="10", winners_3=[4, 5], reason="wrong_pot")

    assert all(f'name="pot_{index}"' in shown for index in range(5))
    assert 'name="pot_5"' not in shown
    assert [pot.cents for pot in new.pots.order_by("index")] == [50_00, 30_00, 20_00, 10_00]
    assert new.pots.get(index=3).winner_seats == [4, 5]


def test_a_correction_keeps_at_least(house: House, floor: Client) -> None:
    house.open(1, **FIVE)
    old = house.settle(90_00, winners=(1,), pot_is_at_least=True)
    sheet = floor.get(f"{TABLE}hands/{old.pk}/sheet/").content.decode()

    new = corrected(floor, old, pot_0="95", pot_is_at_least="on", winners_0=[1], reason="wrong_pot")

    assert 'name="pot_is_at_least" checked' in sheet
    assert (new.pot_cents, new.pot_is_at_least) == (95_00, True)


@pytest.mark.rule("H1.90")
def test_a_correction_keeps_a_flop_whose_pot_nobody_knows(house: House, floor: Client) -> None:
    house.open(1, **FIVE)
    old = house.settle(winners=(1,), beyond_initial_deal_at=house.at)

    new = corrected(floor, old, pot_0="", winners_0=[2], reason="wrong_winner")

    assert (new.street, new.pot_cents, new.drop_due_cents) == ("beyond", None, old.drop_due_cents)
    assert new.beyond_initial_deal_at == old.beyond_initial_deal_at


def test_side_pots_without_a_main_pot_cannot_be_read(house: House, floor: Client) -> None:
    house.open(1, **FIVE)
    old = house.settle(40_00, winners=(1,))

    fields = {"hand_id": uuid.uuid4(), "pot_0": "", "winners_0": [1], "pot_1": "20", "reason": "wrong_pot"}
    answer = tap(floor, f"{TABLE}hands/{old.pk}/correct/", **fields)

    assert answer.status_code == 400
