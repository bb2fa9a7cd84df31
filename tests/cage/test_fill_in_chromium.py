"""A fill at the keyboard, in a real browser: refused for want of cash, filled by two, and paid, without the mouse."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from casino import clock
from casino.cage import services
from casino.cage.models import Slip
from tests.cage.desk import CageDesk
from tests.cage.filling import filled_at_once
from tests.cage.test_cage_in_chromium import desk as desk
from tests.cage.test_cage_in_chromium import sit_down
from tests.cast import command, demo_person
from tests.support.books import fills_in_one_step
from tests.support.browser import Chromium

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_the_same_buy_in_takes_a_button_of_its_own(desk: CageDesk, chromium: Chromium) -> None:
    arguments: dict[str, Any] = {"drawer_id": desk.drawer_id, "amount_cents": 200_00, "method": "cash"}
    arguments["player_id"] = desk.lee.pk
    services.buy_in(command(desk.carla, at=clock.now()), **arguments)
    page = sit_down(chromium)
    page.keyboard.type("lee")
    expect(page.locator("#players [role=option]").first).to_contain_text("Lee")
    page.keyboard.press("Enter")
    expect(page.locator("#till-amount")).to_be_focused()
    page.keyboard.type("200")
    page.keyboard.press("Enter")
    expect(page.locator("#check [data-go]")).to_be_focused()
    services.buy_in(command(desk.carla, at=clock.now()), **arguments, again=True)
    page.keyboard.press("Enter")
    expect(page.locator("#check [role=alert]")).to_contain_text("Is this another one?")
    assert Slip.objects.count() == 2

    page.click("#check [data-again]")

    expect(page.locator("#slip .number")).to_have_text("1–00003")


@pytest.mark.slow
def test_a_payout_that_waits_for_a_fill_needs_no_mouse(desk: CageDesk, chromium: Chromium) -> None:
    fills_in_one_step(desk.cast.room.pk)
    filled_at_once(desk.carla, desk.cast.frans, desk.drawer_id, 4_900_00, kind="credit", at=clock.now())
    services.buy_in(command(desk.carla, at=clock.now()), drawer_id=desk.drawer_id, amount_cents=500_00, method="card")
    page = sit_down(chromium)
    page.keyboard.press("F3")
    page.keyboard.press("Enter")
    page.keyboard.type("200")
    page.keyboard.press("Enter")
    _says_whose(page)
    expect(page.locator("#check [role=alert]")).to_contain_text("A fill of")
    page.keyboard.press("Escape")

    page.keyboard.press("Shift+F2")
    expect(page.locator("#vault-amount")).to_be_focused()
    page.keyboard.type("2000")
    page.keyboard.press("Tab")
    page.keyboard.type("Frans")
    page.keyboard.press("Tab")
    page.keyboard.type(demo_person("frans").pin)
    page.keyboard.press("Enter")
    expect(page.locator("#slip")).to_contain_text("Frans")
    expect(page.locator("#vault")).to_be_hidden()
    expect(page.locator("#vault-pin")).to_have_value("")

    # What was typed waits at the till.
    expect(page.locator("#till-amount")).to_have_value("200")
    page.locator("#till-amount").press("Enter")
    _says_whose(page)
    expect(page.locator("#slip .number")).to_have_text("1–00004")
    assert list(Slip.objects.order_by("number").values_list("kind", flat=True)) == [
        "credit",
        "buy_in",
        "fill",
        "cash_out",
    ]


def _says_whose(page: Page) -> None:
    """Answer, at the question, whose chips a guest without a name brings, and have them paid."""
    expect(page.locator("#check input[name=unnamed]").first).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
