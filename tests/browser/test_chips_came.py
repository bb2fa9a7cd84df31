"""Chips that were paid and are on their way: the dealer says with one tap that they came."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from casino import clock
from casino.cage.models import PaidChips
from casino.people.services import start_shift
from tests.browser.dealer_tablet import at_table, tablet_of
from tests.browser.test_floor_lobby import house, shot
from tests.cage.delivering import sends_chips
from tests.cast import demo_person
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.tables.conftest import House

__all__ = ["house"]
pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_dealer_says_with_one_tap_that_chips_came(
    house: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    house.at = clock.now() - timedelta(minutes=20)
    house.tap(start_shift, staff_id=house.cast.anna.pk)
    tablet_of(house, house.cast.anna)
    house.open(Lee=1, Kai=2, Timo=3)
    sends_chips(house, house.seat("Mika", 5, chips=0), 200_00)
    tablet = at_table(chromium, brush_server, house)
    came = tablet.page.locator('[data-do="chips-came"]')
    expect(came).to_contain_text("Seat 5: 200")
    shot(tablet.page, "chips-0-on-way")

    tablet.tap("chips-came")

    expect(came).to_have_count(0)
    assert PaidChips.objects.get().delivered_by == house.cast.anna
    shot(tablet.page, "chips-1-came")
    office = chromium.page("cage", "/sign-in/?next=/cage/money/1/")
    office.fill("#username", "frans")
    office.fill("#password", demo_person("frans").password)
    office.press("#password", "Enter")
    expect(office.get_by_role("button", name="They did not come after all")).to_be_visible()
    shot(office, "chips-2-page")
    office.get_by_role("button", name="They did not come after all").click()
    expect(office.get_by_role("button", name="They came to the seat")).to_be_visible()
    shot(office, "chips-3-back")
