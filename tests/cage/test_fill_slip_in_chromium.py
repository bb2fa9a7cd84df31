"""A fill from its request to its count, by the keyboard in a real browser: the cashier asks, the floor authorises."""

import pytest
from playwright.sync_api import Page, expect

from casino.cage.models_fills import FillSlip
from casino.cage.selectors.drawers import drawer_figures
from tests.cage.desk import FLOAT_CASH, CageDesk
from tests.cage.test_cage_in_chromium import desk as desk
from tests.cage.test_cage_in_chromium import sit_down
from tests.cast import demo_person
from tests.support.browser import Chromium

pytestmark = pytest.mark.browser


def signs(page: Page, name: str) -> None:
    """Choose who signs, and type their PIN."""
    page.select_option("#fill-by", label=name)
    page.locator("#fill-pin").press_sequentially(demo_person(name.lower()).pin)
    page.keyboard.press("Enter")


@pytest.mark.slow
def test_a_fill_from_its_request_to_its_count(desk: CageDesk, chromium: Chromium) -> None:
    carla = sit_down(chromium)
    carla.keyboard.press("Shift+F6")
    expect(carla.locator("input[name=cash_50000]")).to_be_focused()
    carla.keyboard.type("2")
    expect(carla.get_by_role("status", name="Cash together")).to_contain_text("000")
    # Its scripts run one after the other, and the sum's is not the last: before that of the keys the page has none.
    carla.wait_for_load_state("load")
    carla.keyboard.press("F9")
    expect(carla.locator(".paper .number")).to_have_text("V–00001")
    expect(carla.locator(".panel .body")).to_contain_text("who asks never does")

    frans = chromium.page("floor", "/sign-in/?next=/floor/")
    frans.fill("#username", "frans")
    frans.fill("#password", demo_person("frans").password)
    frans.press("#password", "Enter")
    frans.get_by_text("Fill from the vault asked for").wait_for()
    frans.goto(frans.url.replace("/floor/", f"/cage/fills/{FillSlip.objects.get().pk}/"))
    frans.keyboard.press("F8")

    # The cashier's page follows by itself, and nobody has touched it.
    expect(carla.locator("input[name=cash_50000]")).to_be_focused()
    carla.keyboard.type("2")
    signs(carla, "Dan")
    expect(carla.locator(".panel .chip")).to_contain_text("on its way")
    expect(carla.locator(".fill-pieces")).to_have_count(0)
    expect(carla.locator("#fill-by")).not_to_contain_text("Dan")
    carla.locator("input[name=cash_50000]").press_sequentially("1")
    carla.locator("input[name=cash_20000]").press_sequentially("2")
    expect(carla.locator("#cash-sum")).to_contain_text("900")
    signs(carla, "Frans")

    expect(carla.locator(".fill-pieces")).to_contain_text("Given")
    expect(carla.locator(".paper")).to_contain_text("−100 €")
    slip = FillSlip.objects.get()
    assert (slip.status, slip.unjudged, slip.got_cash) == ("verified", True, [[500_00, 1], [200_00, 2]])
    assert drawer_figures(desk.drawer_id)["cash"] == FLOAT_CASH + 900_00
