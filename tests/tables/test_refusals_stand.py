"""A refused choice of the floor's is stored and logged like any answer, and a second asking notes nothing."""

import uuid

import pytest
from django.test import Client

from casino.audit.models import Event
from casino.waiting.models import Waiting
from casino.waiting.services.lists import call_player, take_back_call
from tables.models import Seating
from tables.services.seating import leave_seat
from tests.tables.conftest import House
from tests.tables.test_moving import sits
from tests.tables.test_next_steps import joins, overrules
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


@pytest.fixture
def floor(house: House) -> Client:
    return at_desktop(house.cast.frans)


def results(name: str) -> list[str]:
    return list(Event.objects.filter(name=name).order_by("id").values_list("result", flat=True))


def test_a_refused_call_is_logged_and_refused_again_when_the_seat_is_free(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)
    sara, timo = joins(house, "Sara", "Timo")
    house.tap(call_player, waiting_id=sara, table_id=house.table_id(), seat_number=3)
    key = uuid.uuid4()

    def call() -> int:
        return tap(floor, f"/floor/waiting/{timo}/call/", id=key, table_number="1", seat_number="3").status_code

    assert call() == 409
    house.tap(take_back_call, waiting_id=sara, version=Waiting.objects.get(id=sara).version)

    assert call() == 409
    assert results("waiting.call_player") == ["done", "seat_promised"]
    assert Waiting.objects.get(id=timo).status == "waiting"


def test_a_refused_seat_is_logged_and_refused_again_when_it_is_free(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)
    key, jo = uuid.uuid4(), str(house.player("Jo").pk)

    def seat() -> int:
        fields = {"player_id": jo, "chips": "200", "source": "hands"}
        return tap(floor, "/floor/tables/1/seats/2/", id=key, **fields).status_code

    assert seat() == 409
    kai = sits(house, "Kai")
    house.tap(leave_seat, table_id=kai.table_id, seating_id=kai.pk, stack_cents=200_00)

    assert seat() == 409
    assert results("tables.seat_player")[-1] == "seat_taken"
    assert not Seating.objects.filter(player_id=jo).exists()


def test_a_choice_that_is_asked_again_is_noted_once(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)
    _sara, timo = joins(house, "Sara", "Timo")
    key = uuid.uuid4()

    answers = [
        tap(floor, f"/floor/waiting/{timo}/call/", id=key, table_number="1", seat_number=seat) for seat in ("3", "3")
    ]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert len(overrules()) == 1


def test_a_call_in_order_that_is_asked_again_notes_nothing(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)
    sara, _timo = joins(house, "Sara", "Timo")
    key = uuid.uuid4()

    for _ in range(2):
        assert tap(floor, f"/floor/waiting/{sara}/call/", id=key, table_number="1", seat_number="3").status_code == 200

    assert overrules() == []
