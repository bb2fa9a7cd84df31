"""
A cashier's bad night, by the keyboard in a real browser: somebody else's word is wanted, a slip is missing, 5 € too.

With BRUSH_SCREENSHOTS the screens are kept as pictures (`make pictures`), in Finnish too.
"""

import pytest
from playwright.sync_api import Page, expect

from casino import clock
from casino.cage import services
from casino.cage.models import Slip
from casino.cage.selectors.drawers import drawer_figures
from casino.ledger.proof import problems
from tests.cage.desk import CageDesk
from tests.cage.test_cage_in_chromium import desk as desk
from tests.cage.test_cage_in_chromium import sit_down
from tests.cast import command, demo_person
from tests.support.browser import Chromium
from tests.support.pictures import look, on_paper

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def reverses(page: Page) -> None:
    """Take a buy-in back that was typed wrongly: alone it does not go."""
    page.locator("#window .slip-row", has_text="Timo").click()
    expect(page.locator("#slip")).to_contain_text("Timo")
    page.keyboard.press("Shift+F3")
    expect(page.locator("#reverse-reason")).to_be_focused()
    expect(page.locator("#reverse-by")).not_to_contain_text("Carla")
    look(page, "2-reversal-asks-for-another", in_finnish=False)
    page.select_option("#reverse-by", "frans")
    page.fill("#reverse-pin", demo_person("carla").pin)
    page.click("#reverse button.danger")
    expect(page.locator("#reverse [role=alert]")).to_contain_text("not the right PIN")
    look(page, "3-not-her-own-pin", in_finnish=False)
    page.fill("#reverse-pin", demo_person("frans").pin)
    page.click("#reverse button.danger")
    expect(page.locator("#slip .void")).to_be_visible()
    look(page, "4-reversed", in_finnish=False)


def test_a_drawer_five_euros_short_and_a_slip_missing(desk: CageDesk, chromium: Chromium) -> None:
    for name, cents, method in (("Lee", 100_00, "cash"), ("Kai", 200_00, "card"), ("Timo", 300_00, "cash")):
        services.buy_in(
            command(desk.carla, at=clock.now()), drawer_id=desk.drawer_id, player_id=desk.cast.players[name].pk,
            amount_cents=cents, method=method,
        )  # fmt: skip
    services.request_buy_in(
        command(desk.cast.anna, at=clock.now()), player_id=desk.cast.players["Ville"].pk, amount_cents=150_00
    )
    page = sit_down(chromium)
    expect(page.locator("[data-request]")).to_contain_text("Ville")
    look(page, "1-window")
    reverses(page)

    page.keyboard.press("Escape")
    page.keyboard.press("Shift+F4")
    expect(page.locator("[name=cash_50000]")).to_be_focused()
    for name, count in (("cash_50000", "10"), ("cash_5000", "1"), ("cash_2000", "2"), ("cash_500", "1")):
        page.fill(f"[name={name}]", count)
    page.fill("[name=chips_10000]", "197")
    page.fill("#count-card", "0")
    page.select_option("#count-by", "frans")
    # What should lie there is nowhere to be read before the count.
    expect(page.locator("#close-drawer")).not_to_contain_text("5 100")
    look(page, "5-counting", in_finnish=False)
    page.fill("#count-pin", demo_person("frans").pin)
    page.keyboard.press("Enter")
    counts = page.locator(".counts")
    expect(counts).to_contain_text("−205 €")
    # Money together, and which of it: five euros of cash, and a slip.
    expect(counts.get_by_role("row", name="Cash")).to_contain_text("−5 €")
    expect(counts.get_by_role("row", name="Card slips")).to_contain_text("−200 €")
    look(page, "6-five-euros-short")
    on_paper(page, "6-five-euros-short-on-paper")

    assert Slip.objects.get(player=desk.cast.players["Timo"]).status == "void"
    assert drawer_figures(desk.drawer_id)["cash"] == 0
    assert [each.detail for each in problems(desk.cast.room.pk)] == []
