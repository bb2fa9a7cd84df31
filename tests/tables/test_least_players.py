"""Where hands are dealt from three players on: what the tablet offers, alone and from the server, and the wall says."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tables.models import Game
from tables.selectors.dealer import dealer_screen
from tables.selectors.dealer_shown import DealerScreen
from tables.selectors.floor import floor_map
from tables.selectors.lobby import lobby
from tables.services.hands import settle_hand
from tables.services.seating import hold_seat, leave_seat
from tests.conftest import Database
from tests.support.browser import Chromium
from tests.support.owner import as_owner
from tests.support.room import BrushServer
from tests.tables.conftest import House, make_house
from tests.tables.test_moving import sits

SCRIPT = """async ([server, taps]) => {
  const { fold } = await import("/static/brush/dealer/fold.js");
  return fold(server, taps).ahead;
}"""


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

    assert [asked.dealt_in for asked in screen(house).ahead] == [(1, 2)]
    # Still one while it is played, and none after it.
    hand = house.deal()
    assert screen(house).ahead == ()
    house.tap(settle_hand, house.cast.anna, table_id=house.table_id(), hand=replace(hand, pots=(40_00,)))
    assert screen(house).ahead == ()
    assert next(tile.trouble for tile in floor_map(house.room_id).tiles) == "too_few"
    assert lobby(house.room_id).games[0].runs_until is None


@pytest.mark.rule("U12", "U13")
def test_a_tablet_alone_foresees_the_hands_as_the_server_does(
    committing_db: Database, brush_server: BrushServer, chromium: Chromium
) -> None:
    house = make_house()
    with as_owner():
        Game.objects.update(players_min=3)
    house.open(Lee=1, Kai=2, Timo=3)
    house.settle(40_00)
    page = chromium.page("dealer", "/healthz")

    for nickname in ("Timo", "Kai"):
        before = json.loads(json.dumps(screen(house).as_json()))
        seating = sits(house, nickname)
        tap: dict[str, Any] = {"command": "hold", "body": {"is_held": True}, "seating": seating.pk, "at": "2026"}
        alone = page.evaluate(SCRIPT, [before, [tap]])
        house.tap(hold_seat, table_id=seating.table_id, seating_id=seating.pk, is_held=True)
        asked = json.loads(json.dumps(screen(house).as_json()))["ahead"]
        assert [each[:4] for each in alone] == [each[:4] for each in asked]
        assert len(asked) == (1 if nickname == "Timo" else 0)
