"""The floor by the Unibet book: rules written for play over the net, as a live room keeps them."""

from datetime import timedelta

import pytest

from tables.errors_seats import SitsElsewhere
from tables.models import PlayerClock
from tables.selectors.dealer import dealer_screen
from tables.selectors.work import table_work
from tables.services.clocks import call_clock, end_clock
from tables.services.seating import hold_seat
from tests.tables.conftest import House, make_house
from tests.tables.test_moving import open_with, sits

pytestmark = pytest.mark.django_db

NL50 = "No limit hold'em 0.25/0.50"


@pytest.fixture
def unibet() -> House:
    """Return a room by the Unibet book where four play at each of two tables."""
    house = make_house(book="unibet")
    names = iter(("Lee", "Kai", "Timo", "Mika", "Pekka", "Jo", "Ville", "Aino"))
    for number in (1, 2):
        open_with(house, number, NL50)
        for seat in (1, 2, 3, 4):
            house.seat(next(names), seat, number=number, chips=40_00)
        house.settle(2_00, number=number)
    return house


def dealt_in(house: House) -> tuple[int, ...]:
    return dealer_screen(room_id=house.room_id, number=1).ahead[0].dealt_in


def away(house: House, nickname: str) -> None:
    seating = sits(house, nickname)
    house.tap(hold_seat, table_id=seating.table_id, seating_id=seating.pk, is_held=True)


@pytest.mark.rule("U37", "U-R10a")
def test_who_is_not_there_has_thirty_seconds_checks_or_is_folded_and_is_marked_away(unibet: House) -> None:
    kai = sits(unibet, "Kai")
    unibet.deal()
    unibet.tap(call_clock, table_id=kai.table_id, seating_id=kai.pk)

    clock = PlayerClock.objects.get()
    running = table_work(unibet.room_id, 1).clock
    assert clock.ends_at - clock.called_at == timedelta(seconds=30)
    assert running is not None
    assert not running.is_dead
    unibet.tap(end_clock, table_id=kai.table_id, clock_id=clock.pk, how="ran_out")
    away(unibet, "Kai")

    assert sits(unibet, "Kai").is_held
    assert 2 not in dealt_in(unibet)


@pytest.mark.rule("U-R10c")
def test_each_table_has_its_own_clock_and_it_stays_with_the_seat(unibet: House) -> None:
    for nickname in ("Kai", "Jo"):
        seating = sits(unibet, nickname)
        unibet.tap(call_clock, table_id=seating.table_id, seating_id=seating.pk)

    running = [table_work(unibet.room_id, number).clock for number in (1, 2)]

    assert [each and each.name for each in running] == ["Kai", "Jo"]
    assert set(PlayerClock.objects.values_list("seating_id", "ended_at")) == {
        (sits(unibet, nickname).pk, None) for nickname in ("Kai", "Jo")
    }


@pytest.mark.rule("U-R7")
def test_who_goes_to_another_game_is_marked_away_at_the_one_seat_they_have(unibet: House) -> None:
    away(unibet, "Kai")

    with pytest.raises(SitsElsewhere):
        unibet.seat("Kai", 5, number=2, chips=40_00)
    assert sits(unibet, "Kai").table.number == 1
    assert 2 not in dealt_in(unibet)
