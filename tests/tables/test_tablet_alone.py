"""A tablet without a connection foresees the next hands as the server says them: `fold.js` and the server's data."""

import json
from typing import Any

import pytest

from tables.models import Game
from tables.selectors.dealer import dealer_screen
from tables.services.seating import hold_seat, leave_seat
from tests.support.owner import as_owner
from tests.support.scripts import run_script
from tests.tables.conftest import House
from tests.tables.test_moving import sits

SCRIPT = """async ([server, taps]) => {
  const { fold } = await import("/static/brush/dealer/fold.js");
  return fold(server, taps).ahead;
}"""


def tablet_screen(house: House) -> dict[str, Any]:
    """Return what the tablet of table 1 was told last."""
    found: dict[str, Any] = json.loads(json.dumps(dealer_screen(room_id=house.room_id, number=1).as_json()))
    return found


def placed(start: dict[str, Any]) -> tuple[Any, ...]:
    return start["button"], start["small_blind"], start["big_blind"], start["dealt_in"]


@pytest.mark.rule("U12", "U13")
def test_with_too_few_it_stops_where_the_server_does(house: House) -> None:
    with as_owner():
        Game.objects.update(players_min=3)
    house.open(Lee=1, Kai=2, Timo=3)
    house.settle(40_00)

    for nickname in ("Timo", "Kai"):
        before, seating = tablet_screen(house), sits(house, nickname)
        tap = {"command": "hold", "body": {"is_held": True}, "seating": seating.pk, "at": "2026"}
        alone = run_script(SCRIPT, [before, [tap]])
        house.tap(hold_seat, table_id=seating.table_id, seating_id=seating.pk, is_held=True)
        ahead = tablet_screen(house)["ahead"]
        assert [placed(each) for each in alone] == [placed(each) for each in ahead]
        assert len(ahead) == (1 if nickname == "Timo" else 0)


@pytest.mark.rule("H4.27", "H4.31")
def test_a_newcomer_whom_the_big_blind_reaches_early_is_dealt_in(house: House) -> None:
    house.open(Lee=1, Kai=2, Timo=3, Mika=5)
    house.settle(40_00)
    house.seat("Ville", 7)
    before = tablet_screen(house)
    blinds = [start["big_blind"] for start in before["ahead"]]
    # Who would have had it in the hand before leaves.
    gone = blinds[blinds.index(7) - 1]
    assert gone != 7
    leaver = next(each for each in before["seats"] if each["number"] == gone)
    seating = sits(house, leaver["name"])

    alone = run_script(SCRIPT, [before, [{"command": "leave", "body": {}, "seating": seating.pk, "at": "2026"}]])

    house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=100_00)
    ahead = tablet_screen(house)["ahead"][: len(alone)]
    assert 7 in ahead[blinds.index(7) - 1]["dealt_in"]
    assert [placed(each) for each in alone] == [placed(each) for each in ahead]
