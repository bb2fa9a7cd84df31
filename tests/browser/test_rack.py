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


@pytest.mark.slow
def test_who_pushes_in_takes_the_rack_with_a_tap_and_counts_it_where_it_was_drawn(
    house: House, brush_server: BrushServer, chromium: Chromium, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.at = clock.now() - timedelta(hours=2)
    keeps_racks(house.room_id)
    for person in (house.cast.anna, house.cast.dan):
        house.tap(start_shift, staff_id=person.pk)
    tablet_of(house, None)
    house.open(Lee=1, Kai=2, Timo=3, Mika=5)
    racking = Racking(house)
    racking.fill(200)
    tablet = at_table(chromium, brush_server, house)
    page, sheet = tablet.page, tablet.page.locator("#sheet")

    racking.push(house.cast.anna, draws=False, monkeypatch=monkeypatch)
    page.goto("/door/")
    # What only such tables load is asked for again, should the connection fail just then.
    page.route("**/dealer/rack.js", lambda route: route.abort(), times=1)
    tablet.sign_in("anna")
    expect(sheet.locator("[data-do='rack-left']")).to_be_visible()
    shot(page, "rack-0-asked")
    tablet.tap("rack-left")
    # One tap more than without a rack, and the next hand is there.
    assert tablet.taps == 1
    expect(sheet).to_be_hidden()
    expect(page.locator("#bar [data-place='first']")).to_be_enabled()
    tablet.wait_until_sent()
    expect(page.locator("[data-do='rack']")).to_have_count(0)

    racking.push(house.cast.dan, draws=True, monkeypatch=monkeypatch)
    page.goto("/door/")
    tablet.sign_in("dan")
    expect(sheet.locator(".rack-count")).to_be_visible()
    expect(sheet.locator("[data-do='rack-left']")).to_have_count(0)
    expect(sheet.locator("[data-do='rack-send']")).to_be_disabled()
    shot(page, "rack-1-drawn")
    # Put off, the button stays; it is in nobody's way.
    sheet.locator("[data-closes]").tap()
    expect(page.locator("#bar [data-place='first']")).to_be_enabled()
    tablet.tap("rack")
    sheet.locator("[data-do='rack-value']", has_text="25 €").tap()
    tablet.type("7")
    sheet.locator("[data-do='rack-value']", has_text="1 €").last.tap()
    tablet.type("22")
    shot(page, "rack-2-counted")
    expect(sheet.locator("[data-do='rack-send']")).to_contain_text("197")
    tablet.tap("rack-send")
    expect(tablet.middle).to_contain_text("counted")
    tablet.wait_until_sent()
    expect(page.locator("[data-do='rack']")).to_have_count(0)
    shot(page, "rack-3-said")

    left, counted = RackCheck.objects.order_by("id")
    assert (left.kind, left.cents, left.by_id) == ("push", None, house.cast.anna.pk)
    assert (counted.kind, counted.cents, counted.expected_cents) == ("unannounced", 197_00, 200_00)
    assert ToDo.objects.get(kind=ToDo.Kind.RACK_DIFFERS).data["dealers"] == [house.cast.anna.pk]
