"""The rack at a push, on the dealer's tablet: one tap as it was left, and a count where one was drawn."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from casino import clock
from casino.people.services import start_shift
from tables.models import RackCheck, ToDo
from tests.browser.dealer_tablet import at_table, tablet_of
from tests.browser.test_floor_lobby import house, shot
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.tables.conftest import House
from tests.tables.racking import Racking, keeps_racks

__all__ = ["house"]
pytestmark = pytest.mark.browser


def test_who_pushes_in_takes_the_rack_with_a_tap_and_counts_it_where_it_was_drawn(
    house: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    house.at = clock.now() - timedelta(minutes=5)
    # Every second push at the latest: of the first two one is drawn.
    keeps_racks(house, counted_within_pushes=2)
    for person in (house.cast.anna, house.cast.dan):
        house.tap(start_shift, staff_id=person.pk)
    tablet_of(house, None)
    house.open(Lee=1, Kai=2, Timo=3, Mika=5)
    Racking(house).fill(200)
    tablet = at_table(chromium, brush_server, house)
    page, sheet = tablet.page, tablet.page.locator("#sheet")
    page.goto("/door/")

    for username in ("anna", "dan"):
        tablet.sign_in(username)
        expect(sheet).to_be_visible()
        is_drawn = sheet.locator(".rack-count").count() == 1
        if is_drawn:
            expect(sheet.locator("[data-do='rack-left']")).to_have_count(0)
            shot(page, "rack-1-drawn")
            page.locator("[data-do='rack-value']", has_text="25").first.tap()
            tablet.type("7")
            page.locator("[data-do='rack-value']", has_text="1 €").first.tap()
            tablet.type("22")
            shot(page, "rack-2-counted")
            expect(page.locator("[data-do='rack-send']")).to_contain_text("197")
            tablet.tap("rack-send")
            expect(tablet.middle).to_contain_text("counted")
            tablet.wait_until_sent()
            shot(page, "rack-3-said")
        else:
            shot(page, "rack-0-asked")
            before = tablet.taps
            tablet.tap("rack-left")
            assert tablet.taps - before == 1
            tablet.wait_until_sent()
        expect(sheet).to_be_hidden()
        expect(page.locator("[data-do='rack']")).to_have_count(0)
        # The next hand is there, and nothing else is asked.
        expect(page.locator("#bar [data-place='first']")).to_be_enabled()
        page.goto("/door/")

    counted = RackCheck.objects.get(cents__isnull=False)
    assert (counted.kind, counted.cents, counted.expected_cents) == ("unannounced", 197_00, 200_00)
    assert ToDo.objects.get(kind=ToDo.Kind.RACK_DIFFERS).data["difference_cents"] == -3_00
