"""The card of who comes to the cage: where they played, and for how much a table's stack is proposed."""

import pytest
from django.urls import reverse

from casino.cage.about import AtSeat
from casino.cage.services import request_buy_in
from tables.models import Seating
from tables.services.seating import leave_seat
from tests.tables.conftest import House
from tests.taps import at_desktop

pytestmark = pytest.mark.django_db


def test_the_card_says_where_the_player_sits_or_left_with_what(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    lee, kai = Seating.objects.order_by("seat_number")
    carla = at_desktop(house.cast.carla)

    def card(nickname: str) -> str:
        return carla.get(reverse("cage_player", args=[house.player(nickname).pk])).text

    assert "sits at table 1, seat 1" in card("Lee")
    assert "left table" not in card("Lee")
    assert "5\xa0000\xa0€" in card("Lee")
    house.tap(leave_seat, table_id=lee.table_id, seating_id=lee.pk, stack_cents=150_00)
    house.tap(leave_seat, table_id=kai.table_id, seating_id=kai.pk, stack_cents=None)

    assert "left table 1 with 150\xa0€" in card("Lee")
    assert "left table 1 uncounted" in card("Kai")


def test_a_stack_for_a_table_is_proposed_in_what_is_played_with_there(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    lee = Seating.objects.get(seat_number=1)
    seat = AtSeat(table=lee.table_id, table_number=1, seating=lee.pk, seat_number=1, stack=0)
    request = house.tap(request_buy_in, player_id=lee.player_id, amount_cents=200_00, seat=seat)

    answer = at_desktop(house.cast.carla).get(
        reverse("cage_check", args=[1]), {"slip_id": request.data["slip_id"], "method": "cash"}
    )

    assert [f'data-value="{cents}"' in answer.text for cents in (100_00, 25_00, 5_00, 1_00)] == [
        False,
        True,
        True,
        True,
    ]
