"""
A buy-in off a deposit at the keyboard, in a real browser: its slip is signed, or stands on the day's checklist.

With BRUSH_SCREENSHOTS the screens are kept as pictures.
"""

import pytest
from playwright.sync_api import Page, expect

from casino.cage import services
from casino.cage.models import SignedPaper
from tests.cage.desk import CageDesk, open_desk
from tests.cage.test_deposits_held import puts
from tests.cast import command, demo_person
from tests.support.browser import Chromium
from tests.support.pictures import keep, look, on_paper
from tests.support.room import BrushServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZE = {"width": 1440, "height": 900}


@pytest.fixture
def desk(brush_server: BrushServer) -> CageDesk:
    desk = open_desk()
    services.note_signature(command(desk.carla), slip_id=puts(desk, 300_00).data["slip_id"])
    return desk


def signs_in(chromium: Chromium, who: str, path: str, *, locale: str = "en-GB") -> Page:
    page = chromium.page("cage", f"/sign-in/?next={path}", viewport=SIZE, locale=locale)
    page.fill("#username", who)
    page.fill("#password", demo_person(who).password)
    page.press("#password", "Enter")
    return page


def buys_off_deposit(page: Page, euros: str) -> None:
    expect(page.locator("#player-search")).to_be_focused()
    page.keyboard.type("lee")
    expect(page.locator("#players [role=option]").first).to_contain_text("Lee")
    page.keyboard.press("Enter")
    expect(page.locator("#till-amount")).to_be_focused()
    page.keyboard.type(euros)
    while not page.locator("#till [type=radio][name=method][value=deposit]").is_checked():
        page.keyboard.press("F9")
    page.keyboard.press("Enter")
    expect(page.locator("#check [data-go]")).to_be_focused()
    page.keyboard.press("Enter")


@pytest.mark.parametrize("locale", ["en-GB", "fi-FI"])
def test_a_buy_in_off_a_deposit_is_signed_by_keyboard_or_keeps_the_day_open(
    desk: CageDesk, chromium: Chromium, locale: str
) -> None:
    page = signs_in(chromium, "carla", "/cage/1/", locale=locale)
    buys_off_deposit(page, "100")
    expect(page.locator("#slip .number")).to_have_text("1–00002")
    expect(page.locator("#slip .signature")).to_be_visible()
    look(page, f"signing-1-slip-{locale}", in_finnish=False)

    page.keyboard.press("Shift+F10")

    expect(page.locator("#sign-slip")).to_have_count(0)
    expect(page.locator("#slip .slip")).to_contain_text("Carla")
    expect(page.locator("#player-search")).to_be_focused()
    keep(page, f"signing-2-signed-{locale}")
    assert SignedPaper.objects.filter(slip__method="deposit").count() == 1

    # The next one is forgotten.
    buys_off_deposit(page, "50")
    expect(page.locator("#slip .number")).to_have_text("1–00003")
    managers = signs_in(chromium, "mari", "/cage/day/", locale=locale)
    expect(managers.locator("#day-checks")).to_contain_text("1–00003")
    look(managers, f"signing-3-checklist-{locale}", in_finnish=False)
    managers.locator("#day-checks a", has_text="1–00003").click()
    expect(managers.locator(".slip .number")).to_have_text("1–00003")
    look(managers, f"signing-4-its-page-{locale}", in_finnish=False)
    on_paper(managers, f"signing-5-on-paper-{locale}")
