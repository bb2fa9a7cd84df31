"""Where the rake is due without a flop too (RA8), the tablet asks for the pot of those hands as well."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from casino.poker.rake import rake_to_dict
from casino.rulebooks import load
from tables.models import Game, ToDo
from tests.browser.dealer_tablet import Tablet, at_table, hands, tablet_of
from tests.browser.test_dealer_taps import SEVEN, house
from tests.browser.test_floor_lobby import shot
from tests.support.browser import Chromium
from tests.support.owner import as_owner
from tests.support.room import BrushServer
from tests.tables.conftest import House

__all__ = ["house"]
TAPS = {"royal, no flop": 3, "royal, flop": 4, "royal, no flop at once": 3}


@pytest.mark.slow
@pytest.mark.rule("R-§28")
def test_the_pot_of_a_hand_without_a_flop_is_typed_and_raked(
    house: House, brush_server: BrushServer, chromium: Chromium, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = load("royal").game("nlh-20-50").rake_policy
    assert policy is not None
    with as_owner():
        Game.objects.filter(room=house.cast.room).update(charges={"rake": rake_to_dict(policy)})
    tablet_of(house, house.cast.anna)
    house.open(**SEVEN)
    house.settle(100_00, winners=(1,))
    tablet = at_table(chromium, brush_server, house)

    counted(tablet, "royal, no flop", capsys, lambda: without_flop(tablet))
    counted(tablet, "royal, flop", capsys, lambda: with_flop(tablet))
    counted(tablet, "royal, no flop at once", capsys, lambda: at_once(tablet))

    _first, bare, flopped, whole = hands(house)
    logged = [(hand.street, hand.pot_cents, hand.taken("rake")) for hand in (bare, flopped, whole)]
    assert logged == [("initial", 1200_00, 30_00), ("beyond", 300_00, 20_00), ("initial", 50_00, 20_00)]
    assert bare.beyond_initial_deal_at is None
    assert not ToDo.objects.exists()


def without_flop(tablet: Tablet) -> None:
    tablet.tap("deal")
    tablet.seat(5)
    expect(tablet.middle).to_contain_text("No flop: type the pot")
    assert tablet.page.locator("#side [role=alert]").count() == 0
    tablet.type("1200")
    expect(tablet.middle).to_contain_text("take 30 € rake")
    shot(tablet.page, "royal-no-flop")
    tablet.seat(5)


def with_flop(tablet: Tablet) -> None:
    tablet.tap("deal")
    tablet.tap("flop")
    tablet.tap("pot")
    tablet.type("300")
    tablet.seat(5)


def at_once(tablet: Tablet) -> None:
    tablet.tap("pot")
    tablet.tap("no-flop")
    tablet.type("50")
    tablet.seat(2)


def counted(tablet: Tablet, kind: str, capsys: pytest.CaptureFixture[str], play: Callable[[], None]) -> None:
    before = tablet.taps
    play()
    with capsys.disabled():
        print(f"\n  taps · {kind}: {tablet.taps - before}", end="")  # noqa: T201  # the counts are there to be read
    assert tablet.taps - before <= TAPS[kind]
    # A large pot is looked at by the house before the hand is over.
    expect(tablet.page.locator('#bar [data-do="deal"]')).to_be_enabled()
    tablet.wait_until_sent()
    tablet.wait_until_calm()
