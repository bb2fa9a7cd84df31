"""Who plays over waits for a seat of their own, and gets it at that very table too (A40)."""

import pytest
from django.test import Client

from casino.waiting.models import Waiting
from casino.waiting.services.lists import call_player, join_list
from tables.errors import AlreadySeated, NothingToTakeBack
from tables.models import Seating
from tables.services.playing_over import play_over
from tables.services.seat_change import change_seat, take_back_seat_change
from tables.services.seating import hold_seat
from tests.tables.conftest import House
from tests.tables.test_moving import sits
from tests.taps import at_desktop, tap

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]


@pytest.fixture
def floor(house: House) -> Client:
    return at_desktop(house.cast.frans)


def plays_over(house: House) -> tuple[Seating, Seating, int]:
    """Mika waits for the game and plays in Kai's seat; return Kai's seating, Mika's, and the entry."""
    table, mika = house.open(1, Lee=1, Kai=2, Timo=3), house.player("Mika").pk
    house.settle(40_00)
    waits = house.tap(join_list, game_id=house.game().pk, player_id=mika).data["waiting"]
    kai = sits(house, "Kai")
    house.tap(hold_seat, table_id=table.pk, seating_id=kai.pk, is_held=True)
    house.tap(play_over, table_id=table.pk, seating_id=kai.pk, player_id=mika, chips_cents=200_00)
    kai.refresh_from_db()
    return kai, sits(house, "Mika"), int(waits)


@pytest.mark.rule("H4.48", "H2.9")
def test_the_seat_that_was_waited_for_ends_the_playing_over_and_the_waiting(house: House) -> None:
    kai, mika, waits = plays_over(house)
    house.tap(call_player, waiting_id=waits, table_id=mika.table_id, seat_number=5)

    house.tap(change_seat, table_id=mika.table_id, seating_id=mika.pk, seat_number=5, version=mika.version)

    kai.refresh_from_db()
    mika.refresh_from_db()
    assert (mika.seat_number, mika.left_at, mika.chips_in_cents) == (5, None, 200_00)
    assert (kai.is_played_over, kai.is_held, kai.left_at) == (False, True, None)
    assert Waiting.objects.get(id=waits).status == "seated"
    assert house.figures()["hands"] == -800_00
    with pytest.raises(NothingToTakeBack):
        house.tap(take_back_seat_change, table_id=mika.table_id, seating_id=mika.pk)
    house.tap(hold_seat, table_id=kai.table_id, seating_id=kai.pk, is_held=False)
    mika.refresh_from_db()
    assert mika.left_at is None


@pytest.mark.rule("H2.7")
def test_who_has_a_seat_of_their_own_is_not_called_to_that_table(house: House) -> None:
    kai, _, _ = plays_over(house)
    waits = house.tap(join_list, game_id=house.game().pk, player_id=kai.player_id).data["waiting"]

    with pytest.raises(AlreadySeated):
        house.tap(call_player, waiting_id=waits, table_id=kai.table_id, seat_number=5)


def test_the_seat_button_of_who_is_called_opens_the_change_with_the_promised_seat(house: House, floor: Client) -> None:
    _, mika, waits = plays_over(house)
    house.tap(call_player, waiting_id=waits, table_id=mika.table_id, seat_number=5)

    sheet = floor.get("/floor/tables/1/seats/5/sheet/?on=floor", follow=True).text

    address = f"/floor/tables/1/seatings/{mika.pk}/change/"
    assert f'hx-post="{address}"' in sheet
    mika.refresh_from_db()
    assert tap(floor, address, seat_number="5", version=str(mika.version), on="floor").status_code == 200
    mika.refresh_from_db()
    assert mika.seat_number == 5
