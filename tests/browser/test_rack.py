"""
The rack at a push, on the dealer's tablet: one tap as it was left, and a count where one was drawn. On the floor's the
slips: asked for from the rack's page, which two count as it closes, and a credit that has the count filled in.
"""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from casino import clock
from casino.cage.models_fills import FillSlip
from casino.people.services import start_shift
from tables.models import RackCheck, ToDo
from tests.browser.dealer_tablet import at_table, sign_in, tablet_of
from tests.browser.languages import Screen, faults, show, speak
from tests.browser.test_floor_lobby import house, shot
from tests.browser.test_languages import page_of
from tests.cast import demo_person, enrolled
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


@pytest.mark.slow
def test_a_rack_is_filled_and_emptied_by_slips_that_its_page_leads_to(
    house: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    house.at = clock.now() - timedelta(hours=2)
    keeps_racks(house.room_id)
    house.open(Lee=1, Kai=2)
    Racking(house).fill(200)
    sign_in(enrolled(house.cast.room, "floor"), house.cast.frans)
    page, rack = page_of(chromium, brush_server, "floor"), Screen("rack", "floor", "/floor/tables/1/rack/")
    found: list[str] = []

    def looks(name: str) -> None:
        for language in ("fi", "en"):
            speak(page, brush_server.url, language)
            show(page, Screen(name, "floor", page.url))
            found.extend(f"{name}, {language}: {each}" for each in faults(page))
            shot(page, f"rack-slips-{name}-{language}")

    show(page, rack)
    looks("plays")
    page.get_by_role("link", name="Ask for a fill").tap()
    expect(page.locator("#fill-place")).to_have_value("table.1")
    show(page, rack)
    page.get_by_role("heading", name="Close it").tap()
    page.locator("form[hx-post$='rack/close/'] [name=pieces_2500]").fill("8")
    page.locator("#close-by").select_option("carla")
    page.locator("#close-pin").fill(demo_person("carla").pin)
    shot(page, "rack-slips-close")
    page.get_by_role("button", name="Counted by both").tap()
    expect(page.get_by_text("This rack was counted at its closing")).to_be_visible()
    looks("closed")
    page.get_by_role("link", name="Ask for a credit").tap()
    expect(page.locator("[name=chips_2500]")).to_have_value("8")
    expect(page.locator("#chips-sum")).to_contain_text("200")
    looks("credit")
    page.locator(".fill-ask button.primary").tap()
    expect(page).to_have_url(re.compile(r"/cage/fills/\d+/"))

    slip = FillSlip.objects.latest("id")
    assert (slip.kind, slip.place_kind, slip.wished_chips, slip.wished_cash_cents) == (
        "credit",
        "table",
        [[25_00, 8]],
        0,
    )
    assert not found, "\n".join(found)
