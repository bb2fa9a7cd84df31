"""The vault counted by the keyboard in a real browser: what differs appears once both have signed."""

import pytest
from playwright.sync_api import expect

from casino import clock
from casino.cage.models import VaultCount
from casino.ledger.selectors.accounts import house_figures
from tests.cage.counting import closes
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk
from tests.cage.test_cage_in_chromium import desk as desk
from tests.cast import demo_person
from tests.support.browser import Chromium

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_two_count_the_vault_and_read_afterwards_what_differs(desk: CageDesk, chromium: Chromium) -> None:
    closes(desk.carla, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS, at=clock.now())
    lies = house_figures(desk.cast.room.pk)
    page = chromium.page("cage", "/sign-in/?next=/cage/vault/")
    page.fill("#username", "carla")
    page.fill("#password", demo_person("carla").password)
    page.press("#password", "Enter")
    first = page.locator("input[name=cash_50000]")
    expect(first).to_be_focused()
    page.wait_for_load_state("load")
    page.keyboard.type(str(lies["vault_cash"] // 500_00 - 1))
    page.fill("input[name=chips_10000]", str(lies["vault_chips"] // 100_00))
    page.select_option("#count-by", label="Frans")
    page.locator("#count-pin").press_sequentially(demo_person("frans").pin)
    page.keyboard.press("Enter")

    expect(page.locator("tfoot")).to_contain_text("500")
    count = VaultCount.objects.get()
    assert (count.money_difference_cents, count.chips_difference_cents, count.unjudged) == (-500_00, 0, True)
    page.wait_for_load_state("load")
    page.keyboard.press("Escape")
    expect(page.get_by_text("to be judged")).to_be_visible()
