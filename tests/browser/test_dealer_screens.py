"""How the dealer's tablet looks: pictures for people, and what must hold at its size."""

import os
from pathlib import Path

import pytest

from tests.browser.dealer_tablet import at_table, tablet_of
from tests.conftest import Database
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.tables.conftest import House, make_house

PICTURES = Path(os.environ.get("BRUSH_SCREENSHOTS", "var/screenshots"))


@pytest.fixture
def house(committing_db: Database) -> House:
    return make_house()


def test_first_look(house: House, brush_server: BrushServer, chromium: Chromium) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    tablet_of(house, house.cast.anna)
    house.open(Lee=1, Kai=2, Timo=3, Mika=5, Pekka=6, Jo=7, Sara=8)
    tablet = at_table(chromium, brush_server, house)

    tablet.page.screenshot(path=PICTURES / "dealer-01-draw.png")
    tablet.tap("draw")
    tablet.seat(8)
    tablet.page.screenshot(path=PICTURES / "dealer-02-idle.png")
    tablet.tap("deal")
    tablet.page.screenshot(path=PICTURES / "dealer-03-dealt.png")
    tablet.tap("flop")
    tablet.page.screenshot(path=PICTURES / "dealer-04-flop.png")
    tablet.tap("pot")
    tablet.type("86")
    tablet.page.screenshot(path=PICTURES / "dealer-05-pot.png")
    tablet.seat(2)
    tablet.page.screenshot(path=PICTURES / "dealer-06-answer.png")
    tablet.wait_until_sent()
    tablet.tap("menu")
    tablet.page.wait_for_timeout(300)
    tablet.page.screenshot(path=PICTURES / "dealer-07-menu.png")
