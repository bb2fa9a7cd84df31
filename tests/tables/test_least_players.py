"""Where hands are dealt from three players on: what the tablet offers, alone and from the server, and the wall says."""

from dataclasses import replace

import pytest

from casino.waiting.selectors.wall import lobby
from tables.models import Game
from tables.selectors.dealer import dealer_screen
from tables.selectors.dealer_shown import DealerScreen
from tables.selectors.floor import room_on_map
from tables.services.hands import settle_hand
from tables.services.seating import leave_seat
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.test_moving import sits

pytestmark = pytest.mark.two_houses


def screen(house: House) -> DealerScreen:
    return dealer_screen(room_id=house.room_id, number=1)


def goes(house: House, nickname: str) -> None:
    seating = sits(house, nickname)
    house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=100_00)


@pytest.mark.django_db
@pytest.mark.rule("U5", "U12", "U13")
def test_the_tablet_offers_no_hand_to_two_but_the_one_after_a_hand_of_three(house):
    with as_owner():
        Game.objects.update(players_min=3)
    house.open(1, Lee=1, Kai=2)
    assert screen(house).ahead == ()
    house.seat("Timo", 3)
    assert len(screen(house).ahead) > 2
    house.settle(40_00)

    goes(house, "Timo")

    assert [start.dealt_in for start in screen(house).ahead] == [(1, 2)]
    # Still one while it is played, and none after it.
    hand = house.deal()
    assert screen(house).ahead == ()
    house.tap(settle_hand, house.cast.anna, table_id=house.table_id(), hand=replace(hand, pots=(40_00,)))
    assert screen(house).ahead == ()
    assert next(tile.trouble for tile in room_on_map(house.room_id).tiles) == "too_few"
    assert lobby(house.room_id).games[0].runs_until is None
